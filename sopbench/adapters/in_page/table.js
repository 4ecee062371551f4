// A table or grid as people read it: {names, rows, indexes}, or {problem}. A cell that spans counts for each place.
root => {
  const TABLES = 'table, [role=table], [role=grid], [role=treegrid]'
  const seen = element => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true]')
  const whole = root.matches(TABLES) ? [root]
    : [...root.querySelectorAll(TABLES)].filter(each => !each.parentElement.closest(TABLES) || each.parentElement.closest(TABLES).contains(root))
  if (whole.length !== 1)
    return { problem: `${root.tagName.toLowerCase()} is no table and holds ${whole.length || 'none'}` }
  const table = whole[0]
  const native = table.tagName === 'TABLE' && table.rows.length > 0
  const own = element => element.parentElement.closest(TABLES) === table
  const rows = (native ? [...table.rows] : [...table.querySelectorAll('[role=row]')].filter(own)).filter(row =>
    seen(row) && row.parentElement.tagName !== 'TFOOT')
  const cellsOf = row => (native ? [...row.cells]
    : [...row.querySelectorAll('[role=cell], [role=gridcell], [role=columnheader], [role=rowheader]')]
      .filter(cell => cell.parentElement.closest('[role=row]') === row)).filter(cell => seen(cell) && cell.getBoundingClientRect().width > 0)
  const isHeader = cell => cell.getAttribute('role') === 'columnheader' ||
    cell.tagName === 'TH' && !['rowheader', 'cell', 'gridcell'].includes(cell.getAttribute('role')) && !/^row/.test(cell.scope)

  const FIELDS = 'input:not([type=hidden], [type=button], [type=submit], [type=reset], [type=image]), select, textarea, [role=checkbox], [role=switch]'
  const valueOf = field => {
    if (['checkbox', 'radio'].includes(field.type)) return String(field.checked)
    if (!('value' in field) || field.tagName === 'BUTTON') return String(field.getAttribute('aria-checked') === 'true')
    if (field.tagName === 'SELECT') return [...field.selectedOptions].map(option => option.label).join(', ')
    return field.type === 'password' ? '' : field.value
  }
  const pieces = (node, withFields) => {
    if (node.nodeType === 3) return [node.data.trim()]
    if (node.nodeType !== 1 || ['SCRIPT', 'STYLE'].includes(node.tagName) || !seen(node)) return []
    if (node.matches(FIELDS)) return withFields ? [valueOf(node)] : []
    return node.querySelector(FIELDS) ? [...node.childNodes].flatMap(child => pieces(child, withFields)) : [node.innerText.trim()]
  }
  const pictured = cell => {
    const pictures = [...cell.querySelectorAll('img[alt], [role=img][aria-label], svg[aria-label]')].filter(seen)
    return pictures.map(each => each.getAttribute('alt') || each.getAttribute('aria-label') || '').join(' ').trim()
  }
  const textOf = (cell, withFields) => {
    const fields = cell.matches(FIELDS) || cell.querySelector(FIELDS)
    return (fields ? pieces(cell, withFields).filter(Boolean).join(' ') : cell.innerText.trim()) || pictured(cell)
  }

  // Without the capitals that only its style gives it: a name should outlive a new style.
  const asWritten = (cell, text) => {
    const plain = cell.textContent.replace(/\s+/g, ' ').trim()
    return plain.toLowerCase() === text.toLowerCase() ? plain : text
  }

  const lines = []
  const byIndex = new Map()
  for (const row of rows) {
    const cells = cellsOf(row)
    if (!cells.length) continue
    const index = row.ariaRowIndex ? +row.ariaRowIndex : null
    const known = index === null ? null : byIndex.get(index)
    if (known) known.cells.push(...cells)
    else {
      const line = { cells, index, section: native ? row.parentElement : table }
      lines.push(line)
      if (index !== null) byIndex.set(index, line)
    }
  }
  if (lines.length && lines.every(({ index }) => index !== null)) lines.sort((one, other) => one.index - other.index)

  const heads = line => line.section.tagName === 'THEAD' || line.cells.some(isHeader) &&
    line.cells.every(cell => isHeader(cell) || !textOf(cell, true))
  let headed = 0
  while (headed < lines.length && heads(lines[headed])) headed++

  const grid = []
  lines.forEach(({ cells, section }, y) => {
    grid[y] ??= []
    let x = 0
    for (const cell of cells) {
      if (cell.ariaColIndex) x = +cell.ariaColIndex - 1
      while (grid[y][x]) x++
      const wide = native ? cell.colSpan : +(cell.ariaColSpan || 1)
      const asked = native ? cell.rowSpan : +(cell.ariaRowSpan || 1)
      const most = lines.slice(y).findIndex(line => line.section !== section || (y < headed) !== (lines.indexOf(line) < headed))
      const tall = Math.min(asked || Infinity, most < 0 ? lines.length - y : most)
      for (let down = 0; down < tall; down++)
        for (let across = 0; across < wide; across++) (grid[y + down] ??= [])[x + across] ??= cell
      x += wide
    }
  })

  const columns = [...new Set(grid.flatMap(row => Object.keys(row).map(Number)))].sort((one, other) => one - other)
  const taken = new Map()
  const names = columns.map((x, at) => {
    const cells = grid.slice(0, headed).map(row => row[x]).filter(Boolean)
    const texts = [...new Set(cells)].map(cell => asWritten(cell, textOf(cell, false).replace(/\s+/g, ' '))).filter(Boolean)
    const name = texts.join(' / ') || `column ${at + 1}`
    taken.set(name, (taken.get(name) ?? 0) + 1)
    return taken.get(name) > 1 ? `${name} (${taken.get(name)})` : name
  })
  const body = grid.slice(headed).map((row, at) => ({ row, index: lines[headed + at].index }))
    .filter(({ row }) => columns.length < 2 || new Set(columns.map(x => row[x])).size > 1)
  return {
    names,
    rows: body.map(({ row }) => columns.map(x => row[x] ? textOf(row[x], true) : null)),
    indexes: body.map(({ index }) => index),
  }
}
