// Faults that happen while somebody uses the page.

// Taken out and put back at the moment it is pressed, as by a page that draws itself anew: the click is lost.
faults.recreated = () =>
  window.addEventListener('mousedown', event => {
    const e = event.target.closest?.(KINDS[given.kind] ?? CONTROLS)
    if (!e || !fits(e) || !due(nth(`pressed ${says(e)}`))) return
    const [parent, next] = [e.parentNode, e.nextSibling]
    e.remove()
    parent.insertBefore(e, next)
    strike(`${says(e)} was drawn anew while it was pressed`)
  }, true)

// Another field takes the focus: what is typed goes there.
faults.focus_stolen = () => {
  let stealing = false
  window.addEventListener('focusin', event => {
    const e = event.target
    if (stealing || !e.matches?.(FIELDS) || !fits(e) || !mayStrike()) return
    const others = [...document.querySelectorAll(FIELDS)].filter(other => other !== e && isShown(other) && !other.disabled && !other.readOnly)
    const key = nth(`entered ${says(e)}`)
    if (!others.length || !due(key)) return
    const other = oneOf(key, others)
    setTimeout(() => {
      stealing = true
      other.focus()
      stealing = false
      strike(`the focus went from ${says(e)} to ${says(other)}`)
    }, given.ms)
  }, true)
}

// A notice over what the pointer comes to.
faults.toast = () =>
  window.addEventListener('mousemove', event => {
    const e = event.target.closest?.(KINDS[given.kind] ?? BUTTONS)
    if (!e || state.shown || !fits(e) || !due(nth(`over ${says(e)}`))) return
    const { left, top, width, height } = e.getBoundingClientRect()
    const css = `position:fixed;z-index:2147483647;left:${left - 20}px;top:${top - 8}px;width:${Math.max(width + 40, 180)}px;height:${Math.max(height + 16, 40)}px;background:#323232;color:#fff;border-radius:4px;font:14px sans-serif;padding:8px;box-sizing:border-box`
    const toast = plant('div', css, 'All changes have been synchronised')
    toast.setAttribute('role', 'status')
    ;(document.querySelector('dialog[open]') ?? body()).append(toast)
    state.shown = true
    later(given.ms, () => {
      toast.remove()
      state.shown = false
    })
    strike(`a notice lies over ${says(e)}${given.ms === null ? '' : ` for ${given.ms} ms`}`)
  }, true)
