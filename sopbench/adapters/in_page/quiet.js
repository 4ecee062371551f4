// Resolves once the page has drawn what came: when nothing was changed for a moment, or after half a second.
() => new Promise(done => {
  const QUIET_MS = 50, MOST_MS = 500
  const started = performance.now()
  let last = started
  const watching = new MutationObserver(() => { last = performance.now() })
  watching.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const look = () => {
    const now = performance.now()
    if (now - last < QUIET_MS && now - started < MOST_MS) return void setTimeout(look, 10)
    watching.disconnect()
    done()
  }
  requestAnimationFrame(look)
  setTimeout(look, QUIET_MS) // a page that is not in sight draws no frames
})
