// What is told of elements, as JSON of columns: numbers of strings and of lists of them, parts of the page's text, numbers.
// `tell` gives whole fingerprints, `brief` only the strings of some keys. With `few` of them, only the parts of the page's
// text that are of these go along.
({ page, left, top, seenOf, likeOf, words, textOf, nameOf, labelOf, containers, near, part }) => {
  const LONGEST = 200
  const { plain, stableId, stableClasses } = words
  const rounded = number => Math.round(number * 10) / 10
  const written = attribute => ({ bare, element }) => {
    const text = bare ? null : element.getAttribute(attribute)
    return text && plain(text).slice(0, LONGEST)
  }
  const edited = ({ bare, element }) => !bare && element.isContentEditable
  const SAYS = {
    role: record => record.role,
    name: record => nameOf(record.element, record.role).slice(0, LONGEST).trim(),
    tag: record => record.name,
    type: written('type'), test_id: written('data-testid'), field: written('name'), href: written('href'),
    alt: written('alt'), title: written('title'), placeholder: written('placeholder'),
    id: ({ bare, element }) => bare || !element.id ? '' : stableId(element.id),
    label: labelOf,
    heading: record => record.heading && textOf(record.heading),
  }
  const BRIEFLY = { ...SAYS, text: record => edited(record) ? '' : textOf(record) }

  const table = () => {
    const numbers = new Map()
    const values = [null]
    return {
      values,
      of: value => {
        if (!value || value.length === 0) return 0
        let number = numbers.get(value)
        if (number === undefined) {
          number = values.push(value) - 1
          numbers.set(value, number)
        }
        return number
      },
    }
  }
  const start = () => {
    const strings = table(), lists = table()
    const paths = [[0, 0]], known = new Map()
    const pathOf = record => {
      let number = known.get(record)
      if (number === undefined) {
        const { up, name, shadow } = record
        const step = name === 'html' || name === 'body' ? name : `${name}[${record.number}]`
        const border = up !== null && up.shadow.length < shadow.length ? '//' : '/'
        number = paths.push([up === null ? 0 : pathOf(up), strings.of(border + step)]) - 1
        known.set(record, number)
      }
      return number
    }
    return { strings, lists, paths, pathOf }
  }
  const put = (column, place, number) => {
    if (!number) return
    column[0].push(place)
    column[1].push(number)
  }
  const said = (taken, keys, says, strings) => Object.fromEntries(keys.map(key => {
    const column = [[], []], of = says[key]
    taken.forEach(({ record }, place) => put(column, place, strings.of(of(record))))
    return [key, column]
  }))

  return {
    brief: (taken, keys) => {
      const { strings, paths, pathOf } = start()
      const columns = said(taken, keys.filter(key => key !== 'path'), BRIEFLY, strings)
      const path = keys.includes('path') ? taken.map(({ record }) => pathOf(record)) : []
      return JSON.stringify({ count: taken.length, columns, path, paths, strings: strings.values })
    },
    tell: (taken, frames, few) => {
      let cuts = ''
      const cut = (from, to) => {
        if (!few) return [from, to]
        cuts += page.slice(from, to)
        return [cuts.length - (to - from), cuts.length]
      }
      const { strings, lists, paths, pathOf } = start()
      const columns = { strings: said(taken, Object.keys(SAYS), SAYS, strings), lists: {}, path: [], text: [], near: [], box: [], index: [] }
      for (const key of ['classes', 'shadow', 'container']) columns.lists[key] = [[], []]
      taken.forEach(({ record, box }, place) => {
        const { element, bare, role } = record
        if (!bare && element.hasAttribute('class'))
          put(columns.lists.classes, place, lists.of(stableClasses(element.getAttribute('class'))))
        put(columns.lists.shadow, place, lists.of(record.shadow))
        if (record.container) put(columns.lists.container, place, lists.of(containers(record.container)))
        columns.path.push(pathOf(record))
        columns.text.push(...edited(record) ? [0, 0] : cut(...part(record.from, Math.min(record.to, record.from + LONGEST))))
        const [from, to, then, until] = near(record)
        columns.near.push(...cut(from, to), ...cut(then, until))
        columns.box.push(...box ? [rounded(box.x + left), rounded(box.y + top), rounded(box.width), rounded(box.height)] : [0, 0, -1, -1])
        columns.index.push(record.index, record.index < 0 ? 0 : likeOf(record).get(role ?? record.name))
      })
      const holds = frames.map(frame => ({ ...frame, path: pathOf(frame.path) }))
      return JSON.stringify({ count: taken.length, holds, roles: Object.fromEntries(seenOf), page: few ? cuts : page, paths, columns,
        strings: strings.values, lists: lists.values })
    },
  }
}
