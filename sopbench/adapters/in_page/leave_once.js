// A page that asked whether it may be left, and may, is not asked again while it is being left. Where the next page
// is on its way already, the browser puts a second question to nobody, and page and question hang for good.
stays => {
  let mayLeave = false
  addEventListener('beforeunload', event => {
    if (mayLeave) event.stopImmediatePropagation()
    else setTimeout(() => { mayLeave = event.defaultPrevented || Boolean(event.returnValue) })
  }, { capture: true })
  addEventListener(stays, () => { mayLeave = false })
}
