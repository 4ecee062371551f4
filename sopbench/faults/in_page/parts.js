// What the faults of pages share. All of it runs in one function per fault and document; `given` holds its settings.

const clean = text => (text ?? '').replace(/\s+/g, ' ').trim()

// A number from 0 to 1 for a key, the same whenever the seed is the same.
const drawn = key => {
  let [a, b] = [0xdeadbeef ^ given.seed, 0x41c6ce57 ^ given.seed]
  for (const character of key) {
    const code = character.codePointAt(0)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return ((b >>> 0) * 2097152 + (a >>> 11)) / 9007199254740992
}
const oneOf = (key, list) => list[Math.floor(drawn(key) * list.length)]

const BUTTONS = 'button, input[type=submit], input[type=button], [role=button]'
const FIELDS =
  'input:not([type=hidden], [type=checkbox], [type=radio], [type=submit], [type=button], [type=file]), textarea, [contenteditable=true], [role=textbox]'
const CONTROLS = `${BUTTONS}, ${FIELDS}, select, a[href], summary, [role=link], [role=tab], [role=checkbox], [role=combobox], [role^=menuitem]`
const KINDS = { button: BUTTONS, field: FIELDS, control: CONTROLS }

const roleOf = e =>
  e.getAttribute('role') ??
  ({ a: 'link', button: 'button', select: 'combobox', summary: 'button', textarea: 'textbox' })[e.localName] ??
  (e.matches(BUTTONS) ? 'button' : e.matches('[type=checkbox], [type=radio]') ? e.type : 'textbox')

// How an element is called, and by what: {text, set(to)}; null when nothing calls it.
const naming = e => {
  const byAttribute = name => ({ text: clean(e.getAttribute(name)), set: to => e.setAttribute(name, to) })
  const byText = node => {
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT, text =>
      clean(text.data) && !text.parentElement.closest('script, style, select, input, textarea') ? 1 : 2)
    const texts = []
    while (walker.nextNode()) texts.push(walker.currentNode)
    if (!texts.length) return null
    const longest = texts.reduce((best, text) => (clean(text.data).length > clean(best.data).length ? text : best))
    return { text: clean(texts.map(text => text.data).join(' ')), set: to => (longest.data = longest.data.replace(/\S[\s\S]*\S|\S/, () => to)) }
  }
  const referred = (e.getAttribute('aria-labelledby') ?? '').split(' ').map(id => id && document.getElementById(id)).find(Boolean)
  if (referred) return byText(referred)
  if (e.getAttribute('aria-label')) return byAttribute('aria-label')
  const label = [...(e.labels ?? [])].find(each => clean(each.textContent))
  if (label) return byText(label)
  if (e.matches('input[type=submit], input[type=button]')) return byAttribute('value')
  if (!e.matches(`${FIELDS}, select`)) {
    const own = byText(e)
    if (own) return own
  }
  for (const name of ['title', 'placeholder']) if (e.getAttribute(name)) return byAttribute(name)
  return null
}
const nameOf = e => naming(e)?.text ?? ''
const says = e => `${roleOf(e)} '${nameOf(e).slice(0, 60)}'`

const isShown = e => e.isConnected && e.getClientRects().length > 0 && (e.checkVisibility?.({ visibilityProperty: true, opacityProperty: true }) ?? true)
const fits = e =>
  !isPlanted(e) && (!given.role || roleOf(e) === given.role) &&
  (!given.label || nameOf(e).toLowerCase().includes(given.label.toLowerCase()))
const all = () => [...document.querySelectorAll(KINDS[given.kind] ?? CONTROLS)].filter(fits)

// What faults put into the page: no target of any fault. Nothing on the elements themselves tells it.
const PLANTED = Symbol.for('planted')
if (!window[PLANTED]) Object.defineProperty(window, PLANTED, { value: new WeakSet() })
const planted = window[PLANTED]
const isPlanted = e => {
  for (let at = e; at; at = at.parentElement) if (planted.has(at)) return true
  return false
}
const plant = (name, css, ...children) => {
  const made = document.createElement(name)
  planted.add(made)
  made.style.cssText = css
  made.append(...children)
  return made
}
const body = () => document.body ?? document.documentElement
const later = (ms, work) => ms !== null && setTimeout(work, ms)

const here = () => !given.hosts.length || given.hosts.some(pattern => new RegExp(`^${pattern.split('*').map(RegExp.escape ?? (t => t.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))).join('.*')}$`).test(location.hostname))

// When it may strike, and telling that it did.
const state = { open: given.open, done: false, act: () => null, opened: () => {} }
const tell = what => window[given.channel]?.(what)
const strike = what => {
  state.done = true
  tell(`${what} on ${location.host}${location.pathname}`)
}
const mayStrike = () => state.open && !(given.once && state.done)
const due = key => mayStrike() && drawn(key) < given.probability

// Every element that appears under a name, once for each name that it has had; equal names are struck alike.
const each = change => {
  const known = new WeakMap()
  const look = () => {
    if (!state.open) return
    for (const e of all()) {
      const name = nameOf(e)
      if (!name || known.get(e) === name) continue
      known.set(e, name)
      if (!due(`${roleOf(e)} ${name}`)) continue
      const said = change(e, name)
      known.set(e, nameOf(e))
      if (said) strike(said)
    }
  }
  state.opened = look
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true, attributeFilter: ['aria-label', 'placeholder', 'title', 'value', 'hidden', 'role'] })
  look()
}

// Looks again at each part of the page that changes: what comes, what is said anew, and these attributes.
const whatChanges = (look, attributes) =>
  new MutationObserver(changes => {
    for (const { type, target, addedNodes } of changes)
      for (const node of type === 'childList' ? addedNodes : [target]) {
        const root = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement
        if (root?.isConnected) look(root)
      }
  }).observe(document, { childList: true, subtree: true, characterData: true, attributeFilter: attributes })

// The nth time something happens to an element under this name, in whichever page of the site.
const counts = new Map()
const nth = key => {
  const name = `${given.channel} ${key}`
  const count = 1 + (Number(stored(storage => storage.getItem(name))) || counts.get(name) || 0)
  counts.set(name, count)
  stored(storage => storage.setItem(name, count))
  return `${key} ${count}`
}
// A page of no site has no storage.
const stored = use => {
  try {
    return use(localStorage)
  } catch {
    return null
  }
}

const faults = {}
