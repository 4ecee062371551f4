// Remember the records' elements for the questions that follow; gives their order: on the page, or in the document.
(rows, [place, byPosition]) => {
  Object.defineProperty(document, Symbol.for(place), { value: rows, configurable: true })
  const order = rows.map((row, at) => ({ at, box: byPosition ? row.getBoundingClientRect() : null }))
  if (byPosition)
    order.sort((one, other) => Math.round(one.box.top - other.box.top) || Math.round(one.box.left - other.box.left) || one.at - other.at)
  return order.map(({ at }) => at)
}
