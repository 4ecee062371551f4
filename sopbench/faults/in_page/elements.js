// Faults of single elements: they look, stand or answer otherwise from when they appear.

faults.renamed = () =>
  each((e, name) => {
    const other = text => {
      const found = given.words[text.toLowerCase()]
      return !found || text[0] === text[0].toLowerCase() ? found : found[0].toUpperCase() + found.slice(1)
    }
    const inParts = name.replace(/[\p{L}]+/gu, word => other(word) ?? word)
    const to = other(name) ?? (inParts !== name ? inParts : `${oneOf(name, ['My', 'Your', 'New'])} ${name.toLowerCase()}`)
    naming(e).set(to)
    return nameOf(e) === name ? null : `${roleOf(e)} '${name}' is now called '${nameOf(e)}'`
  })

faults.removed = () =>
  each(e => {
    const said = says(e)
    e.remove()
    return `${said} is gone`
  })

faults.moved = () => {
  const hasRoom = e => [...e.getClientRects()].some(box => box.width > 0 && box.height > 0)
  return each(e => {
    let mover = e
    const others = () => [...(mover.parentElement?.children ?? [])].filter(other => other !== mover && isShown(other))
    for (let up = 0; up < 3 && !others().length && mover.parentElement && mover.parentElement !== body(); up++) mover = mover.parentElement
    const [first, last] = [others()[0], others().at(-1)]
    if (!first) return null
    const [around, next] = [mover.parentElement, mover.nextSibling]
    const isAfter = first.compareDocumentPosition(mover) & Node.DOCUMENT_POSITION_FOLLOWING
    isAfter ? first.before(mover) : last.after(mover)
    if (hasRoom(e)) return `${says(e)} stands elsewhere`
    around.insertBefore(mover, next) // a column without width is no other place
    return null
  })
}

faults.duplicated = () =>
  each(e => {
    const twin = e.cloneNode(true)
    for (const part of [twin, ...twin.querySelectorAll('*')]) {
      for (const { name } of [...part.attributes]) if (name === 'id' || name.startsWith('on')) part.removeAttribute(name)
      planted.add(part)
    }
    twin.addEventListener('click', event => {
      event.preventDefault()
      event.stopPropagation()
      e.click()
    })
    e.after(twin)
    return `${says(e)} is there twice`
  })

faults.disabled = () =>
  each(e => {
    if ('disabled' in e) {
      if (e.disabled) return null
      e.disabled = true
      later(given.ms, () => (e.disabled = false))
    } else {
      e.setAttribute('aria-disabled', 'true')
      e.style.pointerEvents = 'none'
      later(given.ms, () => {
        e.removeAttribute('aria-disabled')
        e.style.pointerEvents = ''
      })
    }
    return `${says(e)} is disabled${given.ms === null ? '' : ` for ${given.ms} ms`}`
  })

faults.late = () =>
  each(e => {
    const said = says(e)
    const was = e.style.getPropertyValue('display')
    e.style.setProperty('display', 'none', 'important')
    setTimeout(() => (was ? e.style.setProperty('display', was) : e.style.removeProperty('display')), given.ms)
    return `${said} comes ${given.ms} ms late`
  })

faults.moving = () =>
  each(e => {
    const [x, y] = [20 + drawn(`x ${says(e)}`) * 60, drawn(`y ${says(e)}`) * 20]
    const lasts = given.ms ?? Infinity
    e.animate([{ transform: 'none' }, { transform: `translate(${x}px, ${y}px)` }], { duration: 300, direction: 'alternate', iterations: lasts / 300 })
    return `${says(e)} moves${given.ms === null ? '' : ` for ${given.ms} ms`}`
  })

