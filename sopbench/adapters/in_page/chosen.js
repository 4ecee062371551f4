// The options of a native drop-down: label, value, and whether it is chosen.
select => [...(select.tagName === 'LABEL' ? select.control : select).options].map(option =>
  ({ label: option.label.trim(), value: option.value, chosen: option.selected, disabled: option.disabled }))
