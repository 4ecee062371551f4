// How the language of an element's page writes dates and numbers.
elements => {
  const asked = elements[0]?.ownerDocument.documentElement.lang || navigator.language
  const known = (() => { try { return Intl.DateTimeFormat.supportedLocalesOf(asked)[0] } catch { return undefined } })()
  const language = known || navigator.language
  const shortLanguage = asked === navigator.language.split('-')[0] ? navigator.language : language // its region decides
  const parts = new Intl.DateTimeFormat(shortLanguage).formatToParts(new Date(2001, 1, 3))
  const number = new Intl.NumberFormat(language).formatToParts(1234567.8)
  const part = (of, type, otherwise) => of.find(each => each.type === type)?.value ?? otherwise
  const day = month => new Date(2001, month, 1)
  const name = (month, style) => new Intl.DateTimeFormat(language, { month: style }).format(day(month))
  const nameInDate = (month, style) => // in some languages another form: 2 июня, but июнь
    part(new Intl.DateTimeFormat(language, { day: 'numeric', month: style }).formatToParts(day(month)), 'month', '')
  return {
    order: parts.filter(each => ['day', 'month', 'year'].includes(each.type)).map(each => each.type[0]).join(''),
    decimal: part(number, 'decimal', '.'),
    group: part(number, 'group', ','),
    months: [...Array(12).keys()].map(month =>
      ['long', 'short'].flatMap(style => [name(month, style), nameInDate(month, style)])
        .map(each => each.toLocaleLowerCase(language).replace(/\.$/, ''))),
  }
}
