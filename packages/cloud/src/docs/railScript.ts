// The script of the rail, which shows where the reader of the reference is, and leads by a key to the search. The library writes the
// shown operation into the address, and reads it from there. It runs in the browser as it stands here.

export const railScriptPath = '/docs/rail.js'

export const railScript = `const rail = document.getElementById('rail')
const links = [...rail.querySelectorAll('details a')]
const here = () => links.find(({ hash }) => hash === location.hash)
const mark = () => {
  for (const link of links) link.toggleAttribute('data-here', link === here())
}
const unfold = () => {
  mark()
  here()?.closest('details').setAttribute('open', '')
  here()?.scrollIntoView({ block: 'nearest' })
}
unfold()
if (links.length > 0) {
  addEventListener('hashchange', unfold)
  addEventListener('scroll', mark, { passive: true })
  rail.addEventListener('toggle', unfold)
}
rail.addEventListener('click', ({ target }) => {
  if (target.closest('a')) rail.hidePopover()
})
const form = rail.querySelector('form')
form.classList.add('keyed')
const isTyping = ({ isContentEditable, tagName }) => isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(tagName)
addEventListener('keydown', event => {
  const { altKey, ctrlKey, key, metaKey, target } = event
  const isSlash = key === '/' && !altKey && !ctrlKey && !metaKey && !isTyping(target)
  if (!isSlash && !(key === 'k' && (ctrlKey || metaKey))) return
  event.preventDefault()
  // The rail of a narrow window is folded.
  if (!form.checkVisibility()) rail.showPopover()
  form.elements.q.select()
})
`
