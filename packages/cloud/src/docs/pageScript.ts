// The script of the pages of text: it adds a button to each example, which copies it, shows all examples in the language that was
// chosen last, and marks in the list of sections what is read. It runs in the browser as it stands here, and nothing depends on it.

export const pageScriptPath = '/docs/page.js'

export const pageScript = `const icon = path => '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="' + path + '"/></svg>'
const icons = {
  Copy: icon('M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM16 9V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3'),
  Copied: icon('M5 12l5 5L20 7'),
}
for (const example of document.querySelectorAll('.code')) {
  const button = document.createElement('button')
  const say = word => {
    button.innerHTML = (icons[word] ?? icons.Copy) + '<span>' + word + '</span>'
  }
  button.type = 'button'
  button.className = 'copy'
  say('Copy')
  button.addEventListener('click', async () => {
    const shown = [...example.querySelectorAll('pre')].find(text => text.checkVisibility())
    // Without TLS a browser has no clipboard for pages.
    const copying = navigator.clipboard?.writeText(shown.textContent) ?? Promise.reject()
    say(await copying.then(() => 'Copied', () => 'Select it'))
    setTimeout(say, 2000, 'Copy')
  })
  example.append(button)
}
// Only what scrolls is a stop of the keyboard.
const resized = new ResizeObserver(changes => {
  for (const { target } of changes) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0
    else target.removeAttribute('tabindex')
  }
})
for (const box of document.querySelectorAll('.wide')) resized.observe(box)
const store = {
  get: () => { try { return localStorage.getItem('docs-language') } catch { return null } },
  set: value => { try { localStorage.setItem('docs-language', value) } catch {} },
}
const languageOf = ({ id }) => id.split('-').at(-1)
const choose = language => {
  for (const input of document.querySelectorAll('.tabs input')) if (languageOf(input) === language) input.checked = true
}
choose(store.get())
document.addEventListener('change', ({ target }) => {
  if (!target.matches('.tabs input')) return
  const before = target.getBoundingClientRect().top
  choose(languageOf(target))
  store.set(languageOf(target))
  scrollBy(0, target.getBoundingClientRect().top - before)
})
const listed = [...document.querySelectorAll('.contents a')].map(link => [link, document.getElementById(link.hash.slice(1))])
const markSection = () => {
  const read = listed.filter(([, heading]) => heading.getBoundingClientRect().top < 120).at(-1)
  // The end of a page may be too short to bring its last heading up.
  const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2
  const here = isAtEnd ? listed.at(-1) : read
  for (const [link] of listed) link.toggleAttribute('data-here', link === here?.[0])
}
if (listed.length > 0) {
  markSection()
  addEventListener('scroll', markSection, { passive: true })
}
`
