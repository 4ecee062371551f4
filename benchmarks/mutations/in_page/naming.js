// Other words for the same thing.

mutations['rename'] = () => {
  const named = naming(element)
  if (!named) {
    element.setAttribute('aria-label', given.rename)
    return done(`nothing called it; now ${given.rename}`)
  }
  const { text: before } = named
  for (const name of ['title', 'aria-label', 'placeholder', 'alt'])
    if (clean(element.getAttribute(name)) === before) element.setAttribute(name, given.rename)
  naming(element).set(given.rename)
  return done(`${before} is ${nameOf(element)}`)
}

// The same name, shown another way: as a hint in the field, as an icon, with a star or a number.
mutations['relabel'] = () => {
  const named = naming(element)
  if (!named) return null
  const before = named.text
  const [label] = labelsOf(element)
  if (label && element.matches('input:not([type=checkbox], [type=radio]), textarea') && seeded() < 0.5) {
    for (const t of textNodes(label)) t.data = ''
    element.setAttribute('placeholder', before)
    return done(`label ${before} is a placeholder`)
  }
  if (element.matches('button, a, [role=button]') && textNodes(element, 'script').length && !element.getAttribute('aria-label') && seeded() < 0.5) {
    element.setAttribute('aria-label', before)
    for (const t of textNodes(element, 'script')) t.data = one(['★', '⋯', '✓', '➜'])
    return done(`${before} is an icon with a name`)
  }
  const after = one(element.matches('input, select, textarea') ? [`${before} *`, `${before} (required)`, `* ${before}`] : [`${before} (3)`, `${before} »`, `→ ${before}`])
  named.set(after)
  return done(`${before} is ${after}`)
}

mutations['translate'] = () => {
  const before = nameOf(element)
  const keys = Object.keys(given.words).sort((a, b) => b.length - a.length)
  const escaped = keys.map(key => key.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).map(key => (/^[\w']+$/.test(key) ? `\\b${key}\\b` : key))
  const any = new RegExp(escaped.join('|'), 'gi')
  const byKey = new Map(keys.map(key => [key.toLowerCase(), given.words[key]]))
  const translated = text => text.replace(any, found => {
    const to = byKey.get(found.toLowerCase()) ?? found
    return found[0] !== found[0].toLowerCase() ? to[0].toUpperCase() + to.slice(1) : to
  })
  const kept = 'option, [role=option], [role=combobox], textarea, script, style, [contenteditable]'
  for (const tree of roots()) {
    for (const t of textNodes(tree.body ?? tree, kept)) t.data = translated(t.data)
    for (const e of tree.querySelectorAll('*'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt', ...(e.matches('[type=submit], [type=button], [type=reset]') ? ['value'] : [])])
        if (e.hasAttribute(name)) e.setAttribute(name, translated(e.getAttribute(name)))
    if (tree.documentElement) {
      tree.documentElement.lang = given.language === 'en' ? 'de' : 'en'
      tree.documentElement.dir = 'ltr'
    }
  }
  const after = nameOf(element)
  return after === before ? null : done(`${before} is ${after}`)
}

// Another kind of tag with the same look and use; what listened to it still hears of it.
mutations['retag'] = () => {
  const name = nameOf(element)
  const checkable = element.matches('input[type=checkbox], input[type=radio]')
  const isText = element.matches('input:not([type]), input[type=text], input[type=search], input[type=email], input[type=tel], textarea')
  const [tag, attributes] = checkable
    ? ['span', { role: element.type, 'aria-checked': String(element.checked), tabindex: '0', 'aria-label': name }]
    : isText
      ? [element.matches('textarea') ? 'input' : 'textarea', { rows: '1' }]
      : element.matches('button:not([role]), [role=button]')
        ? one([['div', { role: 'button', tabindex: '0' }], ['a', { role: 'button', href: '#' }], ['button', { type: 'button' }]].filter(([to]) => to !== element.localName))
        : element.matches('input[type=submit], input[type=button]')
          ? ['button', { type: element.type }]
          : element.matches('a[href]')
            ? element.getAttribute('role') ? ['div', { role: element.getAttribute('role'), tabindex: '-1' }] : ['button', { type: 'button' }]
            : element.matches('button[role]')
              ? ['div', { role: element.getAttribute('role'), tabindex: '0' }]
              : [null, {}]
  if (!tag) return null
  const after = element.ownerDocument.createElement(tag)
  for (const { name: key, value } of element.attributes)
    if (!['type', 'role', 'href', 'value', 'checked', 'onclick'].includes(key) && !(checkable && key === 'name')) after.setAttribute(key, value)
  for (const [key, value] of Object.entries(attributes)) after.setAttribute(key, value)
  if (isText) after.value = element.value
  else if (element.localName === 'input' && !checkable) after.textContent = element.value
  else after.append(...element.childNodes)
  if (checkable) {
    after.style.cssText = 'display:inline-block;width:14px;height:14px;border:1px solid #555'
    after.addEventListener('click', () => after.setAttribute('aria-checked', String(element.type === 'radio' || after.getAttribute('aria-checked') !== 'true')))
  }
  const before = element.localName
  element.replaceWith(after)
  after.addEventListener('click', event => {
    if (after.localName === 'a') event.preventDefault()
    element.click()
  })
  return done(`${before} is ${tag}`, after)
}
