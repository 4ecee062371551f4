// Watches the next press of the pointer on an element; if the page lost it, tells afterwards what the element said.
//
// A browser makes a click of a press only where the button goes down and up on the same thing. A page that draws it
// anew, or moves it, in between gets no click, or one on what holds both.
element => {
  const page = element.ownerDocument.defaultView
  const said = element.innerText
  const removed = new WeakSet()
  const note = records => records.forEach(each => each.removedNodes.forEach(node => removed.add(node)))
  const watching = new MutationObserver(note)
  for (let root = element.getRootNode(); root; root = root.host?.getRootNode()) {
    watching.observe(root, { childList: true, subtree: true })
  }
  const through = { mousedown: null, click: null }
  const see = event => { if (event.isTrusted) through[event.type] ??= event.composedPath() }
  for (const type in through) page.addEventListener(type, see, true)
  return {
    lost: () => {
      for (const type in through) page.removeEventListener(type, see, true)
      note(watching.takeRecords())
      watching.disconnect()
      const { mousedown, click } = through
      if (mousedown === null) return null
      const pressed = mousedown.includes(element) ? element : mousedown[0]
      const wasLost = click === null ? mousedown.some(each => removed.has(each)) : !click.includes(pressed)
      return wasLost ? said : null
    },
  }
}
