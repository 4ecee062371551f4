// An iframe as the page around it shows it: what it is called, where its content begins in sight, and CSS that finds it.
frame => {
  const box = frame.getBoundingClientRect()
  const style = getComputedStyle(frame)
  const root = frame.getRootNode()
  const quoted = text => '"' + text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ') + '"'
  const tag = frame.localName
  const ways = ['title', 'name'].map(each => [each, frame.getAttribute(each)]).filter(([, value]) => value)
    .map(([each, value]) => `${tag}[${each}=${quoted(value)}]`)
  if (frame.id) ways.push(`${tag}#${CSS.escape(frame.id)}`)
  if (frame.getAttribute('src')) ways.push(`${tag}[src=${quoted(frame.getAttribute('src'))}]`)
  const parts = []
  for (let each = frame; each && each.parentElement; each = each.parentElement) {
    const like = [...each.parentElement.children].filter(other => other.localName === each.localName)
    parts.unshift(like.length > 1 ? `${each.localName}:nth-of-type(${like.indexOf(each) + 1})` : each.localName)
    if (each.parentElement.id) {
      parts.unshift(`#${CSS.escape(each.parentElement.id)}`)
      break
    }
  }
  ways.push(parts.join(' > '))
  return {
    called: frame.getAttribute('title') || frame.getAttribute('name') || frame.id || '',
    seen: frame.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 0 && box.height > 0,
    x: box.x + frame.clientLeft + parseFloat(style.paddingLeft),
    y: box.y + frame.clientTop + parseFloat(style.paddingTop),
    scrolledX: scrollX, scrolledY: scrollY,
    left: box.x, top: box.y,
    size: { width: box.width, height: box.height },
    css: ways.find(way => root.querySelectorAll(way).length === 1) ?? ways.at(-1),
  }
}
