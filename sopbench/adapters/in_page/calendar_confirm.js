// The button that makes a calendar's choice hold, where it asks for one; or null.
(calendars, _) => {
  const asks = /^\s*(ok|okay|apply|done|set|select|choose|confirm|save|übernehmen|fertig|auswählen|bestätigen|valider|appliquer|choisir|aceptar|aplicar|listo|conferma|applica|gereed|確定)\s*$/i
  for (const { box } of calendars) {
    let around = box
    for (let level = 0; around && level < 5 && around !== document.body; level++, around = around.parentElement ?? around.getRootNode().host) {
      for (const element of around.querySelectorAll('button, [role=button], input[type=button]'))
        if (asks.test(element.innerText || element.value || '') && element.checkVisibility({ visibilityProperty: true })) return element
    }
  }
  return null
}
