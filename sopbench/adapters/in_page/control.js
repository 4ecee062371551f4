// What kind of control an element is, for choosing from it.
element => {
  const it = element.tagName === 'LABEL' && element.control ? element.control : element
  const role = it.getAttribute('role') ?? ''
  const opens = it.getAttribute('aria-haspopup') ?? ''
  const text = it.matches('input, textarea')
  return {
    native: it.tagName === 'SELECT',
    several: Boolean(it.multiple),
    text,
    listbox: role === 'listbox',
    offers: role === 'combobox' || role === 'listbox' || ['listbox', 'menu', 'true', 'tree', 'dialog'].includes(opens) ||
      it.hasAttribute('list') || it.hasAttribute('aria-expanded') || it.hasAttribute('aria-controls') ||
      it.hasAttribute('aria-owns') || it.hasAttribute('aria-autocomplete'),
    tag: it.tagName.toLowerCase() + (it.type && text ? `[type=${it.type}]` : ''),
    says: text ? it.value : it.innerText,
  }
}
