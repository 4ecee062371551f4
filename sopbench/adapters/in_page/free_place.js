// Where an element that is covered in its middle shows: a place on each, from its top left corner; null if nowhere.
elements => elements.map(element => {
  const box = element.getBoundingClientRect()
  const root = element.getRootNode()
  const parts = [0.5, 0.25, 0.75, 0.1, 0.9]
  for (const down of parts) for (const along of parts) {
    const place = { x: box.width * along, y: box.height * down }
    const top = root.elementFromPoint(box.left + place.x, box.top + place.y)
    if (top && (element === top || element.contains(top))) return place
  }
  return null
})
