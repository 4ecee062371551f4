// Terms and their values: {pairs: [[term, value]]}, or {problem}. What is recognised, the docs of Extract say.
root => {
  const seen = element => element.checkVisibility({ visibilityProperty: true })
  const text = element => (element.innerText ?? '').trim()
  const term = element => text(element).replace(/\s+/g, ' ').replace(/\s*[:：]$/, '')
  const one = selector => root.matches(selector) ? root : root.querySelectorAll(selector).length === 1 ? root.querySelector(selector) : null
  const valueOf = element => {
    if (['checkbox', 'radio'].includes(element.type)) return String(element.checked)
    if (element.tagName === 'SELECT') return [...element.selectedOptions].map(option => option.label).join(', ')
    if (element.matches('input, textarea')) return element.type === 'password' ? '' : element.value
    const fields = [...element.querySelectorAll('input:not([type=hidden], [type=button], [type=submit]), select, textarea')]
    return text(element) && !fields.some(field => field.tagName === 'SELECT') || fields.length !== 1 ? text(element) : valueOf(fields[0])
  }

  const list = one('dl')
  if (list) {
    const pairs = []
    let terms = [], values = []
    const close = () => {
      if (terms.length) for (const each of terms) pairs.push([each, values.join('\n')])
      terms = []
      values = []
    }
    const parts = [...list.children].flatMap(child => child.matches('dt, dd') ? [child] : [...child.children])
    for (const part of parts.filter(seen)) {
      if (part.tagName === 'DT') {
        if (values.length) close()
        terms.push(term(part))
      } else if (part.tagName === 'DD') values.push(valueOf(part))
    }
    close()
    if (pairs.length) return { pairs }
  }

  const table = one('table')
  if (table) {
    const rows = [...table.rows].filter(row => seen(row) && row.parentElement.tagName !== 'TFOOT')
      .map(row => [...row.cells].filter(seen)).filter(cells => cells.length > 1)
    const headed = rows.some(cells => cells.every(cell => cell.tagName === 'TH'))
    if (rows.length && !headed && rows.every(cells => cells.length === 2))
      return { pairs: rows.map(([name, value]) => [term(name), valueOf(value)]) }
    if (root === table) return { problem: 'a table that is not of two columns' }
  }

  const pairs = []
  const used = new Set()
  const isLabel = element => !element.children.length && /[:：]$/.test(text(element)) && text(element).length <= 80
  for (const element of root.querySelectorAll('*')) {
    if (!seen(element) || [...used].some(other => other.contains(element))) continue
    const labelled = element.getAttribute('aria-labelledby')
    if (element.tagName === 'LABEL' && element.control && seen(element.control)) {
      const own = [...element.childNodes].filter(node => node !== element.control && !(node.nodeType === 1 && node.contains(element.control)))
      const name = own.map(node => node.nodeType === 3 ? node.data : text(node)).join(' ').trim() || element.control.getAttribute('aria-label') || ''
      pairs.push([name.replace(/\s+/g, ' ').replace(/\s*[:：]$/, ''), valueOf(element.control)])
      used.add(element).add(element.control)
    } else if (labelled && !element.matches('section, form, fieldset, [role=region], [role=group], [role=dialog]')) {
      const names = labelled.split(/\s+/).map(id => element.getRootNode().getElementById(id)).filter(Boolean)
      if (!names.length || names.some(name => element.contains(name))) continue
      pairs.push([names.map(term).join(' '), valueOf(element)])
      used.add(element)
      names.forEach(name => used.add(name))
    } else if (isLabel(element)) {
      const id = element.id
      if (id && root.querySelector(`[aria-labelledby~="${CSS.escape(id)}"]`)) continue
      let value = '', node = element.nextSibling
      for (; node; node = node.nextSibling) {
        if (node.nodeType === 3) value += node.data
        else if (node.nodeType === 1) {
          if (node.tagName === 'BR' ? value.trim() : isLabel(node)) break
          if (!seen(node) || node.tagName === 'BR') continue
          const block = !getComputedStyle(node).display.startsWith('inline')
          if (block && value.trim()) break
          value += ' ' + valueOf(node)
          used.add(node)
          if (block) break
        }
      }
      pairs.push([term(element), value.split('\n').map(line => line.trim()).join('\n').trim()])
      used.add(element)
    }
  }
  if (pairs.length) return { pairs }
  return { problem: `${root.tagName.toLowerCase()} without terms: ${JSON.stringify(text(root).replace(/\s+/g, ' ').slice(0, 100))}` }
}
