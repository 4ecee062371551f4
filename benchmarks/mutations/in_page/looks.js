// Another look, and what keeps a person from using it.

const refer = (tree, ids) => {
  for (const e of tree.querySelectorAll('[for], [aria-labelledby], [aria-controls], [aria-describedby], [list], [headers]'))
    for (const name of ['for', 'aria-labelledby', 'aria-controls', 'aria-describedby', 'list', 'headers'])
      if (e.hasAttribute(name)) e.setAttribute(name, e.getAttribute(name).split(' ').map(id => ids.get(id) ?? id).join(' '))
}
const renewed = (elements, classes, ids) => {
  for (const e of elements) {
    if (e.classList.length) e.setAttribute('class', [...e.classList].map(name => classes.get(name) ?? classes.set(name, hashed()).get(name)).join(' '))
    if (e.id) e.id = ids.set(e.id, hashed()).get(e.id)
  }
}

mutations['restyle.element'] = () => {
  const unit = unitOf(element)
  const ids = new Map()
  const had = element.className + element.id
  renewed([unit, ...unit.querySelectorAll('*')], new Map(), ids)
  refer(root, ids)
  element.style.cssText = `padding:${Math.floor(seeded() * 14)}px;border-radius:${Math.floor(seeded() * 12)}px;font-size:${12 + Math.floor(seeded() * 9)}px;background-color:hsl(${Math.floor(seeded() * 360)} 60% 85%);margin:${Math.floor(seeded() * 16)}px`
  return done(`classes, ids and style of it anew${had ? '' : ' (it had none)'}`)
}

// A new design: every class and id of the page is called anew, in the style sheets as well, with other letters and sizes.
mutations['restyle.page'] = () => {
  const classes = new Map()
  const ids = new Map()
  renewed(root.querySelectorAll('*'), classes, ids)
  refer(root, ids)
  const names = [...[...classes].map(([from, to]) => ['.' + CSS.escape(from), '.' + CSS.escape(to)]), ...[...ids].map(([from, to]) => ['#' + CSS.escape(from), '#' + CSS.escape(to)])]
  const byLength = names.sort((a, b) => b[0].length - a[0].length)
  const anew = selector => byLength.reduce((text, [from, to]) => text.replaceAll(new RegExp(from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + '(?![\\w-])', 'g'), () => to), selector)
  const redo = rules => {
    for (const rule of rules) {
      if (rule.selectorText) rule.selectorText = anew(rule.selectorText)
      if (rule.cssRules?.length) redo(rule.cssRules)
    }
  }
  for (const sheet of root.styleSheets) redo(sheet.cssRules)
  const theme = element.ownerDocument.createElement('style')
  theme.textContent = `*{font-family:${one(['Georgia, serif', 'Courier New, monospace', 'Verdana, sans-serif'])} !important} button, input, select, a, [role=button], label{padding:${Math.floor(seeded() * 10)}px;font-size:${12 + Math.floor(seeded() * 8)}px;border-radius:${Math.floor(seeded() * 14)}px;border-color:hsl(${Math.floor(seeded() * 360)} 70% 40%)} body, section, main{padding:${Math.floor(seeded() * 30)}px}`
  ;(root.head ?? root).append(theme)
  return done(`${classes.size} classes and ${ids.size} ids anew`)
}

const disable = () => {
  if ('disabled' in element && !element.matches('a')) {
    element.disabled = true
    return () => (element.disabled = false)
  }
  if (!element.matches('a[href], [role], summary')) return null
  element.setAttribute('aria-disabled', 'true')
  return () => element.removeAttribute('aria-disabled')
}
const LATER_MS = 1500

mutations['disable.for_good'] = () => disable() && { meant: element, said: 'disabled' }
mutations['disable.for_a_while'] = () => {
  const enable = disable()
  if (!enable) return null
  setTimeout(enable, LATER_MS)
  return { meant: element, said: `disabled for ${LATER_MS / 1000} s` }
}

const cover = () => {
  const veil = element.ownerDocument.createElement('div')
  veil.style.cssText = 'position:fixed;inset:0;z-index:2147483647;background:rgba(255,255,255,.7);display:flex;align-items:center;justify-content:center'
  veil.innerHTML = '<span>Loading…</span>'
  ;(element.closest('dialog[open]') ?? body).append(veil)
  return usable(element) ? null : veil
}

mutations['cover.for_good'] = () => cover() && { meant: element, said: 'covered' }
mutations['cover.for_a_while'] = () => {
  const veil = cover()
  if (!veil) return null
  setTimeout(() => veil.remove(), LATER_MS)
  return { meant: element, said: `covered for ${LATER_MS / 1000} s` }
}

mutations['none'] = () => ({ meant: element, said: 'nothing changed' })
