// What beside a field would open its calendar: the nearest thing that can be clicked and speaks of a date; or null.
field => {
  const speaks = /calend|date|picker|kalender|datum|fecha|日|カレンダー/i
  const not = /today|now|heute|jetzt|aujourd|clear|reset|löschen/i
  const seen = element => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  let around = field.parentElement ?? field.getRootNode().host
  for (let level = 0; around && level < 4 && around !== document.body; level++, around = around.parentElement) {
    for (const element of around.querySelectorAll('button, a, [role=button], img, svg, [aria-haspopup], [onclick], label')) {
      if (element === field || element.contains(field) || element.tagName === 'LABEL' && element.control === field || !seen(element)) continue
      const says = [element.getAttribute('aria-label'), element.getAttribute('title'), element.getAttribute('alt'),
        element.getAttribute('class'), element.textContent,
        ...[...element.querySelectorAll('*')].map(each => `${each.getAttribute('class') ?? ''} ${each.getAttribute('title') ?? ''}`)].join(' ')
      if (speaks.test(says) && !not.test(element.textContent)) return element
    }
  }
  return null
}
