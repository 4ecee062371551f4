// Accessible names by the rules Playwright follows, without what CSS writes: gives element => name, '' for none.
// `roleOf` tells roles, `labelsOf` a field's labels; `hidden` and `inline` tell how an element was met on the page.
(roleOf, hidden, inline, labelsOf) => {
  const FROM_CONTENT = new Set(('button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio ' +
    'option radio row rowheader switch tab tooltip treeitem').split(' '))
  const CONTENT_INSIDE = new Set(['', ...('caption code contentinfo definition deletion emphasis insertion list listitem mark none ' +
    'paragraph presentation region row rowgroup section strong subscript superscript table term time').split(' ')])
  const NEVER = new Set(('caption code definition deletion emphasis generic insertion mark paragraph presentation strong subscript ' +
    'suggestion superscript term time').split(' '))
  const RANGES = new Set(['progressbar', 'scrollbar', 'slider', 'spinbutton', 'meter'])
  const FIELDS = new Set(['TEXTAREA', 'SELECT', 'INPUT', 'METER', 'PROGRESS'])
  const PLACEHOLDERS = new Set(['text', 'password', 'number', 'search', 'tel', 'email', 'url'])
  const IGNORED = new Set(['STYLE', 'SCRIPT', 'NOSCRIPT', 'TEMPLATE'])
  const SELF = { self: true }, INSIDE = { inside: true }, UNSEEN = { self: true, dark: true }
  const open = new Set()
  const known = new Map()

  const flat = text => text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim()
  const title = element => element.getAttribute('title') ?? ''
  const referenced = (element, attribute) => {
    const ids = element.getAttribute(attribute)
    if (!ids) return []
    const root = element.getRootNode()
    return [...new Set(ids.split(/\s+/).filter(Boolean).map(id => root.getElementById?.(id)).filter(Boolean))]
  }
  const fromLabels = element =>
    labelsOf(element).map(label => alternative(label, { label: true, dark: hidden(label) })).filter(Boolean).join(' ')
  const fromChild = (element, tag, how) => {
    const child = [...element.children].find(each => each.tagName.toUpperCase() === tag)
    return child && alternative(child, { ...how, self: false, inside: true, native: true, dark: hidden(child) })
  }
  const owned = (element, selector) => [element, ...referenced(element, 'aria-owns'), ...referenced(element, 'aria-controls')]
    .flatMap(each => [...each.querySelectorAll(selector)])
  const chosen = (element, role, how) => {
    if (element.tagName === 'SELECT') return [...element.selectedOptions].map(each => each.label).join(' ')
    const list = role === 'listbox' ? element : owned(element, '[role=listbox]')[0]
    const options = list ? owned(list, '[role=option][aria-selected=true i]') : []
    if (!options.length && element.tagName === 'INPUT') return element.value
    return options.map(each => alternative(each, how)).join(' ')
  }
  // What a field within a name says: undefined when it is no field.
  const fieldSays = (element, role, how) => {
    if (role === 'textbox' || role === 'searchbox') {
      if (element.type === 'password') return ''
      return element.matches('input, textarea') ? element.value : element.textContent
    }
    if (role === 'combobox' || role === 'listbox') return chosen(element, role, how)
    if (RANGES.has(role))
      return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? element.getAttribute('value') ?? ''
    return role === 'menu' ? '' : undefined
  }
  // What the tag gives it: undefined when the tag leaves that to the content.
  const native = (element, tag, how, referring) => {
    const labelled = labelsOf(element).length > 0
    if (tag === 'INPUT' && ['button', 'submit', 'reset'].includes(element.type))
      return flat(element.value) || { submit: 'Submit', reset: 'Reset' }[element.type] || title(element)
    if (tag === 'INPUT' && ['file', 'image'].includes(element.type)) {
      if (labelled && !how.reference) return fromLabels(element)
      return element.type === 'file' ? 'Choose File' : flat(element.alt) || title(element) || 'Submit'
    }
    if (!referring && tag === 'BUTTON' && labelled) return fromLabels(element)
    if (!referring && tag === 'OUTPUT') return labelled ? fromLabels(element) : title(element)
    if (!referring && FIELDS.has(tag)) {
      if (labelled) return fromLabels(element)
      const hints = tag === 'TEXTAREA' || tag === 'INPUT' && PLACEHOLDERS.has(element.type)
      return title(element) || (hints ? element.getAttribute('placeholder') ?? '' : '')
    }
    if (!referring && tag === 'FIELDSET') return fromChild(element, 'LEGEND', how) ?? title(element)
    if (!referring && tag === 'FIGURE') return fromChild(element, 'FIGCAPTION', how) ?? title(element)
    if (tag === 'IMG' || tag === 'AREA') return flat(element.alt) || title(element)
    if (tag === 'TABLE') return fromChild(element, 'CAPTION', how) ?? (element.getAttribute('summary') || undefined)
    if (tag === 'SVG' || element.ownerSVGElement) return fromChild(element, 'TITLE', { ...how, reference: true })
    return undefined
  }
  const content = (element, how) => {
    let text = ''
    const visit = (node, slotted) => {
      if (!slotted && node.assignedSlot) return
      if (node.nodeType === 3) {
        const unseen = !how.dark && (element.shadowRoot && node.parentNode === element && !slotted ||
          element.tagName === 'DETAILS' && !element.open)
        if (!unseen) text += node.data
      } else if (node.nodeType === 1) {
        const part = alternative(node, how)
        text += inline(node) && node.tagName !== 'BR' ? part : ` ${part} `
      }
    }
    const assigned = element.tagName === 'SLOT' ? element.assignedNodes() : []
    if (assigned.length) for (const node of assigned) visit(node, true)
    else {
      for (let node = element.firstChild; node; node = node.nextSibling) visit(node, false)
      for (let node = element.shadowRoot?.firstChild; node; node = node.nextSibling) visit(node, false)
      for (const node of referenced(element, 'aria-owns')) visit(node, false)
    }
    return text
  }
  const told = (element, how) => {
    if (IGNORED.has(element.tagName) || !how.dark && hidden(element)) return ''
    const labels = element.hasAttribute('aria-labelledby') ? referenced(element, 'aria-labelledby') : []
    if (!how.reference) {
      const name = labels.map(each => alternative(each, { reference: true, dark: hidden(each), of: element })).join(' ')
      if (name.trim()) return name
    }
    const role = roleOf(element) ?? ''
    if (how.label || how.reference || how.inside) {
      const says = labels.includes(element) ? undefined : fieldSays(element, role, how)
      if (says !== undefined) return says
    }
    const label = element.getAttribute('aria-label')
    if (label?.trim()) return label
    const nothing = role === 'presentation' || role === 'none'
    const tag = element.tagName === 'svg' ? 'SVG' : element.tagName
    if (!nothing) {
      const name = native(element, tag, how, labels.length > 0)
      if (name !== undefined) return name
    }
    if (FROM_CONTENT.has(role) || how.inside && CONTENT_INSIDE.has(role) || tag === 'SUMMARY' && !nothing ||
        how.reference || how.label || how.native) {
      const text = content(element, how.self ? how.dark ? { inside: true, dark: true } : INSIDE : how)
      if (how.self ? text.trim() : text) return text
    }
    return !nothing || tag === 'IFRAME' ? title(element) : ''
  }
  const alternative = (element, how) => {
    if (open.has(element) && how.of !== element) return ''
    if (how === INSIDE && known.has(element)) return known.get(element)
    const nested = open.has(element)
    open.add(element)
    const text = told(element, how)
    if (!nested) open.delete(element)
    if (how === INSIDE) known.set(element, text)
    return text
  }
  return (element, role) => NEVER.has(role) ? '' : flat(alternative(element, hidden(element) ? UNSEEN : SELF))
}
