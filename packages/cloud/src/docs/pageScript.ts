// The script of the pages of text: it adds a button to each example, which copies it, and shows all examples in the language that
// was chosen last. It runs in the browser as it stands here, and nothing depends on it.

export const pageScriptPath = '/docs/page.js'

export const pageScript = `for (const example of document.querySelectorAll('main pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    // Without TLS a browser has no clipboard for pages.
    const copying = navigator.clipboard?.writeText(example.querySelector('code').textContent) ?? Promise.reject()
    button.textContent = await copying.then(() => 'Copied', () => 'Select it')
    setTimeout(() => { button.textContent = 'Copy' }, 2000)
  })
  example.prepend(button)
}
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
`
