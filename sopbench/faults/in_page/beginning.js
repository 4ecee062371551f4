// Last: the fault begins its work in this document, and can be spoken to from outside.
if (here()) {
  faults[given.script]()
  const open = to => {
    const before = state.open
    state.open = to
    if (to && !before) state.opened()
  }
  Object.defineProperty(window, `${given.channel}_at`, { value: { open, act: () => state.act() } })
  if (!given.open) Promise.resolve(window[given.channel]?.(null)).then(to => to && open(true))
}
