// The texts in which a date field, or the field beside a button, would say its date: the most telling first.
element => {
  const own = element.tagName === 'LABEL' && element.control ? element.control : element
  if (own.matches('input, textarea')) return [own.value]
  const texts = [own.innerText ?? '', own.getAttribute('aria-label') ?? '', own.getAttribute('title') ?? '']
  const fields = of => [...of.querySelectorAll('input:not([type=checkbox], [type=radio], [type=button]), textarea')]
    .map(field => field.value)
  texts.push(...fields(own))
  let around = own.parentElement
  for (let level = 0; around && level < 3; level++, around = around.parentElement) {
    const found = fields(around)
    if (found.length) return [...texts, ...found]
  }
  return texts
}
