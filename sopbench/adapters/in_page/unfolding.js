// What opens the part of the page that this element is folded away in: a summary, or a control that says that it opens
// or controls that part. {role, name, path}; null where it is not folded away, or nothing says so.
element => {
  const shown = e => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length > 0
  if (shown(element)) return null
  const root = element.getRootNode()
  let folded = element
  while (folded.parentElement && !shown(folded.parentElement)) folded = folded.parentElement
  const about = folded.parentElement
  if (!about || folded.matches('dialog, [role=dialog], [role=alertdialog], template')) return null
  const first = found => [...found].find(e => e && shown(e))
  const id = folded.id && CSS.escape(folded.id)
  const naming = id ? root.querySelectorAll(
    `[aria-controls~="${id}"], [aria-owns~="${id}"], [popovertarget="${id}"], [data-bs-target="#${id}"], [data-target="#${id}"]`) : []
  const labelling = (folded.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean).map(each => root.getElementById?.(each))
  const isOpener = e => e.matches('[aria-haspopup]:not([aria-haspopup=false]), [aria-expanded=false]')
  const before = () => {
    let at = folded === element ? null : folded.previousElementSibling
    while (at && !shown(at)) at = at.previousElementSibling
    if (!at) return null
    return isOpener(at) ? at : first([...at.querySelectorAll('*')].reverse().filter(isOpener))
  }
  const summary = about.closest('details:not([open])')?.querySelector(':scope > summary')
  const opener = (summary && shown(summary) ? summary : null) ?? first(naming) ?? first(labelling.filter(e => e && isOpener(e))) ?? before()
  if (!opener) return null
  const path = []
  for (let at = opener; at instanceof Element; at = at.parentElement)
    path.unshift(`${at.tagName.toLowerCase()}:nth-child(${[...(at.parentNode?.children ?? [at])].indexOf(at) + 1})`)
  const role = opener.getAttribute('role') ?? { BUTTON: 'button', A: 'link' }[opener.tagName] ?? null
  const name = (opener.getAttribute('aria-label') || opener.innerText || opener.title || '').trim().replace(/\s+/g, ' ')
  return { role, name, path: root === document ? path.join(' > ') : null }
}
