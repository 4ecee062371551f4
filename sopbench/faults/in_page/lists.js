// Lists that lose the place to which they were scrolled.

const scrolls = e => e !== document.scrollingElement && e.scrollHeight > e.clientHeight + 1 && /auto|scroll|overlay/.test(getComputedStyle(e).overflowY)
const calledList = e => {
  const named = e.closest('[aria-label]') ?? e
  return clean(named.getAttribute('aria-label')) || e.getAttribute('role') || e.localName
}

// Some time after it was scrolled on, it is at its beginning again. Scrolling back is nobody's loss.
faults.scroll_lost = () => {
  const places = new WeakMap()
  window.addEventListener('scroll', event => {
    const e = event.target
    if (!(e instanceof Element) || !scrolls(e)) return
    const before = places.get(e) ?? 0
    places.set(e, e.scrollTop)
    if (state.underway || e.scrollTop <= before || !due(nth(`scrolled ${calledList(e)}`))) return
    const from = e.scrollTop
    state.underway = true
    setTimeout(() => {
      state.underway = false
      if (!e.isConnected || e.scrollTop === 0) return
      e.scrollTop = 0
      places.set(e, 0)
      strike(`the list '${calledList(e)}' went back from ${Math.round(from)} px to its beginning`)
    }, given.ms)
  }, { capture: true, passive: true })
}
