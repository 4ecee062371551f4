// Forms that want more than they did.

const HANDS_IN = /^(submit|save|send|create|add|continue|sign up|register|book|order|apply|confirm|done)\b/i
const handsIn = e => (e.matches('button[type=submit], input[type=submit]') && !e.closest('[role=search]')) || HANDS_IN.test(nameOf(e))
const filledIn = part => [...part.querySelectorAll(`${FIELDS}, select, [role=combobox]`)].filter(e => !isPlanted(e) && isShown(e))

// The smallest part of the page in which two fields or more stand before this button; null where there is none, where
// one signs in, and where other things than a form are there too.
const before = (form, submit) => filledIn(form).filter(e => e.compareDocumentPosition(submit) & Node.DOCUMENT_POSITION_FOLLOWING)
const formOf = submit => {
  for (let at = submit.closest('form') ?? submit.parentElement; at && at !== body(); at = at.parentElement) {
    if (at.matches('[role=search], nav, header') || at.querySelector('[role=grid], [role=search]')) return null
    const fields = before(at, submit)
    if (fields.length > 1) return fields.some(field => field.type === 'password') ? null : at
  }
  return null
}

// One more field, last among the others; what hands the form in does nothing until it is filled.
faults.required_field = () => {
  const asked = new WeakMap()
  const ask = (form, submit) => {
    const input = plant('input', 'display:block;width:100%;box-sizing:border-box;padding:6px 8px;font:inherit')
    Object.assign(input, { type: 'text', id: `field-${Math.floor(drawn(`id ${given.asks}`) * 2 ** 40).toString(36)}`, autocomplete: 'off' })
    input.setAttribute('aria-required', 'true')
    const label = plant('label', 'display:block;margin:0 0 4px', given.asks, plant('span', 'color:#b3261e', ' *'))
    label.htmlFor = input.id
    const problem = plant('p', 'color:#b3261e;margin:4px 0 0')
    problem.setAttribute('role', 'alert')
    problem.hidden = true
    const field = plant('div', 'margin:16px 0', label, input, problem)
    let last = before(form, submit).at(-1)
    while (last.parentElement !== form && !last.parentElement.contains(submit)) last = last.parentElement
    last.after(field)
    asked.set(form, { input, problem, field })
    strike(`the form of ${says(submit)} wants '${given.asks}' too`)
  }
  const look = () => {
    if (!state.open) return
    for (const submit of [...document.querySelectorAll(BUTTONS)].filter(e => fits(e) && isShown(e) && handsIn(e))) {
      const form = formOf(submit)
      if (!form || asked.get(form)?.field.isConnected) continue
      if (due(`form of ${says(submit)}`)) ask(form, submit)
    }
  }
  const refused = (event, form) => {
    const { input, problem, field } = asked.get(form) ?? {}
    if (!field?.isConnected) return
    const missing = !clean(input.value)
    input.setAttribute('aria-invalid', String(missing))
    problem.textContent = missing ? `${given.asks} is required` : ''
    problem.hidden = !missing
    if (!missing) return
    event.preventDefault()
    event.stopImmediatePropagation()
    input.focus()
  }
  window.addEventListener('click', event => {
    const submit = event.target.closest?.(BUTTONS)
    const form = submit && !isPlanted(submit) && handsIn(submit) ? formOf(submit) : null
    if (form) refused(event, form)
  }, true)
  window.addEventListener('submit', event => refused(event, event.target), true)
  state.opened = look
  new MutationObserver(look).observe(document, { childList: true, subtree: true, attributeFilter: ['hidden', 'style', 'class'] })
  look()
}
