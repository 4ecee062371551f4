// The element that an action of a kind is about: a tick box that cannot be seen, for its label; else itself.
(element, kind) => {
  const control = kind === 'check' && element.localName === 'label' ? element.control : null
  if (!control || !['checkbox', 'radio'].includes(control.type)) return element
  const box = control.getBoundingClientRect()
  return box.width > 0 && box.height > 0 && control.checkVisibility({ visibilityProperty: true }) ? element : control
}
