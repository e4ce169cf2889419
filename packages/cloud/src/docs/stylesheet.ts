// The stylesheets of the documentation, our own, for light and dark, phone and desk.

/** The frame of every page. Its rules apply only to the frame, because the reference has a style of its own. */
export const frameStyle = `:root {
  --text: #1c1e21; --soft: #5b6270; --back: #fdfdfc; --raised: #f3f4f2; --line: #dcdfe3;
  --link: #0b5cad; --get: #1b6e3c; --post: #0b5cad; --patch: #8a5300; --delete: #a8261e;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e6ea; --soft: #a2a9b5; --back: #15171a; --raised: #1f2226; --line: #353a41;
    --link: #7db8f5; --get: #71c98f; --post: #7db8f5; --patch: #e0b062; --delete: #f09089;
  }
}
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; top: .5rem; background: var(--back); z-index: 20 }
body > header {
  position: sticky; top: 0; z-index: 10; display: flex; gap: .25rem 1.25rem; align-items: baseline; flex-wrap: wrap;
  box-sizing: border-box; padding: .6rem 1.25rem;
  background: var(--back); border-bottom: 1px solid var(--line);
}
body > header nav { display: flex; gap: .25rem 1rem; flex-wrap: wrap }
body > header a { color: var(--text); text-decoration: none; padding: .25rem 0 }
body > header a:hover, body > header a[aria-current] { text-decoration: underline }
body > header a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
body > header .home { font-weight: 700 }
.wait { padding: 1.25rem }
@media (max-width: 75rem) { body > header { position: static } }
@media (min-width: 75.01rem) {
  :root { --scalar-custom-header-height: 3.4rem }
  body > header { height: 3.4rem }
}
@media print { body > header { display: none } }
`

/** The pages of text. */
export const textStyle = `* { box-sizing: border-box }
html { scroll-padding-top: 4rem }
a { color: var(--link); text-underline-offset: .15em }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
main { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem 6rem }
main > * { max-width: 50rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 1.75rem 0 1rem }
h2 { font-size: 1.4rem; line-height: 1.3; margin: 2.75rem 0 .75rem }
h3 { font-size: 1.1rem; margin: 2rem 0 .5rem }
h4 { font-size: 1rem; margin: 1.25rem 0 .4rem }
p, ul, ol { margin: .6rem 0 }
code, pre { font: .875em/1.5 ui-monospace, Consolas, monospace }
code { background: var(--raised); border-radius: 4px; padding: .1em .3em; overflow-wrap: break-word }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 8px; padding: .8rem 1rem; overflow-x: auto }
pre code { background: none; padding: 0; overflow-wrap: normal }
.wide { overflow-x: auto; margin: .8rem 0 }
table { border-collapse: collapse; width: 100%; font-size: .94rem }
th, td { text-align: left; vertical-align: top; padding: .4rem .9rem .4rem 0; border-bottom: 1px solid var(--line) }
th code, td code { overflow-wrap: normal } td:first-child code { white-space: nowrap }
th:last-child, td:last-child { min-width: 12rem }
th { color: var(--soft); font-weight: 600 }
.get { color: var(--get) } .post { color: var(--post) } .patch { color: var(--patch) } .delete { color: var(--delete) }
@media (max-width: 75rem) { html { scroll-padding-top: 1rem } }
@media (max-width: 40rem) {
  .wide:has(td:nth-child(3)) table { min-width: 28rem }
}
`
