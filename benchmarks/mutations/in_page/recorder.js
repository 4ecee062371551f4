// Hears, on every document of the page, also in frames within shadow roots, what receives an action. Leaves no trace that
// a page or an engine could see.
// It listens on the documents, not on their windows: an event that the driver holds back there has not reached the page.
() => {
  const heard = []
  const note = event => heard.push({ type: event.type, on: event.composedPath()[0] })
  const inside = root => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) inside(element.shadowRoot)
      if (element.contentDocument) listen(element.contentDocument)
    }
  }
  const listen = page => {
    for (const type of ['click', 'dblclick', 'auxclick', 'contextmenu', 'input', 'change']) page.addEventListener(type, note, true)
    inside(page)
  }
  listen(document)
  return heard
}
