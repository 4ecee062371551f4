// What a page sends while it is being left is seen by no interception: so it may not begin to send it elsewhere.
origins => {
  const isOwn = address => {
    try { return origins.includes(new URL(address, document.baseURI).origin) } catch { return true }
  }
  let isLeft = false
  for (const event of ['beforeunload', 'pagehide', 'unload']) addEventListener(event, () => { isLeft = true }, { capture: true })
  const mayNot = address => (isLeft || document.visibilityState === 'hidden') && !isOwn(address)
  const beacon = Navigator.prototype.sendBeacon, send = window.fetch
  Navigator.prototype.sendBeacon = function sendBeacon(address, data) {
    return mayNot(address) ? true : beacon.call(this, address, data)
  }
  window.fetch = function fetch(what, how) {
    const outlives = how?.keepalive ?? (what instanceof Request && what.keepalive)
    if (outlives && mayNot(what instanceof Request ? what.url : what)) return Promise.reject(new TypeError('Failed to fetch'))
    return send.call(this, what, how)
  }
}
