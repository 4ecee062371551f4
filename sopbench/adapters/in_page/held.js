// What a form field or editor holds now, as a person would say it.
element => {
  const field = element.matches('input, textarea, select') ? element
    : element.tagName === 'LABEL' ? element.control
    : element.isContentEditable ? null : element.querySelector('input:not([type=hidden]), textarea, [contenteditable]')
  const it = field ?? element
  if (!('value' in it) || it.isContentEditable)
    return { value: it.innerText ?? '', type: it.isContentEditable ? 'editor' : 'none', limit: -1 }
  return { value: String(it.value), type: it.type, limit: it.maxLength ?? -1 }
}
