// What each of these elements is like now, and what a click on it would set going: see ElementState of ports/browser.py.
// Writes nothing to the page.
(found, numbers) => {
  const OPTIONS = 15, LONGEST = 80
  const short = text => text.replace(/\s+/g, ' ').trim().slice(0, LONGEST)
  const SEARCHES = /\b(search|find|filter|query|lookup)\b/i
  const origin = location.protocol === 'file:' ? 'file:' : self.origin
  const isOn = word => word === 'true' || word === 'mixed'
  const isSeen = element => element !== null && element.getClientRects().length > 0 &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const absolute = (address, fallback) => {
    try { return new URL(address, document.baseURI).href } catch { return fallback }
  }
  const linkOf = element => {
    const link = element.closest('a, area')
    return link !== null && (link.hasAttribute('href') || link.hasAttribute('xlink:href')) ? link : null
  }
  const submitterOf = element => {
    const button = element.closest('button, input')
    return button !== null && button.form && ['submit', 'image'].includes(button.type) ? button : null
  }
  const safely = (of, element) => {
    try { return of(element) } catch { return {} }
  }
  const formState = (form, submitter) => {
    const of = name => Element.prototype.getAttribute.call(form, name)  // a field may be called getAttribute
    const given = (its, name) => submitter?.getAttribute(its) ?? of(name)
    const fields = [...Element.prototype.querySelectorAll.call(form, 'input, textarea, select')].filter(each => each.type !== 'hidden')
    const says = ['role', 'id', 'class', 'name', 'aria-label', 'action'].map(name => of(name) ?? '').join(' ')
    const typed = fields.filter(each => each.matches('input') && ['text', 'search'].includes(each.type))
    const search = Element.prototype.closest.call(form, 'search, [role=search]') !== null ||
      fields.length > 0 && fields.length < 4 && typed.length === 1 && (typed[0].type === 'search' || SEARCHES.test(says) ||
        SEARCHES.test([typed[0].name, typed[0].placeholder, typed[0].getAttribute('aria-label')].join(' ')))
    return { method: (given('formmethod', 'method') ?? 'get').toLowerCase(), search,
      action: absolute(given('formaction', 'action') ?? location.href, '') }
  }
  const targetOf = element => element.getAttribute('target') ?? document.querySelector('base[target]')?.target ?? ''

  const stateOf = element => {
    if (!element?.isConnected) return {}
    const box = element.getBoundingClientRect()
    const told = { origin, in_sight: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth }
    const aria = name => element.getAttribute(`aria-${name}`)
    if (element.matches('input, textarea, select')) {
      if (element.type === 'password') told.secret = true
      else if (element.matches('select')) told.value = [...element.selectedOptions].map(each => short(each.label)).join(', ')
      else if (element.type === 'checkbox' || element.type === 'radio') told.checked = element.checked
      else if (!['button', 'submit', 'reset', 'image', 'file'].includes(element.type)) told.value = short(element.value)
    } else if (element.isContentEditable) told.value = short(element.innerText)
    if (element.matches('select')) told.options = [...element.options].slice(0, OPTIONS).map(each => short(each.label))
    if (told.checked === undefined && aria('checked') !== null) told.checked = isOn(aria('checked'))
    if (told.checked === undefined && aria('pressed') !== null) told.checked = isOn(aria('pressed'))
    if (aria('expanded') !== null) told.expanded = isOn(aria('expanded'))
    else if (element.matches('summary') && element.parentElement.matches('details')) told.expanded = element.parentElement.open
    if (aria('selected') !== null || aria('current') !== null) told.selected = isOn(aria('selected')) ||
      ![null, 'false'].includes(aria('current'))
    if (![null, 'false'].includes(aria('haspopup'))) told.opens = aria('haspopup') === 'true' ? 'menu' : aria('haspopup')
    else if (aria('controls')) told.opens = 'region'
    const link = linkOf(element)
    if (link !== null) {
      const href = link.getAttribute('href') ?? link.getAttribute('xlink:href')
      told.leads_to = absolute(href, href)
      if (!['', '_self', '_top', '_parent'].includes(targetOf(link))) told.new_window = true
      if (link.hasAttribute('download')) told.downloads = true
      if (link.hasAttribute('onclick') || href.trim() === '#') told.scripted = true
    }
    const submitter = submitterOf(element)
    if (submitter !== null) told.submits = true
    const form = submitter?.form ?? element.form ?? element.closest('form')
    if (form) told.form = formState(form, submitter)
    if (element.matches('label') && isSeen(element.control)) told.label_of = true
    return told
  }
  return numbers.map(number => safely(stateOf, found.reach[number]))
}
