// The script that shows in the rail where the reader of the reference is. The library writes the shown operation into the address,
// and reads it from there, so the links of the rail need nothing else. It runs in the browser as it stands here.

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
}
unfold()
addEventListener('hashchange', unfold)
addEventListener('scroll', mark, { passive: true })
rail.addEventListener('click', ({ target }) => {
  if (target.closest('a')) rail.hidePopover()
})
`
