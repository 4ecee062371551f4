// What was heard, and whether it was on the meant element: itself, what is in it, its label, or the one control it is the text of.
(heard, meant) => {
  const CONTROLS = 'button, input, select, textarea, a[href], summary, [role=button], [role=link], [role=tab], [role^=menuitem], [role=treeitem], [role=option]'
  const upwards = node => {
    const line = []
    for (let at = node; at; at = at.parentNode ?? at.host) line.push(at)
    return line
  }
  const isMeant = on => {
    if (!meant) return false
    if (upwards(on).includes(meant)) return true
    if ([...(meant.labels ?? [])].some(label => label.contains(on))) return true
    const control = meant.closest(CONTROLS)
    return Boolean(control) && control !== meant && on.closest?.(CONTROLS) === control
  }
  const says = on => {
    const words = (on.getAttribute?.('aria-label') || on.innerText || on.placeholder || on.title || on.name || '').replace(/\s+/g, ' ').trim()
    const tag = `${on.localName ?? on.nodeName}${on.id ? '#' + on.id : ''}`
    const around = on.parentElement?.closest('tr, li, article, section, aside, form, dialog, [role=dialog], [role=row]')
    const place = around ? ` in ${around.localName} ${(around.getAttribute('aria-label') || around.innerText || '').replace(/\s+/g, ' ').trim().slice(0, 40)}` : ''
    return `${tag} '${words.slice(0, 50)}'${place}`
  }
  return heard.map(({ type, on }) => ({ type, meant: isMeant(on), on: says(on) }))
}
