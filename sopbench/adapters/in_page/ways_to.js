// CSS that finds an element: by its own id or name, and the shortest path from the nearest anchor. Null when it has gone.
(element, makeWords) => {
  if (!element.isConnected) return null
  const { stableId } = makeWords()
  const quoted = text => '"' + text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ') + '"'
  const tag = element.localName
  const name = element.getAttribute('name')

  const step = each => {
    const like = [...each.parentNode.children].filter(other => other.localName === each.localName)
    return like.length > 1 ? `${CSS.escape(each.localName)}:nth-of-type(${like.indexOf(each) + 1})` : CSS.escape(each.localName)
  }
  const path = inner => {
    const root = inner.getRootNode()
    const alone = way => root.querySelectorAll(way).length === 1
    let way = ''
    for (let each = inner; each?.parentNode; each = each.parentElement) {
      const anchor = each.id && stableId(each.id) && `#${CSS.escape(each.id)}`
      const here = anchor && alone(anchor) ? anchor : step(each)
      way = way ? `${here} > ${way}` : here
      if (alone(way) && (here === anchor || each !== inner)) break
    }
    return root.host ? `${path(root.host)} ${way}` : way
  }
  return {
    tag,
    id: element.id && stableId(element.id) ? `#${CSS.escape(element.id)}` : null,
    field: name ? `${tag}[name=${quoted(name)}]` : null,
    path: path(element),
  }
}
