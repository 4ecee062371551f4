// Which elements can take an action: gives (element, tag, role, bare) => whether it is of the kind; pointers are not
// asked here. `bare` are those without attributes.
kind => {
  const words = text => new Set(text.split(' '))
  const TYPED = words('text search email url tel password number date time datetime-local month week range color')
  const PRESSED = words('BUTTON INPUT SELECT TEXTAREA SUMMARY LABEL AREA OPTION')
  const PRESSED_ROLES = words('button link checkbox radio switch menuitem menuitemcheckbox menuitemradio option tab treeitem ' +
    'combobox textbox searchbox spinbutton slider')
  const CELLS = words('row cell gridcell columnheader rowheader listitem')
  const TYPED_ROLES = words('textbox searchbox combobox spinbutton')
  const TICKED_ROLES = words('checkbox radio switch menuitemcheckbox menuitemradio')
  const LISTS = words('listbox menu true tree dialog')
  const READ_ROLES = words('table grid treegrid row cell gridcell columnheader rowheader list listbox listitem heading ' +
    'status progressbar meter textbox searchbox combobox spinbutton slider definition term')
  const isCalled = element => ['alt', 'aria-label', 'aria-labelledby', 'title'].some(each => element.getAttribute(each))
  const edits = element => element.hasAttribute('contenteditable') && element.isContentEditable
  const saysItself = element => {
    for (let node = element.firstChild; node; node = node.nextSibling)
      if (node.nodeType === 3 && /\S/.test(node.data)) return true
    return false
  }
  const opens = (element, tag) => LISTS.has(element.getAttribute('aria-haspopup')) ||
    (tag === 'INPUT' || tag === 'BUTTON') && (element.hasAttribute('aria-expanded') || element.hasAttribute('aria-autocomplete') ||
      tag === 'INPUT' && (element.hasAttribute('list') || element.hasAttribute('aria-controls') || element.hasAttribute('aria-owns')))
  const isHiddenInput = (element, tag) => tag === 'INPUT' && element.type === 'hidden'

  return {
    click: (element, tag, role, bare) => !isHiddenInput(element, tag) && (PRESSED.has(tag) || PRESSED_ROLES.has(role) ||
      role === 'gridcell' || element.onclick || !bare && (CELLS.has(role) && element.hasAttribute('role') ||
        tag === 'A' && element.hasAttribute('href') || element.hasAttribute('tabindex') && element.tabIndex >= 0 || edits(element))),
    fill: (element, tag, role, bare) => tag === 'INPUT' ? TYPED.has(element.type)
      : tag !== 'SELECT' && (tag === 'TEXTAREA' || !bare && (TYPED_ROLES.has(role) || edits(element))),
    choose: (element, tag, role, bare) => !isHiddenInput(element, tag) &&
      (tag === 'SELECT' || !bare && (role === 'combobox' || role === 'listbox' || opens(element, tag))),
    check: (element, tag, role, bare) => TICKED_ROLES.has(role) || !bare && element.hasAttribute('aria-checked'),
    upload: (element, tag) => tag === 'INPUT' && element.type === 'file',
    read: (element, tag, role, bare) => !isHiddenInput(element, tag) && (READ_ROLES.has(role) || role === 'img' && isCalled(element) ||
      !bare && (element.id !== '' || element.hasAttribute('data-testid')) || saysItself(element)),
    none: () => false,
  }[kind]
}
