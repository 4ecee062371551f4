// Faults that lie over the whole page. Only in whole windows, not in frames.

const button = (text, work) => {
  const made = plant('button', 'margin:0 8px;padding:8px 16px;font:14px sans-serif', text)
  made.type = 'button'
  made.addEventListener('click', work)
  return made
}
const top = window === window.top

faults.overlay = () => {
  state.act = () => {
    const veil = plant('div', 'position:fixed;inset:0;z-index:2147483646;background:rgba(255,255,255,.6);font:16px sans-serif;display:flex;align-items:center;justify-content:center', 'Loading…')
    ;(document.querySelector('dialog[open]') ?? body()).append(veil)
    later(given.ms, () => veil.remove())
    return `the page is covered${given.ms === null ? '' : ` for ${given.ms} ms`}`
  }
}

faults.modal = () => {
  state.act = () => {
    const dialog = plant('dialog', 'padding:24px;font:16px sans-serif;max-width:420px')
    dialog.setAttribute('aria-label', given.title)
    const close = () => {
      dialog.close()
      dialog.remove()
    }
    const heading = plant('h2', 'margin:0 0 12px', given.title)
    dialog.append(heading, plant('p', '', given.text), button(given.button, close))
    body().append(dialog)
    dialog.showModal()
    return `a dialog '${given.title}' is open`
  }
}

faults.alert = () => {
  state.act = () => {
    setTimeout(() => (given.asks ? window.confirm(given.text) : window.alert(given.text)), given.after_ms)
    return `the page ${given.asks ? 'asks' : 'says'} '${given.text}'`
  }
}

faults.cookie_banner = () => {
  const KEY = 'cookie-choice'
  const chosen = () => {
    try {
      return Boolean(localStorage.getItem(KEY))
    } catch {
      return Boolean(state.chosen)
    }
  }
  const show = () => {
    if (!top || chosen() || state.banner?.isConnected || !location.protocol.startsWith('http') || !due(`visit ${location.origin}`)) return
    const banner = plant('section', 'position:fixed;left:0;right:0;bottom:0;z-index:2147483646;background:#fff;border-top:1px solid #888;padding:24px;font:15px sans-serif;min-height:90px')
    const whole = given.blocks ? plant('div', 'position:fixed;inset:0;z-index:2147483646;background:rgba(0,0,0,.5)', banner) : banner
    state.banner = whole
    banner.setAttribute('role', 'dialog')
    banner.setAttribute('aria-label', 'Cookies')
    const close = () => {
      state.chosen = true
      try {
        localStorage.setItem(KEY, 'made')
      } catch {
        // a page that may keep nothing asks again
      }
      whole.remove()
    }
    banner.append(plant('p', 'margin:0 0 12px', 'We use cookies. Choose what we may keep.'), button('Accept all', close), button('Only what is necessary', close))
    body().append(whole)
    strike(`a cookie banner${given.blocks ? ' covers the page' : ' lies over the foot of the page'}`)
  }
  const start = () => {
    state.opened = show
    if (state.open) show()
  }
  document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', start, { once: true }) : start()
}
