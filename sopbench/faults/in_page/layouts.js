// Groups of controls are arranged otherwise. Each control stays the element that it was, and does what it did.

const TIED = 'tr, [role=row], [role=grid], [role=menu], [role=listbox], [role=tablist], [role=radiogroup], [contenteditable=true]'
const FILLED_IN = `${FIELDS}, select, [role=combobox], [role=checkbox], input[type=checkbox], input[type=radio]`

// [[group, its cells]]: parts of one element that each hold one control, all to press or all to fill in. More of them than
// MOST are a board of something, such as the days of a calendar, where the place says what is meant.
const [LEAST, MOST] = [3, 12]
const groups = () => {
  const found = new Map()
  for (const e of all().filter(isShown)) {
    let cell = e
    while (cell.parentElement && cell.parentElement !== body() && controlsIn(cell.parentElement).length === 1) cell = cell.parentElement
    const group = cell.parentElement
    if (!group || group === body() || group.closest(TIED)) continue
    found.set(group, [...(found.get(group) ?? []), { cell, e }])
  }
  const kinds = [each => each.e.matches(FILLED_IN), each => !each.e.matches(FILLED_IN)]
  return [...found].flatMap(([group, cells]) => kinds.map(kind => [group, cells.filter(kind)])).filter(([, { length }]) => length >= LEAST && length <= MOST)
}
const controlsIn = part => [...part.querySelectorAll(CONTROLS)].filter(e => !isPlanted(e) && isShown(e))

// A page's own scripts may take away, or put something before, what now stands elsewhere.
const elsewhere = new WeakSet()
const letThemFind = () => {
  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function (child) {
    return removeChild.call(elsewhere.has(child) && child.parentNode ? child.parentNode : this, child)
  }
  Node.prototype.insertBefore = function (made, next) {
    let at = next
    while (at && elsewhere.has(next) && at.parentNode !== this) at = at.parentNode
    return insertBefore.call(this, made, at)
  }
}

const arranged = {
  order: (group, cells) => {
    const places = cells.map(cell => {
      const place = document.createComment('')
      cell.replaceWith(place)
      return place
    })
    cells.reverse().forEach((cell, at) => places[at].replaceWith(cell))
    return 'in another order'
  },
  place: group => {
    let mover = group
    const others = () => [...(mover.parentElement?.children ?? [])].filter(other => other !== mover && isShown(other))
    for (let up = 0; up < 3 && !others().length && mover.parentElement && mover.parentElement !== body(); up++) mover = mover.parentElement
    const [first, last] = [others()[0], others().at(-1)]
    if (!first) return null
    first.compareDocumentPosition(mover) & Node.DOCUMENT_POSITION_FOLLOWING ? first.before(mover) : last.after(mover)
    elsewhere.add(mover)
    return 'at another place'
  },
  wrappers: (group, cells) => {
    const isList = group.matches('ul, ol, menu')
    const wrapped = (name, ...children) => {
      const made = document.createElement(name)
      made.style.display = 'contents'
      made.append(...children)
      return made
    }
    const list = wrapped('section')
    cells[0].before(list)
    list.append(...(isList ? cells : [wrapped('ul', ...cells.map(cell => wrapped('li', wrapped('div', cell))))]))
    return 'within other elements'
  },
  menu: (group, cells) => {
    const [, ...rest] = cells
    const menu = document.createElement('div')
    menu.style.cssText = 'position:fixed;z-index:2147483645;background:#fff;border:1px solid #999;padding:8px;flex-direction:column;gap:4px;display:none'
    menu.setAttribute('role', 'menu')
    const opener = plant('button', 'padding:4px 10px;font:16px sans-serif;flex:none', '⋮')
    opener.type = 'button'
    for (const [name, to] of [['aria-label', 'More'], ['title', 'More'], ['aria-haspopup', 'menu'], ['aria-expanded', 'false']]) opener.setAttribute(name, to)
    const show = is => {
      const { left, bottom } = opener.getBoundingClientRect()
      Object.assign(menu.style, { display: is ? 'flex' : 'none', left: `${Math.min(left, innerWidth - 200)}px`, top: `${bottom}px` })
      opener.setAttribute('aria-expanded', String(is))
    }
    opener.addEventListener('click', () => show(menu.style.display === 'none'))
    menu.addEventListener('click', () => show(false))
    window.addEventListener('mousedown', event => menu.contains(event.target) || opener.contains(event.target) || show(false), true)
    rest[0].before(opener, menu)
    menu.append(...rest)
    return 'behind a menu'
  },
}

faults.other_layout = () => {
  const known = new WeakSet()
  const look = () => {
    if (!state.open) return
    for (const [group, cells] of groups()) {
      if (!cells.every(({ e, cell }) => !known.has(e) && cell.isConnected)) continue
      for (const { e } of cells) known.add(e)
      const key = `group ${cells.map(({ e }) => says(e)).join()}`
      const [first, last] = [says(cells[0].e), says(cells.at(-1).e)]
      const able = given.arrangements.filter(each => each !== 'menu' || !cells[0].e.matches(FILLED_IN))
      if (!able.length || !due(key)) continue
      for (const { cell } of cells) elsewhere.add(cell)
      const said = arranged[oneOf(`arranged ${key}`, able)](group, cells.map(({ cell }) => cell))
      if (said) strike(`${cells.length} controls from ${first} to ${last} stand ${said}`)
    }
  }
  const start = () => {
    letThemFind()
    state.opened = look
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributeFilter: ['hidden', 'style', 'class'] })
    look()
  }
  document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', start, { once: true }) : start()
}
