// Another place: moved, doubled, wrapped, gone.

const owned = element.matches(OWNED)

const destinations = () => {
  const row = rowOf(element)
  const parts = partsOf(element)
  const parent = parts.at(-1).parentElement
  const scope = row ?? dialog ?? body
  const fits = place =>
    place !== parent && !place.closest(NO_PLACE) && isShown(place) && !parts.some(part => part.contains(place)) &&
    (dialog || !place.closest('dialog, [role=dialog]')) && (row || !repeated(place)) && (place.childElementCount > 0 || place.matches('td')) &&
    getComputedStyle(place).position !== 'fixed'
  const places = [...scope.querySelectorAll('div, main, header, footer, nav, aside, section, form, fieldset, article, td, span')].filter(fits)
  if (scope.matches?.('div, article, section, form, li, body') && scope !== parent) places.push(scope)
  const around = places.filter(place => place.contains(parent))
  return [...shuffled(places.filter(place => !around.includes(place))), ...shuffled(around)]
}

mutations['move.place'] = () => {
  if (owned) return null
  const parts = partsOf(element)
  const marks = parts.map(part => { const mark = element.ownerDocument.createComment(''); part.before(mark); return mark })
  const back = () => parts.forEach((part, i) => marks[i].after(part))
  for (const place of destinations()) {
    seeded() < 0.5 ? place.prepend(...parts) : place.append(...parts)
    if (usable(element)) {
      marks.forEach(mark => mark.remove())
      return done(`moved into ${place.localName}${place.className ? '.' + place.className : ''}`)
    }
    back()
  }
  return null
}

mutations['move.order'] = () => {
  const row = rowOf(element)
  let mover = row ?? element.closest('li, [role=tab], [role=treeitem]') ?? unitOf(element)
  const othersOf = node => [...(node.parentElement ?? root).children].filter(o => o !== node && !o.matches('script, style, head') && isShown(o) && (!row || o.tagName === node.tagName))
  for (let i = 0; i < 2 && !othersOf(mover).length && mover.parentElement !== body && mover.parentElement; i++) mover = mover.parentElement
  for (const other of shuffled(othersOf(mover))) {
    const next = mover.nextSibling, parent = mover.parentNode
    other.compareDocumentPosition(mover) & Node.DOCUMENT_POSITION_FOLLOWING ? other.before(mover) : other.after(mover)
    if (usable(element)) return done(`${mover.localName} changed places`)
    parent.insertBefore(mover, next)
  }
  return null
}

const doubled = () => {
  const row = rowOf(element)
  const whole = row ?? (owned ? element.closest('li') ?? element : unitOf(element))
  const [copy] = copyOf(whole, element)
  if (copy.matches('tr, td, th')) {
    const table = element.ownerDocument.createElement('table')
    table.createTBody().append(copy)
    return table
  }
  if (copy.matches('li')) {
    const list = element.ownerDocument.createElement('ul')
    const around = whole.parentElement.getAttribute('role')
    if (around) list.setAttribute('role', around)
    list.style.display = 'block'
    list.append(copy)
    return list
  }
  return copy
}
const holder = html => {
  const holding = element.ownerDocument.createElement('div')
  holding.innerHTML = html
  return holding.firstElementChild
}

mutations['duplicate.elsewhere'] = () => {
  const place = holder(one(['<aside aria-label="Quick access"></aside>', '<section aria-label="Recently used"><h2>Recently used</h2></section>', '<div role="toolbar" aria-label="Shortcuts"></div>']))
  place.style.cssText = 'position:static;display:block;padding:6px'
  place.append(doubled())
  const host = dialog?.matches('dialog') ? dialog.firstElementChild ?? dialog : dialog ?? body
  seeded() < 0.5 ? host.prepend(place) : host.append(place)
  return done(`a copy in ${place.getAttribute('aria-label')}`)
}

mutations['duplicate.hidden'] = () => {
  const [how, css] = one([['not displayed', 'display:none'], ['invisible', 'visibility:hidden;position:absolute'], ['off the screen', 'position:fixed;top:0;left:0;width:260px;transform:translateX(-400px)']])
  const place = holder('<aside class="offcanvas" aria-label="Menu"></aside>')
  place.style.cssText = css
  place.append(doubled())
  const host = dialog ?? body
  seeded() < 0.5 ? host.prepend(place) : host.append(place)
  return done(`a copy that is ${how}`)
}

