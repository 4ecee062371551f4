// What the page itself says is said in another language: names, headings, hints, notices. What its users wrote stays.

const SAID_BY_IT = `${BUTTONS}, a[href], summary, label, legend, h1, h2, h3, h4, [role=heading], [role=link], [role=tab], [role^=menuitem], [role=status], [role=alert]`
const HINTS = ['aria-label', 'title', 'placeholder', 'alt', 'data-tooltip']
const WRITTEN_BY_USERS = 'tr, [role=row], [role=gridcell], [role=listitem], [role=option], [contenteditable], textarea, script, style'

// {} of a text by words where whole texts stand before single words; null for what they do not say.
const inWords = words => {
  const patterns = Object.entries(words).filter(([said]) => said.includes('{}')).map(([said, to]) => [new RegExp(`^${said.replace(/[?.]/g, '\\$&').replace('{}', '(.+)')}$`, 'i'), to])
  const like = (text, to) => (text[0] === text[0].toLowerCase() ? to : to[0].toUpperCase() + to.slice(1))
  const whole = text => {
    const found = words[text.toLowerCase()]
    if (found) return like(text, found)
    for (const [pattern, to] of patterns) {
      const [, part] = pattern.exec(text) ?? []
      if (part) return to.replace('{}', () => part)
    }
    const parts = text.match(/\p{L}+/gu) ?? []
    return parts.length && parts.every(part => words[part.toLowerCase()]) ? text.replace(/\p{L}+/gu, part => words[part.toLowerCase()]) : null
  }
  return text => {
    const [, said, end] = /^(.*?)([\s:*…]*)$/.exec(text)
    const to = said && whole(said)
    return to && to !== said ? to + end : null
  }
}

faults.translated = () => {
  const other = inWords(given.words)
  const made = new Set()
  const instead = (text, e) => {
    const said = clean(text)
    if (!said || said.length > 80 || made.has(said) || e.closest(WRITTEN_BY_USERS) || isPlanted(e)) return null
    const to = other(said)
    if (to === null || !due(`said ${said}`)) return null
    if (!made.has(to)) strike(`'${said}' is called '${to}'`)
    made.add(to)
    return text.replace(/\S[\s\S]*\S|\S/, () => to)
  }
  const look = root => {
    if (!mayStrike()) return
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, text => (text.parentElement?.closest(SAID_BY_IT) ? 1 : 2))
    while (texts.nextNode()) {
      const to = instead(texts.currentNode.data, texts.currentNode.parentElement)
      if (to !== null) texts.currentNode.data = to
    }
    for (const e of [root, ...root.querySelectorAll(HINTS.map(name => `[${name}]`).concat('input[type=submit], input[type=button]').join())])
      for (const name of e.matches('input[type=submit], input[type=button]') ? [...HINTS, 'value'] : HINTS) {
        const to = e.hasAttribute(name) ? instead(e.getAttribute(name), e) : null
        if (to !== null) e.setAttribute(name, to)
      }
  }
  const start = () => {
    const whole = () => {
      if (mayStrike() && given.probability === 1 && !given.once) document.documentElement.lang = given.language
      look(document.documentElement)
    }
    state.opened = whole
    whatChanges(look, HINTS)
    if (state.open) whole()
  }
  document.documentElement ? start() : new MutationObserver((_, seen) => document.documentElement && (seen.disconnect(), start())).observe(document, { childList: true })
}
