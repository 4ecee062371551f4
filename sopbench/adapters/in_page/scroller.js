// What scrolls: the element itself, what scrolls within it, or what it scrolls in; the page when ``element`` is null.
element => {
  const page = document.scrollingElement ?? document.documentElement
  if (!element || element === document.body || element === document.documentElement) return page
  const styled = /auto|scroll|overlay/
  const scrolls = each => each.scrollHeight > each.clientHeight + 1 && styled.test(getComputedStyle(each).overflowY) ||
    each.scrollWidth > each.clientWidth + 1 && styled.test(getComputedStyle(each).overflowX)
  if (scrolls(element)) return element
  const inner = [...element.querySelectorAll('*')].find(scrolls)
  if (inner) return inner
  for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) if (scrolls(at)) return at
  return styled.test(getComputedStyle(element).overflowY) ? element : page
}
