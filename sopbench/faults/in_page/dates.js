// Dates that stand alone, in a text or a tooltip, are written otherwise. Dates within sentences stay.

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const TOLD_BY = ['title', 'aria-label', 'alt', 'datetime']
const CLOCK = /^(?:,?\s*(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?\s*(?:[ap]\.?m\.?)?)?\s*(?:\([^()]*\))?$/i

// {year, month, day, rest, like(day)} of a text that is a date and nothing more but its time; year is '' where it has none.
const dateOf = text => {
  const named = /^((?:[a-z]{3,9}\.?,?\s+)?([a-z]{3})[a-z]*\.?\s+)(\d{1,2})((?:,?\s+(\d{4}))?)(?!\d)(.*)$/i.exec(text)
  if (named && MONTHS.includes(named[2].toLowerCase()))
    return { year: named[5] ?? '', month: MONTHS.indexOf(named[2].toLowerCase()) + 1, day: +named[3], rest: named[6], like: day => `${named[1]}${day}${named[4]}${named[6]}` }
  const slashed = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})(?!\d)(.*)$/.exec(text)
  if (slashed) return { year: slashed[3], month: +slashed[1], day: +slashed[2], rest: slashed[4], like: day => `${slashed[1]}/${day}/${slashed[3]}${slashed[4]}` }
  const iso = /^(\d{4})-(\d{2})-(\d{2})(?!\d)(?:T(?=\d))?(.*)$/.exec(text)
  return iso && { year: iso[1], month: +iso[2], day: +iso[3], rest: iso[4], like: day => `${iso[1]}-${iso[2]}-${day}${iso[4]}` }
}
const twoDigits = number => String(number).padStart(2, '0')
const inForm = {
  day_first: ({ year, month, day, rest }) => [day, month, year].filter(Boolean).join('/') + rest,
  dotted: ({ year, month, day, rest }) => `${twoDigits(day)}.${twoDigits(month)}.${year.slice(-2)}${rest}`,
  iso: ({ year, month, day, rest }) => `${year ? `${year.length === 2 ? 20 : ''}${year}-` : ''}${twoDigits(month)}-${twoDigits(day)}${rest}`,
  impossible: ({ year, month, like }) => like(new Date(Date.UTC(+year || 2000, month, 0)).getUTCDate() + 1),
}

faults.date_written = () => {
  const written = new Set()
  const other = text => {
    const said = clean(text)
    const date = said.length < 60 && !written.has(said) ? dateOf(said) : null
    if (!date || !CLOCK.test(date.rest) || !(date.month >= 1 && date.month <= 12) || !due(`date ${said}`)) return null
    const to = inForm[given.form](date)
    if (to === said) return null
    if (!written.has(to)) strike(`'${said}' is written '${to}'`)
    written.add(to)
    return to
  }
  const look = root => {
    if (!mayStrike() || !root) return
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, text => (text.parentElement?.closest('script, style, textarea') ? 2 : 1))
    while (walker.nextNode()) {
      const to = other(walker.currentNode.data)
      if (to !== null) walker.currentNode.data = to
    }
    for (const name of TOLD_BY)
      for (const e of [root, ...root.querySelectorAll(`[${name}]`)]) {
        const to = e.hasAttribute?.(name) ? other(e.getAttribute(name)) : null
        if (to !== null) e.setAttribute(name, to)
      }
  }
  const whole = () => look(document.documentElement)
  state.opened = whole
  whatChanges(look, TOLD_BY)
  whole()
}
