// What the mutations share. All of it runs in the page, inside one function: `element` is the meant one, `given` the settings.

const seeded = (state => () => {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
})(given.seed)
const one = list => list[Math.floor(seeded() * list.length)]
const shuffled = list => list.map(item => [seeded(), item]).sort((a, b) => a[0] - b[0]).map(pair => pair[1])
const hashed = () => one(['css-', '_', 'sc-', 'x']) + Math.floor(seeded() * 2 ** 40).toString(36)

const CONTROLS =
  'button, input:not([type=hidden]), select, textarea, a[href], summary, [contenteditable=true], [role=button], [role=link], ' +
  '[role=tab], [role=switch], [role=checkbox], [role=radio], [role=combobox], [role=textbox], [role^=menuitem], [role=treeitem]'
const HOLDERS =
  'body, main, header, footer, nav, aside, section, article, form, fieldset, table, thead, tbody, tr, td, th, ul, ol, li, dl, dd, ' +
  'menu, details, dialog, [role=dialog], [role=row], [role=grid], [role=tablist], [role=radiogroup], [role=toolbar], [role=tree]'
const NO_PLACE =
  'button, a, label, select, summary, p, h1, h2, h3, h4, script, style, iframe, [contenteditable], ' +
  '[role=button], [role=combobox], [role=listbox], [role=menu], [role=menubar], [role=tablist], [role=tree], [role=grid], ' +
  '[role=radiogroup], [role=status], [aria-live], output'
const OWNED = '[role=tab], [role^=menuitem], [role=gridcell], [role=treeitem], [role=option], [role=treeitem] *, summary, span[role=radio]'

const root = element.getRootNode()
const body = root.body ?? root
const dialog = element.closest('dialog, [role=dialog]')

const clean = text => (text ?? '').replace(/\s+/g, ' ').trim()

const textNodes = (node, skip = 'button, input, select, textarea, option, script, style') => {
  const found = []
  const walk = at => {
    if (at.nodeType === Node.TEXT_NODE) {
      if (clean(at.data)) found.push(at)
    } else if (at === node || !at.matches?.(skip)) for (const child of at.childNodes) walk(child)
  }
  walk(node)
  return found
}

const labelsOf = e => [...(e.labels ?? [])]

// How the element is called, and by what: {text, node, set(to)}; null when nothing calls it.
const naming = e => {
  const textOf = node => ({
    text: clean(textNodes(node).map(t => t.data).join(' ')),
    node,
    set: to => {
      const nodes = textNodes(node)
      const main = nodes.reduce((best, t) => (clean(t.data).length > clean(best.data).length ? t : best), nodes[0])
      main.data = main.data.replace(/\S[\s\S]*\S|\S/, () => to)
    },
  })
  const attribute = name => ({ text: clean(e.getAttribute(name)), node: e, set: to => e.setAttribute(name, to) })
  const referred = (e.getAttribute('aria-labelledby') ?? '').split(' ').map(id => root.getElementById?.(id)).find(Boolean)
  if (referred) return textOf(referred)
  if (e.getAttribute('aria-label')) return attribute('aria-label')
  const label = labelsOf(e).find(l => textNodes(l).length)
  if (label) return textOf(label)
  if (e.matches('input[type=submit], input[type=button], input[type=reset]')) return attribute('value')
  if (!e.matches('input, select, textarea, [contenteditable]') && textNodes(e, 'script, style').length) return textOf(e)
  const picture = e.querySelector('img[alt]')
  if (picture) return { text: picture.alt, node: picture, set: to => (picture.alt = to) }
  if (e.getAttribute('title')) return attribute('title')
  if (e.getAttribute('placeholder')) return attribute('placeholder')
  const cell = e.closest('td')?.previousElementSibling
  if (cell && textNodes(cell).length && !cell.querySelector(CONTROLS)) return textOf(cell)
  return null
}
const nameOf = e => naming(e)?.text ?? ''

// The smallest part of the page that is this control alone, with what belongs to it.
const unitOf = e => {
  let unit = e.closest('label') ?? e
  const row = rowOf(e)
  for (let up = unit.parentElement; up && !up.matches(HOLDERS); up = up.parentElement) {
    if (up === row || up.shadowRoot || up.querySelectorAll(CONTROLS).length > 1) break
    unit = up
  }
  return unit
}
const partsOf = e => {
  const unit = unitOf(e)
  return [...labelsOf(e).filter(label => !unit.contains(label) && !label.querySelector(CONTROLS)), unit]
}

// The row, card or line it is in: there are others like it, each with a control called like this one.
const rowOf = e => {
  const name = nameOf(e)
  for (let up = e.parentElement; up && up !== body; up = up.parentElement) {
    const like = [...(up.parentElement ?? root).children].filter(o => o !== up && o.tagName === up.tagName)
    const twin = other => [...other.querySelectorAll(e.tagName)].some(o => nameOf(o) === name)
    if (like.some(twin)) return up
  }
  return null
}
const repeated = node => {
  for (let up = node; up && up !== body; up = up.parentElement) {
    const like = [...(up.parentElement ?? root).children].filter(o => o !== up && o.tagName === up.tagName && o.className === up.className)
    if (like.length && (up.className || up.matches('tr, li, article'))) return up
  }
  return null
}

const isShown = e => {
  const box = e.getBoundingClientRect()
  return box.width > 0 && box.height > 0 && getComputedStyle(e).visibility === 'visible'
}
// Whether a person could use it where it is now.
const usable = e => {
  if (!e.isConnected || !isShown(e)) return false
  e.scrollIntoView({ block: 'center', behavior: 'instant' })
  const box = e.getBoundingClientRect()
  const hit = e.getRootNode().elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  e.ownerDocument.defaultView.scrollTo(0, 0)
  return Boolean(hit) && (e.contains(hit) || labelsOf(e).some(label => label.contains(hit)))
}

// A copy as the same product would show it in a second place: its ids are its own.
const copyOf = (node, e) => {
  const copy = node.cloneNode(true)
  const all = tree => [tree, ...tree.querySelectorAll('*')]
  const ids = new Map(all(copy).filter(o => o.id).map(o => [o.id, `${o.id}-2`]))
  for (const o of all(copy)) {
    if (ids.has(o.id)) o.id = ids.get(o.id)
    for (const name of ['for', 'aria-labelledby', 'aria-controls', 'aria-describedby'])
      if (ids.has(o.getAttribute(name))) o.setAttribute(name, ids.get(o.getAttribute(name)))
    if (o.matches('input[type=radio]')) o.name += '-2'
  }
  return [copy, all(copy)[all(node).indexOf(e)]]
}

const styles = () => [...root.styleSheets, ...(root.adoptedStyleSheets ?? [])].flatMap(s => [...s.cssRules]).map(r => r.cssText).join('\n')

// All documents and open shadow roots of the page.
const roots = (top = element.ownerDocument.defaultView.top.document) => {
  const found = [top]
  for (const e of top.querySelectorAll('*')) {
    if (e.shadowRoot) found.push(...roots(e.shadowRoot))
    if (e.matches('iframe') && e.contentDocument) found.push(...roots(e.contentDocument))
  }
  return found
}
const done = (said, meant = element) => (usable(meant) ? { meant, said } : null)
const mutations = {}
