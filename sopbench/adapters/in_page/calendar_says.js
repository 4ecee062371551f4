// What is known of the calendars found, in plain data; ``day`` is looked at in each.
(calendars, day) => calendars.map(({ box, days, year, month, isKnown, isIn, back, on, backYear, onYear, select }) => {
  const cell = days[day - 1] ?? null
  const barred = element => element.disabled || element.getAttribute('aria-disabled') === 'true' ||
    /(^|[-_ ])(disabled|unselectable|off-limits|blocked|unavailable)([-_ ]|$)|disabled$/i.test(element.getAttribute('class') ?? '')
  const upwards = element => {
    const line = []
    for (let at = element; at && at !== box; at = at.parentElement ?? at.getRootNode().host) line.push(at)
    return line
  }
  const line = cell ? upwards(cell) : []
  const part = line.filter(element => element.tagName !== 'TR' && element.getAttribute('role') !== 'row')
  const turn = element => !element ? '' : barred(element) || getComputedStyle(element).pointerEvents === 'none' ? 'disabled' : 'ready'
  return {
    year, month, isKnown, isIn,
    hasDay: Boolean(cell),
    isBarred: part.some(barred),
    isChosen: part.some(element => ['aria-selected', 'aria-pressed', 'aria-checked'].some(name => element.getAttribute(name) === 'true') ||
      /(^|[-_ ])(selected|active|chosen|picked|current-day)([-_ ]|$)|selected$/i.test(element.getAttribute('class') ?? '')),
    labels: part.flatMap(element => [element.getAttribute('aria-label'), element.title]).filter(Boolean),
    turns: { back: turn(back), on: turn(on), backYear: turn(backYear), onYear: turn(onYear) },
    months: select.months ?? [],
    years: select.years ?? [],
  }
})
