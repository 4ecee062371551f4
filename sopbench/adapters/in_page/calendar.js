// The calendars that show in the field's document: where the days stand, which month it is, and what turns it.
//
// A calendar is the smallest part of the page in which the days 1 to 28 stand one after another, each in an element of
// its own. ``known`` is what this function gave before. Gives an array of {box, days, year, month, …} of live elements.
(field, [months, known]) => {
  const seen = element => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
    element.getClientRects().length > 0
  const parent = element => element.parentElement ?? element.getRootNode().host ?? null
  const deep = function* (root) {
    for (const element of root.querySelectorAll('*')) {
      yield element
      if (element.shadowRoot) yield* deep(element.shadowRoot)
    }
  }
  const all = [...deep(document)]
  const within = (box, element) => {
    for (let at = element; at; at = parent(at)) if (at === box) return true
    return false
  }
  const holdsWeek = element => element.tagName === 'TH' || element.getAttribute('role') === 'rowheader' ||
    /(^|[-_ ])(week-?num|weeknumber|calweek|cw)/i.test(element.className)
  const dayOf = element => {
    if (['SCRIPT', 'STYLE', 'OPTION', 'TH'].includes(element.tagName)) return 0
    const own = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.data).join('').trim()
    return /^(0?[1-9]|[12]\d|3[01])(日|\.)?$/.test(own) ? parseInt(own) : 0
  }
  const cells = all.map(element => ({ element, day: dayOf(element) }))
    .filter(({ element, day }) => day && seen(element) && !holdsWeek(element) && !(parent(element) && holdsWeek(parent(element))))

  const runs = []
  for (let start = 0; start < cells.length; start++) {
    if (cells[start].day !== 1) continue
    const run = [cells[start]]
    let at = start + 1
    for (; at < cells.length && run.length < 31; at++) {
      if (cells[at].day === run.length + 1) run.push(cells[at])
      else if (cells[at].day === 1 && run.length >= 28) break
    }
    if (run.length < 28) continue
    let box = parent(run[0].element)
    while (box && !run.every(({ element }) => within(box, element))) box = parent(box)
    if (!box || box === document.body || box === document.documentElement) continue
    if (runs.some(other => other.box === box)) continue
    runs.push({ box, days: run.map(({ element }) => element) })
    start = at - 1
  }

  const named = text => {
    const plain = text.toLocaleLowerCase()
    const words = plain.match(/[\p{L}\p{M}]+|\d+/gu) ?? []
    const found = []
    words.forEach((word, at) => {
      const month = months.findIndex(names => names.includes(word))
      if (month < 0) return
      const year = words.slice(at + 1).find(each => /^\d{4}$/.test(each)) ?? words.findLast(each => /^\d{4}$/.test(each))
      if (year) found.push({ month: month + 1, year: +year })
    })
    if (found.length) return found
    const figures = plain.match(/\b(\d{4})\s*[年년./-]\s*(\d{1,2})\b/) ?? null
    if (figures && +figures[2] >= 1 && +figures[2] <= 12) return [{ year: +figures[1], month: +figures[2] }]
    const turned = plain.match(/(?:^|\s)(\d{1,2})\s*[./-]\s*(\d{4})\b/)
    return turned && +turned[1] >= 1 && +turned[1] <= 12 ? [{ month: +turned[1], year: +turned[2] }] : []
  }
  const isMonth = text => months.findIndex(names => names.includes(text.trim().toLocaleLowerCase().replace(/\.$/, '')))
  const selects = box => {
    const found = {}
    for (const select of all.filter(each => each.tagName === 'SELECT' && each.checkVisibility({ visibilityProperty: true }) && within(box, each))) {
      const labels = [...select.options].map(option => option.label.trim())
      if (labels.length && labels.every(label => isMonth(label) >= 0)) found.month = select
      else if (labels.length && labels.every(label => /^\d{4}年?$/.test(label))) found.year = select
      if (found.month === select) found.months = labels.map(label => isMonth(label) + 1)
      if (found.year === select) found.years = labels.map(label => parseInt(label))
    }
    return found
  }
  const texts = (box, run) => {
    const parts = []
    const visit = node => {
      if (node.nodeType === 3) return void parts.push(node.data)
      if (node.nodeType !== 1 || runs.some(other => other.box === node) || run.days.includes(node)) return
      if (['SCRIPT', 'STYLE', 'OPTION'].includes(node.tagName) || !seen(node) && node.tagName !== 'SLOT') return
      if (node.tagName === 'SELECT') return void parts.push(' ', node.selectedOptions[0]?.label ?? '', ' ')
      if (node.tagName === 'INPUT') return void (node !== field && /^\d{4}$/.test(node.value) && parts.push(' ', node.value, ' '))
      for (const child of (node.shadowRoot ?? node).childNodes) visit(child)
      parts.push(' ')
    }
    for (const child of (box.shadowRoot ?? box).childNodes) visit(child)
    return parts.join('')
  }
  const labelled = element => {
    const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
    return [element.getAttribute('aria-label') ?? '', ...ids.map(id => element.getRootNode().getElementById?.(id)?.innerText ?? '')]
  }
  const title = run => {
    let at = run.box
    for (let level = 0; at && at !== document.documentElement && level < 8; level++, at = parent(at)) {
      const peers = runs.filter(other => within(at, other.box))
      for (const text of [...labelled(at), texts(at, run)]) {
        const found = named(text)
        if (found.length === 1 && peers.length === 1) return { ...found[0], level: at }
        if (found.length && peers.length > 1 && found.length === peers.length) return { ...found[peers.indexOf(run)], level: at }
        if (found.length) return { ...found[0], level: at }
      }
    }
    return null
  }

  const says = element => [element.getAttribute('aria-label'), element.title, element.innerText,
    element.querySelector('title, img[alt]')?.getAttribute('alt') ?? element.querySelector('title')?.textContent,
    [element, ...element.querySelectorAll('i, span, svg')].map(each => each.getAttribute('class') ?? '').join(' '),
    element.getAttribute('data-action') ?? element.dataset.handler ?? element.id].filter(Boolean)
  const words = {
    back: /prev|earlier|(^|[^a-z])(back|last)([^a-z]|$)|zurück|vorherig|vorig|précéd|anterior|precedent|предыд|назад|上一|前/i,
    on: /next|later|forward|nächst|weiter|vorwärts|suivant|siguiente|próxim|volgend|successiv|prossim|следу|вперед|下一|次|翌/i,
  }
  const signs = { back: /^[\s]*[‹<«←◀◄❮〈⟨≪]+[\s]*$/, on: /^[\s]*[›>»→▶►❯〉⟩≫]+[\s]*$/ }
  const shapes = { back: /(chevron|arrow|angle|caret|nav)[-_]?(\w+[-_])?(left|prev)|(^|[-_ ])left([-_ ]|$)/i, on: /(chevron|arrow|angle|caret|nav)[-_]?(\w+[-_])?(right|next)|(^|[-_ ])right([-_ ]|$)/i }
  const byYear = /year|jahr|année|\baño|\bano\b|anno|decade|century|«|»|<<|>>|double|年/i
  const leads = element => {
    for (const text of says(element)) {
      const back = words.back.test(text) || signs.back.test(text) || shapes.back.test(text)
      const on = words.on.test(text) || signs.on.test(text) || shapes.on.test(text)
      if (back !== on) return back ? 'back' : 'on'
    }
    return ''
  }
  const dayCells = new Set(cells.map(({ element }) => element))
  const clickable = element => !dayCells.has(element) && (
    element.matches('button, a, [role=button], [onclick], input[type=button]') ||
    /(^|[-_ ])(prev|next)([-_ A-Z]|$)/.test(element.getAttribute('class') ?? '') ||
    getComputedStyle(element).cursor === 'pointer')
  const turns = (run, level) => {
    const found = { back: [], on: [] }
    let at = level
    for (let up = 0; at && up < 4 && at !== document.body; up++, at = parent(at)) {
      for (const element of all) {
        if (!within(at, element) || !clickable(element) || runs.some(other => within(other.box, element) && other.days.some(day => within(element, day) || within(day, element)))) continue
        if (!seen(element) || element === field || within(element, field)) continue
        const to = leads(element)
        if (to && !found[to].some(other => within(other, element))) found[to].push(element)
      }
      if (found.back.length || found.on.length) break
    }
    const year = element => byYear.test(says(element).find(text => byYear.test(text) || /month|monat|mois|mes\b|月/i.test(text)) ?? '')
    const pick = (list, wantsYear) => list.find(element => {
      const label = says(element).join(' ')
      const month = /month|monat|mois|\bmes\b|月/i.test(label)
      return wantsYear ? !month && year(element) && list.length > 1 : month || !year(element) || list.length === 1
    }) ?? null
    return { back: pick(found.back, false), on: pick(found.on, false), backYear: pick(found.back, true), onYear: pick(found.on, true) }
  }
  return runs.map(run => {
    const at = title(run)
    const level = at?.level ?? run.box
    return {
      box: run.box, days: run.days, year: at?.year ?? 0, month: at?.month ?? 0, 
      isKnown: (known ?? []).some(({ box }) => box === run.box), isIn: within(field, run.box), ...turns(run, level), select: selects(level),
    }
  })
}
