// Words of a page as fingerprints keep them: without blanks too many, states, and what a build tool made up.
() => {
  const STATES = new Set(('active inactive open opened close closed selected unselected focus focused hover hovered disabled enabled ' +
    'visible hidden show shown hide collapsed collapse expanded expand checked unchecked current loading loaded pressed dragging invalid ' +
    'valid dirty pristine touched untouched error').split(' '))
  const STATE = /^(is|has|ng)-|(--|__|-)(active|open|opened|closed|selected|focus|focused|hover|disabled|visible|hidden|expanded|collapsed|checked|current|loading)$|^(hover|focus|active|disabled|group-hover|focus-visible|focus-within):/
  const MADE = /^(css|sc|emotion|svelte|jsx|r)-[0-9a-z]*\d[0-9a-zA-Z]*$|^(sc|css)-[a-zA-Z0-9]{6}$|^jss\d+$|^(makeStyles|Mui\w+)-[\w-]*-\d+$|^_?ng(host|content)|^[a-zA-Z]+_[\w-]+__[\w-]{5}$/
  const UNSTABLE_ID = /^:\w+|^«\w+»$|^_r_\w+_$|^(ember|ext-gen|gwt-uid-|yui_|mui-|radix-|headlessui-|react-select-|ui-id-|downshift-|rc_|cdk-|mat-|aria-|tippy-|popper|uid|j_idt)[\w:-]*\d|[0-9a-f]{8}-[0-9a-f]{4}-|\d{6,}/

  // Letters and digits without a plan: hex of some length, or several changes between letters and digits.
  const isMade = word => word.split(/[-_:]+/).some(part =>
    /^[0-9a-f]{8,}$/i.test(part) && /\d/.test(part) ||
    part.length >= 5 && (part.match(/\d(?=[a-z])|[a-z](?=\d)/gi) ?? []).length >= 3 ||
    part.length >= 5 && part.length <= 7 && (part.match(/[a-z](?=[A-Z])/g) ?? []).length >= 2 ||
    part.length >= 6 && /\d/.test(part) && /[a-z]/.test(part) && /[A-Z]/.test(part.slice(1)) && !/^[A-Z]?[a-z]+([A-Z][a-z]+)*\d*$/.test(part))
  const plain = text => text.replace(/[\u200b\u00ad]+/g, '').replace(/\s+/g, ' ').trim()
  const ofClasses = new Map()
  return {
    plain,
    stableId: id => UNSTABLE_ID.test(id) || isMade(id) ? '' : id.slice(0, 200),
    stableClasses: classes => {
      let kept = ofClasses.get(classes)
      if (!kept) {
        kept = classes.split(/\s+/).filter(each => each && !STATES.has(each) && !STATE.test(each) && !MADE.test(each) && !isMade(each))
        kept = [...new Set(kept)]
        ofClasses.set(classes, kept)
      }
      return kept
    },
    quoted: text => text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`,
  }
}
