// Scroll (null: stay), let the page draw, and say where that is, in pixels; and whether the page says it is loading.
async (scroller, top) => {
  if (top !== null) scroller.scrollTo({ top, behavior: 'instant' })
  const frame = () => Promise.race([
    new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve))),
    new Promise(resolve => setTimeout(resolve, 100)),
  ])
  await frame()
  await frame()
  return {
    top: scroller.scrollTop, view: scroller.clientHeight, height: scroller.scrollHeight, connected: scroller.isConnected,
    busy: Boolean([...document.querySelectorAll('[aria-busy=true], [role=progressbar]')].find(each => each.checkVisibility())),
  }
}
