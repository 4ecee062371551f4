// Hears, on every document of the page, what receives an action. Leaves no trace that a page or an engine could see.
// It listens on the documents, not on their windows: an event that the driver holds back there has not reached the page.
() => {
  const heard = []
  const note = event => heard.push({ type: event.type, on: event.composedPath()[0] })
  const listen = view => {
    for (const type of ['click', 'dblclick', 'auxclick', 'contextmenu', 'input', 'change']) view.document.addEventListener(type, note, true)
    for (let i = 0; i < view.frames.length; i++) listen(view.frames[i])
  }
  listen(window)
  return heard
}