mutations['duplicate.beside'] = () => {
  if (element.matches('summary')) return null
  const whole = owned ? element.closest('li') ?? element : unitOf(element)
  whole.after(copyOf(whole, element)[0])
  return done('a copy right beside it')
}

const wrapIn = outer => {
  const unit = unitOf(element)
  if (element.matches('summary') || unit.matches('li, tr, td, th')) return null
  unit.before(outer)
  let inner = outer
  while (inner.lastElementChild) inner = inner.lastElementChild
  return [inner, unit]
}

mutations['wrap.divs'] = () => {
  const names = [hashed(), hashed(), hashed()]
  const found = wrapIn(holder(`<div class="${names[0]}"><div class="${names[1]}"><div class="${names[2]}"></div></div></div>`))
  if (!found) return null
  found[0].append(found[1])
  return done('in three more divs')
}

mutations['wrap.group'] = () => {
  const found = wrapIn(holder(one(['<div role="group" aria-label="Options"></div>', '<section aria-label="Details"></section>', '<fieldset aria-label="More"></fieldset>'])))
  if (!found) return null
  found[0].append(found[1])
  return done(`in ${found[0].getAttribute('aria-label')}`)
}

// Into a document or a shadow root of its own, with its label and its looks.
const alone = owned || element.matches('[role=combobox]:not(select, input)') || element.closest('[role=menu], [role=tree]')

mutations['wrap.frame'] = () => {
  if (alone) return null
  const parts = partsOf(element)
  const box = unitOf(element).getBoundingClientRect()
  const frame = holder(`<iframe title="${one(['Content', 'Widget', 'App'])}" style="border:0;width:${Math.max(box.width + 60, 200)}px;height:${box.height + 70}px"></iframe>`)
  const css = styles()
  parts.at(-1).before(frame)
  const inside = frame.contentDocument
  if (!inside?.body) return null
  inside.head.append(Object.assign(inside.createElement('style'), { textContent: `${css}\nbody{display:block;min-height:0;background:none;margin:8px}` }))
  inside.body.append(...parts)
  return done('in a frame of its own')
}

mutations['wrap.shadow'] = () => {
  if (alone) return null
  const parts = partsOf(element)
  const host = element.ownerDocument.createElement(one(['x-panel', 'app-field', 'ui-box']))
  const css = styles()
  parts.at(-1).before(host)
  const shadow = host.attachShadow({ mode: 'open' })
  shadow.append(Object.assign(element.ownerDocument.createElement('style'), { textContent: css }), ...parts)
  host.style.display = 'block'
  return done(`in the shadow root of ${host.localName}`)
}

mutations['remove.alone'] = () => {
  const whole = owned ? element.closest('li') ?? element : unitOf(element)
  for (const part of owned ? [whole] : partsOf(element)) part.remove()
  return { meant: null, said: 'removed' }
}

mutations['remove.row'] = () => {
  const row = rowOf(element)
  if (!row) return null
  row.remove()
  return { meant: null, said: `its ${row.localName} is removed` }
}

// Something that sounds alike, beside it, with ids, fields and addresses of its own.
mutations['lookalike'] = () => {
  if (element.matches('summary')) return null
  const whole = owned ? element.closest('li') ?? element : unitOf(element)
  const [copy, twin] = copyOf(whole, element)
  for (const o of [copy, ...copy.querySelectorAll('*')]) {
    o.removeAttribute('data-testid')
    if (o.name && o.type !== 'radio') o.name += '_2'
    if (o.matches('a[href]')) o.setAttribute('href', `${o.getAttribute('href')}-2`)
  }
  whole.after(copy)
  for (const name of ['title', 'placeholder']) if (twin.hasAttribute(name) && twin.matches('input, button, a, select, textarea')) twin.setAttribute(name, given.lookalike)
  const named = naming(twin)
  if (named && copy.contains(named.node)) named.set(given.lookalike)
  else {
    twin.removeAttribute('aria-labelledby')
    twin.setAttribute('aria-label', given.lookalike)
  }
  return done(`${given.lookalike} beside it`)
}
