// Mark text in an element: all of it, or the first place where it stands. False when it is not there.
(element, text) => {
  element.focus?.()
  if (element.matches('input, textarea')) {
    const start = text === null ? 0 : element.value.indexOf(text)
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
    const start = whole.indexOf(text)
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
