// Why a person would not act on it yet: the first obstacle in a few words, '' when there is none.
async elements => {
  if (elements.length !== 1) return elements.length ? 'is there several times' : 'is not there'
  const element = elements[0]
  const before = element.getBoundingClientRect()
  await Promise.race([
    new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))),
    new Promise(resolve => setTimeout(resolve, 100)),
  ])
  const box = element.getBoundingClientRect()
  if (!element.isConnected) return 'is drawn anew'
  if (!box.width || !box.height || getComputedStyle(element).visibility !== 'visible') return 'is hidden'
  if (box.x !== before.x || box.y !== before.y || box.width !== before.width) return 'is moving'
  if (element.disabled || element.closest('fieldset:disabled, [aria-disabled=true], [inert]')) return 'is disabled'
  if (element.readOnly) return 'is read-only'
  const top = element.getRootNode().elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
  if (!top || element.contains(top) || top.contains(element) || top.control === element) return ''
  const classes = [...top.classList].slice(0, 2).map(each => '.' + each).join('')
  return 'is covered by ' + top.tagName.toLowerCase() + (top.id ? '#' + top.id : '') + classes
}
