// What a person would notice of the page: its headings, what it says in dialogs and notices, what it asks for.
([mostChars, most]) => {
  const words = text => (text || '').trim().replace(/\s+/g, ' ').slice(0, 200)
  const seen = element => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const name = element => words(element.getAttribute('aria-label') || element.labels?.[0]?.innerText || element.innerText
    || element.getAttribute('placeholder') || element.title)
  const all = (selector, told, limit = most) =>
    [...new Set([...document.querySelectorAll(selector)].filter(seen).map(told).filter(Boolean))].slice(0, limit)
  const said = element => words(element.innerText)
  const accounts = 'button, a, [role=button], [role=link], [aria-label]'
  return {
    headings: all('h1, h2, [role=heading]', said),
    notices: all('dialog[open], [role=dialog], [role=alertdialog], [role=alert], [role=status]', said),
    columns: all('th, [role=columnheader]', said, 4 * most),
    fields: all('input:not([type=hidden]), textarea, select, [role=textbox], [role=combobox]', name, 4 * most),
    accounts: all(accounts, name, Infinity).filter(each => /\S+@\S+\.\S+/.test(each) && /account|signed in|profile/i.test(each)),
    asks_password: [...document.querySelectorAll('input[type=password]')].some(seen),
    text: words_of_page(),
  }
  function words_of_page() {
    return (document.body?.innerText || '').trim().replace(/\s+/g, ' ').slice(0, mostChars)
  }
}
