// One pass over a page: `elements` can take an action of the kind, in document order; `reach` are those to act on, mostly
// the same; `frames` the iframes; `count` how many elements there are. `brief(keys)` tells little of each; `keep(places)`
// forgets the others, once, and tells all of these; null keeps them all. Given `wanted`, only that one, whatever it is.
// What lies in one of `scopes` is counted among its like in there, and `scoped` says which do. Writes nothing to the page.
(kind, wanted, scopes, makeRoles, makeNames, makeFits, makeWords, makeTelling) => {
  const SKIPPED = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'META', 'LINK', 'TITLE', 'BR', 'WBR', 'SOURCE', 'TRACK'])
  const POINTED = new Set(['A', 'BUTTON', 'INPUT', 'SELECT', 'TEXTAREA', 'SUMMARY', 'LABEL', 'OPTION'])
  const UNREAD = new Set(['SELECT', 'TEXTAREA', 'IFRAME', 'OBJECT', 'VIDEO', 'AUDIO', 'CANVAS', 'DATALIST'])
  const WORD = /[\p{L}\p{N}]/u
  const WHOLLY = { visibilityProperty: true, opacityProperty: true }
  const NOWHERE = [0, 0, 0, 0]
  const BLANKS = /\s+/g, UNSEEN = /[\u200b\u00ad]/g
  const CONTAINERS = new Set(('dialog alertdialog row listitem form group radiogroup table grid treegrid navigation main banner ' +
    'contentinfo complementary search region tabpanel article alert status menu toolbar treeitem').split(' '))
  const ITEMS = new Set(['listitem', 'treeitem', 'alert', 'status'])
  const ROWS = new Set(['row', 'listitem', 'treeitem', 'article', 'alert'])
  const HEADED = new Set(['dialog', 'alertdialog', 'form', 'region', 'article', 'tabpanel', 'listitem'])
  const LONGEST = 200, LONGEST_CONTAINER = 80, CONTAINERS_TOLD = 6
  const left = scrollX, top = scrollY
  const DIVES = wanted !== null || kind === 'check' || kind === 'upload'

  const records = new Map()
  const roots = [document]
  const roleOf = makeRoles()
  // Opacity does not hide from assistive technology, and what has no box of its own shows by its content.
  const isShown = record => record.shown ??= record.seen || record.element.checkVisibility({ visibilityProperty: true }) ||
    getComputedStyle(record.element).display === 'contents'
  const isInline = element => {
    const record = records.get(element)
    return record ? record.inline : getComputedStyle(element).display === 'inline'
  }
  const isHidden = element => {
    const record = records.get(element)
    if (record) return record.hidden || record.dark || !isShown(record)
    return element.tagName !== 'OPTION' || isHidden(element.closest('select') ?? document.head)
  }
  // The property `labels` looks through the whole document each time.
  const NO_LABELS = []
  let byControl = null
  const labelsOf = element => {
    if (byControl === null) {
      byControl = new Map()
      for (const label of roots.flatMap(root => [...root.querySelectorAll('label')])) {
        const control = label.control
        if (control) byControl.set(control, [...byControl.get(control) ?? NO_LABELS, label])
      }
    }
    return byControl.get(element) ?? NO_LABELS
  }
  const nameOf = makeNames(element => records.has(element) ? records.get(element).role : roleOf(element),
    isHidden, isInline, labelsOf)
  const words = makeWords()
  const { plain, quoted } = words
  const fits = makeFits(kind)
  const modals = [...document.querySelectorAll('dialog:modal')]
  const unmodal = modals.length > 0 && kind !== 'read'

  const pieces = []
  let length = 0, blank = true, page = ''
  const seenOf = new Map(), seenInScope = new Map()
  const likeOf = record => record.scoped ? seenInScope : seenOf
  const found = []
  const frames = []
  const headings = []
  let heading = null

  // The page's visible text is one string with its blanks collapsed; each record knows its part of it.
  const write = text => {
    const part = blank ? text.trimStart() : text
    if (!part) return
    pieces.push(part)
    length += part.length
    blank = part.endsWith(' ')
  }
  const space = () => { if (!blank) write(' ') }
  const isSeen = record => record.seen ??= !record.dark &&
    record.element.checkVisibility(WHOLLY)
  const between = (from, to, limit) => page.slice(from, Math.min(to, from + limit)).trim()
  const textOf = record => between(record.from, record.to, LONGEST)

  // Parts of the page's text as [from, to], without blanks at their ends.
  const part = (from, to) => {
    while (from < to && page.charCodeAt(from) === 32) from++
    while (to > from && page.charCodeAt(to - 1) === 32) to--
    return [from, to]
  }
  // In a row it is the row that tells one from the next.
  const rowOf = record => {
    for (let around = record.container; around; around = around.container)
      if (ROWS.has(around.kind)) return around !== record && around.to - around.from <= LONGEST ? around : null
    return null
  }
  const near = record => {
    for (let around = rowOf(record) ?? record.up, steps = 0; around && steps < 8; around = around.up, steps++) {
      if (around.to - around.from <= record.to - record.from) continue
      let [from, to] = part(Math.max(around.from, record.from - LONGEST), record.from)
      const [start, end] = part(record.to, Math.min(around.to, record.to + LONGEST))
      if (!WORD.test(page.slice(from, to)) && !WORD.test(page.slice(start, end))) continue
      const room = Math.max(LONGEST / 2, LONGEST - 1 - (end - start))
      if (to - from > room || from > around.from && from === record.from - LONGEST) {
        const blankAt = page.indexOf(' ', Math.max(from, to - room))
        from = blankAt >= 0 && blankAt < to ? blankAt + 1 : Math.max(from, to - room)
      }
      return [from, to, start, Math.min(end, start + LONGEST - (to - from) - 1)]
    }
    return NOWHERE
  }

  const cellText = row => {
    const cells = row.element.cells ?? row.element.querySelectorAll('[role=rowheader], [role=cell], [role=gridcell], [role=columnheader]')
    let first = ''
    for (const cell of cells) {
      const record = records.get(cell)
      const text = record ? between(record.from, record.to, LONGEST_CONTAINER) : ''
      if (text && record.role === 'rowheader') return text
      if (!first && WORD.test(text)) first = text
    }
    return first
  }
  const called = record => {
    if (record.kind === 'row') return cellText(record) || (record.first ? between(...record.first, LONGEST_CONTAINER) : '')
    const name = ITEMS.has(record.role) ? '' : nameOf(record.element, record.role)
    if (name) return name.slice(0, LONGEST_CONTAINER).trim()
    const first = HEADED.has(record.kind) && headings[record.headingsBefore]
    if (first && first.from >= record.from && first.to <= record.to) return between(first.from, first.to, LONGEST_CONTAINER)
    return ITEMS.has(record.kind) && record.first ? between(...record.first, LONGEST_CONTAINER) : ''
  }
  const containers = record => {
    if (record === null) return []
    if (!record.list) {
      const name = called(record)
      record.list = [name ? `${record.kind} ${quoted(name)}` : record.kind, ...containers(record.container)].slice(0, CONTAINERS_TOLD)
    }
    return record.list
  }

  const consider = record => {
    const { element, tag, role, bare } = record
    if (wanted !== null) {
      if (element === wanted) found.push(record)
      return
    }
    if (!fits) return
    const able = fits(element, tag, role, bare) || record.pointer && !record.up?.pointer && (record.tag !== 'A' || getComputedStyle(element).cursor === 'pointer')
    if (able) found.push(record)
  }

  const enter = (element, up, dark, name, number, shadow) => {
    const bare = !element.hasAttributes()
    const role = roleOf(element, bare)
    const record = {
      element, bare, tag: element.tagName, name, number, role, up, shadow, heading, dark,
      kind: null, container: up ? up.kind ? up : up.container : null, list: null, first: null, shown: null, headingsBefore: headings.length,
      inline: false, pointer: false, clear: true, slotted: false, seen: dark ? false : null, index: -1, from: length, to: length,
      off: up !== null && up.off || !bare && (element.ariaDisabled === 'true' || element.inert === true),
      hidden: up !== null && up.hidden || !bare && element.ariaHidden === 'true',
      modal: up !== null && up.modal || unmodal && modals.includes(element),
      scoped: up !== null && up.scoped || scopes.length > 0 && scopes.includes(element),
    }
    records.set(element, record)
    if (CONTAINERS.has(role) || record.tag === 'FORM') record.kind = role ?? 'form'
    if (dark) return record
    const style = getComputedStyle(element)
    const display = style.display
    if (display === 'none') {
      record.dark = true
      record.seen = false
      return record
    }
    record.inline = display === 'inline'
    record.clear = (up === null || up.clear) && style.opacity !== '0'
    record.slotted = up !== null && (up.slotted || shadow.length === up.shadow.length && up.element.shadowRoot !== null)
    if (!record.slotted) record.seen = record.clear && style.visibility === 'visible' && display !== 'contents'
    record.pointer = kind === 'click' && (up !== null && up.pointer || POINTED.has(record.tag) || style.cursor === 'pointer')
    const like = role ?? name
    if (isSeen(record)) {
      const seen = likeOf(record)
      record.index = seen.get(like) ?? 0
      seen.set(like, record.index + 1)
    }
    return record
  }

  const read = (node, record) => {
    const text = node.data.replace(UNSEEN, '').replace(BLANKS, ' ')
    if (!text) return
    if (text === ' ') return space()
    if (!isSeen(record)) return
    const from = length
    write(text)
    if (!WORD.test(text)) return
    for (let around = record; around && !around.first; around = around.container)
      if (around.kind) around.first = [from, length]
      else if (around.container?.first) break
  }

  const children = (parent, record, dark, shadow) => {
    const counts = {}
    const closed = record !== null && record.tag === 'DETAILS' && !record.element.open
    const unread = record === null || dark || closed || UNREAD.has(record.tag)
    for (let node = parent.firstChild; node; node = node.nextSibling) {
      const type = node.nodeType
      if (type === 3) {
        if (!unread) read(node, record)
      } else if (type === 1 && !SKIPPED.has(node.tagName)) {
        const name = node.localName
        const number = counts[name] = (counts[name] ?? 0) + 1
        walk(node, record, dark || closed && node.tagName !== 'SUMMARY', name, number, shadow)
      } else if (node.tagName === 'BR') space()
    }
  }

  const walk = (element, up, dark, name, number, shadow) => {
    const record = enter(element, up, dark, name, number, shadow)
    consider(record)
    if (record.dark && !DIVES) return
    const block = !record.inline && !record.dark
    if (block) space()
    record.from = length
    if (record.tag === 'IFRAME' || record.tag === 'FRAME') frames.push({ record, before: Object.fromEntries(seenOf) })
    const inner = record.dark || element.hidden === 'until-found'
    if (element.shadowRoot) {
      roots.push(element.shadowRoot)
      children(element.shadowRoot, record, inner, [...shadow, name])
    }
    children(element, record, inner, shadow)
    record.to = length
    if (block) space()
    if (record.role === 'heading' && record.to > record.from && isSeen(record)) {
      heading = record
      headings.push(record)
    }
  }

  const full = element => {
    const box = element.getBoundingClientRect()
    return box.width > 0 && box.height > 0 ? box : null
  }
  const ticks = record => record.tag === 'INPUT' && (record.element.type === 'checkbox' || record.element.type === 'radio')
  // The element to act on and its box: null when the element cannot be seen.
  const shown = record => {
    const { element } = record
    if (isSeen(record) || ticks(record) && !record.dark && element.checkVisibility({ visibilityProperty: true })) {
      const box = full(element)
      if (box && box.right + left > 0 && box.bottom + top > 0) return { reach: element, box }
    }
    if (kind === 'upload') return { reach: element, box: full(element) }
    if (kind !== 'check' || !ticks(record)) return null
    for (const label of labelsOf(element)) {
      const its = records.get(label)
      const box = its && isSeen(its) && full(label)
      if (box) return { reach: label, box }
    }
    return null
  }
  const enabled = record => kind === 'read' || !record.off && !(unmodal && !record.modal) && !record.element.matches(':disabled') &&
    !(record.tag === 'LABEL' && record.element.control?.disabled)

  const labelOf = record => {
    const { element } = record
    const labels = labelsOf(element)
    if (!labels.length) return ''
    return labels.map(label => {
      const its = records.get(label)
      if (!its || its.dark) return plain(label.textContent)
      const inside = record.from >= its.from && record.to <= its.to && label.contains(element)
      return inside ? `${between(its.from, record.from, LONGEST)} ${between(record.to, its.to, LONGEST)}`.trim() : between(its.from, its.to, LONGEST)
    }).join(' ').slice(0, LONGEST).trim()
  }
  children(document, null, false, [])
  page = pieces.join('')
  const taken = []
  for (const record of found) {
    if (record.element === wanted) taken.push({ record, reach: wanted, box: shown(record)?.box ?? full(wanted) })
    else if (enabled(record)) {
      const how = shown(record)
      if (how) taken.push({ record, ...how })
    }
  }
  const telling = makeTelling({ page, left, top, seenOf, likeOf, words, textOf, nameOf, labelOf, containers, near, part })
  const around = frames.map(({ record, before }) => {
    const [from, to, then, until] = near(record)
    return { before, heading: record.heading ? textOf(record.heading) : '', container: containers(record.container),
      near: `${page.slice(from, to)} ${page.slice(then, until)}`.trim(), path: record }
  })
  const result = {
    elements: taken.map(({ record }) => record.element),
    reach: taken.map(({ reach }) => reach),
    frames: frames.map(({ record }) => record.element),
    count: taken.length,
    brief: keys => telling.brief(taken, keys),
    keep: places => {
      const kept = places === null ? taken : places.map(place => taken[place])
      result.elements = kept.map(({ record }) => record.element)
      result.reach = kept.map(({ reach }) => reach)
      result.scoped = kept.flatMap(({ record }, place) => record.scoped ? [place] : [])
      result.brief = result.keep = null
      return telling.tell(kept, around, places !== null || wanted !== null)
    },
  }
  return result
}