// The page's own scripts were built together with it: they find what they look for under the old names.
const theirScripts = (eitherWay, idOf, classOf) => {
  const patch = (owner, name, change) => (owner.prototype[name] = change(owner.prototype[name]))
  for (const owner of [Document, Element, DocumentFragment])
    for (const name of ['querySelector', 'querySelectorAll']) patch(owner, name, was => function (selector) { return was.call(this, eitherWay(String(selector))) })
  for (const name of ['matches', 'closest']) patch(Element, name, was => function (selector) { return was.call(this, eitherWay(String(selector))) })
  patch(Document, 'getElementById', was => function (id) { return was.call(this, id) ?? was.call(this, idOf(id)) })
  const both = name => [...new Set([name, classOf(name)])]
  const contains = DOMTokenList.prototype.contains
  patch(DOMTokenList, 'contains', () => function (name) { return both(name).some(each => contains.call(this, each)) })
  patch(DOMTokenList, 'remove', was => function (...names) { return was.call(this, ...names.flatMap(both)) })
  patch(DOMTokenList, 'toggle', () => function (name, force) {
    const to = force ?? !this.contains(name)
    to ? this.add(name) : this.remove(name)
    return to
  })
}

// Another build of the same page: ids and classes are called otherwise, in its style sheets too.
faults.restyled = () => {
  const [ids, classes] = [new Map(), new Map()]
  const renamed = (known, name) => {
    if (!known.has(name)) known.set(name, due(`called ${name}`) ? `x${Math.floor(drawn(`to ${name}`) * 2 ** 40).toString(36)}` : name)
    return known.get(name)
  }
  const made = new Set()
  const referring = e => {
    for (const name of ['for', 'aria-labelledby', 'aria-controls', 'aria-describedby'])
      if (e.hasAttribute(name)) {
        const to = e.getAttribute(name).split(' ').map(id => ids.get(id) ?? id).join(' ')
        if (to !== e.getAttribute(name)) e.setAttribute(name, to)
      }
  }
  const ofElement = e => {
    if (e.id && !made.has(e.id)) {
      e.id = renamed(ids, e.id)
      made.add(e.id)
    }
    for (const name of [...e.classList]) {
      if (made.has(name)) continue
      const to = renamed(classes, name)
      made.add(to)
      if (to !== name) e.classList.replace(name, to)
    }
  }
  const eitherWay = selector =>
    selector.replace(/\[[^\]]*\]|([.#])(-?[_a-zA-Z][\w-]*)/g, (text, sign, name) => {
      if (!sign || made.has(name)) return text
      const to = renamed(sign === '.' ? classes : ids, name)
      return to === name ? text : `:is(${text}, ${sign}${to})`
    })
  const rules = list => {
    for (const rule of list) {
      if (rule.selectorText)
        rule.selectorText = eitherWay(rule.selectorText)
      if (rule.cssRules?.length) rules(rule.cssRules)
    }
  }
  theirScripts(eitherWay, id => renamed(ids, id), name => renamed(classes, name))
  const done = new WeakSet()
  const look = added => {
    if (!mayStrike()) return
    for (const root of added)
      if (root.nodeType === Node.ELEMENT_NODE) for (const e of [root, ...root.querySelectorAll('*')]) ofElement(e)
    for (const e of document.querySelectorAll('[for], [aria-labelledby], [aria-controls], [aria-describedby]')) referring(e)
    for (const sheet of document.styleSheets) {
      if (done.has(sheet)) continue
      done.add(sheet)
      try {
        rules(sheet.cssRules)
      } catch (error) {
        if (!(error instanceof DOMException)) throw error // of another origin: it cannot be read
      }
    }
    const names = [...ids, ...classes].filter(([from, to]) => from !== to).length
    if (names > (state.told ?? 0)) strike(`${names} ids and classes are called otherwise`)
    state.told = Math.max(names, state.told ?? 0)
  }
  const start = () => {
    look(document.documentElement ? [document.documentElement] : [])
    new MutationObserver(changes => look(changes.flatMap(change => [...change.addedNodes]))).observe(document, { childList: true, subtree: true })
  }
  state.opened = () => document.documentElement && look([document.documentElement])
  document.readyState === 'loading' ? document.addEventListener('DOMContentLoaded', start, { once: true }) : start()
}
