// How the page's language writes dates and numbers.
() => {
  const asked = document.documentElement.lang || navigator.language
  const known = (() => { try { return Intl.DateTimeFormat.supportedLocalesOf(asked)[0] } catch { return undefined } })()
  const language = known || navigator.language
  const shortLanguage = language.split('-')[0] === navigator.language.split('-')[0] ? navigator.language : language
  const parts = new Intl.DateTimeFormat(shortLanguage).formatToParts(new Date(2001, 1, 3))
  const number = new Intl.NumberFormat(language).formatToParts(1234567.8)
  const part = (of, type, otherwise) => of.find(each => each.type === type)?.value ?? otherwise
  const name = (month, style) => new Intl.DateTimeFormat(language, { month: style }).format(new Date(2001, month, 1))
  return {
    order: parts.filter(each => ['day', 'month', 'year'].includes(each.type)).map(each => each.type[0]).join(''),
    decimal: part(number, 'decimal', '.'),
    group: part(number, 'group', ','),
    months: [...Array(12).keys()].map(month =>
      ['long', 'short'].map(style => name(month, style).toLocaleLowerCase(language).replace(/\.$/, ''))),
  }
}
