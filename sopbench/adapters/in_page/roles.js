// ARIA roles as Playwright tells them: gives (element, whether it has no attributes) => role, or null.
() => {
  const KNOWN = new Set(('alert alertdialog application article banner blockquote button caption cell checkbox code ' +
    'columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure form ' +
    'generic grid gridcell group heading img insertion link list listbox listitem log main mark marquee math meter menu ' +
    'menubar menuitem menuitemcheckbox menuitemradio navigation none note option paragraph presentation progressbar radio ' +
    'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript ' +
    'superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem').split(' '))
  const SECTIONS = 'article:not([role]), aside:not([role]), main:not([role]), nav:not([role]), section:not([role]), ' +
    '[role=article], [role=complementary], [role=main], [role=navigation], [role=region]'
  const GLOBAL = ('aria-atomic aria-busy aria-controls aria-current aria-describedby aria-details aria-dropeffect aria-flowto ' +
    'aria-grabbed aria-hidden aria-keyshortcuts aria-live aria-owns aria-relevant').split(' ')
  const NAMELESS = new Set(['caption', 'code', 'deletion', 'emphasis', 'generic', 'insertion', 'paragraph', 'presentation',
    'strong', 'subscript', 'superscript'])
  const PARENTS = { DD: ['DL', 'DIV'], DIV: ['DL'], DT: ['DL', 'DIV'], LI: ['OL', 'UL'], TBODY: ['TABLE'], TD: ['TR'],
    TFOOT: ['TABLE'], TH: ['TR'], THEAD: ['TABLE'], TR: ['THEAD', 'TBODY', 'TFOOT', 'TABLE'] }
  const INPUTS = { button: 'button', checkbox: 'checkbox', file: 'button', image: 'button', number: 'spinbutton',
    radio: 'radio', range: 'slider', reset: 'button', submit: 'button', search: 'searchbox' }

  const named = element => element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')
  const landmark = role => element => element.closest(SECTIONS) ? null : role
  const link = element => element.hasAttribute('href') ? 'link' : null
  const hasTabIndex = element => !Number.isNaN(Number(String(element.getAttribute('tabindex'))))
  const hasGlobal = (element, role) => GLOBAL.some(each => element.hasAttribute(each)) ||
    !NAMELESS.has(role ?? '') && named(element) || role !== 'generic' && element.hasAttribute('aria-roledescription')
  const isHeader = element => element?.tagName === 'TH'
  const hasData = element => element?.tagName === 'TD' && Boolean(element.textContent.trim() || element.children.length)

  const headerRole = element => {
    const scope = element.getAttribute('scope')
    if (scope === 'col' || scope === 'colgroup') return 'columnheader'
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader'
    const next = element.nextElementSibling, before = element.previousElementSibling
    if (!next && !before) return element.closest('table')?.rows.length <= 1 ? null : 'columnheader'
    if (isHeader(next) && isHeader(before)) return 'columnheader'
    return hasData(next) || hasData(before) ? 'rowheader' : 'columnheader'
  }
  const inputRole = element => {
    const type = element.type
    if (type === 'hidden') return null
    const offers = element.hasAttribute('list') && ['email', 'search', 'tel', 'text', 'url'].includes(type) &&
      element.getRootNode().getElementById?.(element.getAttribute('list'))?.tagName === 'DATALIST'
    return offers ? 'combobox' : INPUTS[type] ?? 'textbox'
  }
  const imageRole = element => element.getAttribute('alt') === '' && !element.getAttribute('title') &&
    !hasGlobal(element) && !hasTabIndex(element) ? 'presentation' : 'img'

  const BY_TAG = {
    A: link, AREA: link, ARTICLE: 'article', ASIDE: 'complementary', BLOCKQUOTE: 'blockquote', BUTTON: 'button',
    CAPTION: 'caption', CODE: 'code', DATALIST: 'listbox', DD: 'definition', DEL: 'deletion', DETAILS: 'group', DFN: 'term',
    DIALOG: 'dialog', DT: 'term', EM: 'emphasis', FIELDSET: 'group', FIGURE: 'figure', FOOTER: landmark('contentinfo'),
    FORM: element => named(element) ? 'form' : null, H1: 'heading', H2: 'heading', H3: 'heading', H4: 'heading', H5: 'heading',
    H6: 'heading', HEADER: landmark('banner'), HR: 'separator', HTML: 'document', IMG: imageRole, INPUT: inputRole,
    INS: 'insertion', LI: 'listitem', MAIN: 'main', MARK: 'mark', MATH: 'math', MENU: 'list', METER: 'meter', NAV: 'navigation',
    OL: 'list', OPTGROUP: 'group', OPTION: 'option', OUTPUT: 'status', P: 'paragraph', PROGRESS: 'progressbar',
    SEARCH: 'search', SECTION: element => named(element) ? 'region' : null,
    SELECT: element => element.multiple || element.size > 1 ? 'listbox' : 'combobox', STRONG: 'strong', SUB: 'subscript',
    SUP: 'superscript', SVG: 'img', TABLE: 'table', TBODY: 'rowgroup',
    TD: element => /^(tree)?grid$/.test(explicit(element.closest('table')) ?? '') ? 'gridcell' : 'cell',
    TEXTAREA: 'textbox', TFOOT: 'rowgroup', TH: headerRole, THEAD: 'rowgroup', TIME: 'time', TR: 'row', UL: 'list',
  }

  const explicit = element => {
    const given = element?.getAttribute('role')
    if (!given) return null
    return KNOWN.has(given) ? given : given.toLowerCase().split(/\s+/).find(each => KNOWN.has(each)) ?? null
  }
  const focusable = element => element.tabIndex >= 0 && !element.matches(':disabled') || hasTabIndex(element)
  const isNothing = role => role === 'none' || role === 'presentation'
  const implicit = element => {
    const tag = element.tagName === 'svg' ? 'SVG' : element.tagName
    const rule = BY_TAG[tag]
    const role = typeof rule === 'function' ? rule(element) : rule ?? null
    if (!role || !(tag in PARENTS)) return role
    for (let inner = element, parent; (parent = inner.parentElement) && PARENTS[inner.tagName]?.includes(parent.tagName); inner = parent) {
      const given = explicit(parent)
      if (isNothing(given) && !hasGlobal(parent, given) && !focusable(parent)) return given
    }
    return role
  }
  return (element, bare = false) => {
    const given = bare ? null : explicit(element)
    if (!given) return implicit(element)
    if (!isNothing(given)) return given
    const own = implicit(element)
    return hasGlobal(element, own) || focusable(element) ? own : given
  }
}
