// Mark text in an element: all of it, or the first place where it stands, as whole words if it does anywhere.
// False when it is not there.
(element, text) => {
  element.focus?.()
  const placeIn = whole => {
    const isLetter = character => /[\p{L}\p{N}_]/u.test(character ?? '')
    for (let at = whole.indexOf(text); at >= 0; at = whole.indexOf(text, at + 1)) {
      const begins = !isLetter(text[0]) || !isLetter(whole[at - 1])
      if (begins && (!isLetter(text.at(-1)) || !isLetter(whole[at + text.length]))) return at
    }
    return whole.indexOf(text)
  }
  if (element.matches('input, textarea')) {
    const start = text === null ? 0 : placeIn(element.value)
    if (start < 0) return false
    element.setSelectionRange(start, text === null ? element.value.length : start + text.length)
    return true
  }
  const range = document.createRange()
  range.selectNodeContents(element)
  if (text !== null) {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const nodes = []
    let whole = ''
    while (walker.nextNode()) {
      nodes.push([whole.length, walker.currentNode])
      whole += walker.currentNode.data
    }
    const start = placeIn(whole)
    if (start < 0) return false
    const at = (offset, isEnd) => {
      const [from, node] = nodes.filter(([begin]) => isEnd ? begin < offset : begin <= offset).at(-1)
      return [node, offset - from]
    }
    range.setStart(...at(start, false))
    range.setEnd(...at(start + text.length, true))
  }
  const selection = element.ownerDocument.getSelection()
  selection.removeAllRanges()
  selection.addRange(range)
  return true
}
