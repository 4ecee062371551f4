// What a date field is made of, what it says about the form it wants, and what it holds now.
element => {
  const it = element.matches('input, textarea') ? element
    : element.tagName === 'LABEL' && element.control ? element.control
    : element.querySelector('input:not([type=hidden]), textarea') ?? element
  const isField = it.matches('input, textarea')
  const kind = !isField ? 'other'
    : ['date', 'month', 'week', 'time', 'datetime-local'].includes(it.type) ? it.type
    : ['text', 'search', 'tel', 'textarea'].includes(it.type) ? 'text' : 'other'
  const root = it.getRootNode()
  const described = (it.getAttribute('aria-describedby') ?? '').split(/\s+/).filter(Boolean)
    .map(id => root.getElementById?.(id)?.innerText ?? '')
  const labels = isField ? [...it.labels ?? []].map(label => label.innerText) : []
  const asked = document.documentElement.lang || navigator.language
  const language = asked === navigator.language.split('-')[0] ? navigator.language : asked
  const sample = new Date(2001, 1, 3)
  const style = { year: 'numeric', month: '2-digit', day: '2-digit' }
  let written = ''
  try { written = sample.toLocaleDateString(language, style) } catch { written = sample.toLocaleDateString('en-US', style) }
  return {
    kind,
    isInside: it !== element && element.contains(it),
    readOnly: Boolean(it.readOnly) || it.getAttribute('aria-readonly') === 'true' || it.inputMode === 'none',
    hints: [it.placeholder, it.dataset.dateFormat, it.dataset.format, it.title, it.getAttribute('aria-placeholder'),
      ...described, ...labels].filter(Boolean),
    pattern: it.getAttribute('pattern') ?? '',
    value: isField ? it.value : '',
    min: it.getAttribute('min') ?? '',
    max: it.getAttribute('max') ?? '',
    invalid: it.getAttribute('aria-invalid') === 'true',
    written,
  }
}
