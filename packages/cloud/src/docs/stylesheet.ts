// The stylesheets of the documentation, our own, for light and dark, phone and desk. Colours and sizes are the tokens of the
// dashboard (packages/web/src/theme/tokens.css).

/** Light, then dark. A test compares them with the dashboard's. */
export const tokens = {
  page: ['#f4f5f2', '#0c100e'],
  surface: ['#ffffff', '#151b18'],
  sunken: ['#ebede9', '#1d2521'],
  line: ['#dee2dd', '#2a332e'],
  edge: ['#868f89', '#6e7a73'],
  ink: ['#131a17', '#edf2ef'],
  ink2: ['#47514b', '#b5c0ba'],
  ink3: ['#626c66', '#93a099'],
  press: ['#131a17', '#e3eae6'],
  on: ['#ffffff', '#0c100e'],
  call: ['#2a4fd6', '#93abff'],
  'call-tint': ['#e8edfd', '#1a2447'],
  open: ['#0f6e3e', '#62d596'],
  look: ['#8a5100', '#f3bc55'],
  shut: ['#b3261e', '#ff968c'],
} as const

const values = Object.entries(tokens).map(
  ([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`,
)

/** From this width on the rail stands beside the page. */
const wide = '62.5rem'

/** The frame of every page. Its rules apply only to the frame, because the reference has a style of its own. */
export const frameStyle = `:root {
  color-scheme: light dark;
  ${values.join('\n  ')}
  --sans: "Inter Variable", system-ui, sans-serif; --mono: "JetBrains Mono Variable", ui-monospace, monospace;
}
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.6 var(--sans) }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; top: .5rem; background: var(--surface); z-index: 20 }
.top, #rail { box-sizing: border-box; background: var(--page); color: var(--ink); border: 0 solid var(--line) }
.top { position: sticky; top: 0; z-index: 10; display: flex; align-items: center; justify-content: space-between; height: 56px; padding: 0 16px; border-bottom-width: 1px }
.top button { height: 40px; padding: 0 16px; border: 1px solid var(--edge); border-radius: 10px; background: var(--surface); color: var(--ink); font: 600 .9375rem var(--sans); cursor: pointer }
.home { display: flex; align-items: center; gap: 10px; color: var(--ink); font-weight: 650; text-decoration: none }
.home .mark { width: 26px; height: 26px; fill: none; stroke: var(--ink); stroke-width: 4.2; stroke-linecap: round }
.home .leaf { stroke: var(--call) }
#rail { inset: 56px 0 0; width: auto; height: auto; max-width: none; margin: 0; padding: 20px 12px 32px; overflow-y: auto; line-height: 1.4 }
#rail .home { display: none; padding: 4px 12px 16px }
#rail h2 { margin: 20px 12px 4px; color: var(--ink3); font-size: .8125rem; font-weight: 600 }
#rail ul { margin: 0; padding: 0; list-style: none }
#rail a:not(.home) { display: block; padding: 8px 12px; border-radius: 10px; color: var(--ink2); font-size: .9375rem; text-decoration: none }
#rail a:not(.home):hover { background: var(--sunken) }
#rail a[aria-current] { background: var(--sunken); color: var(--ink); font-weight: 600 }
#rail details { margin-left: 12px; border-left: 1px solid var(--line) }
#rail summary { padding: 6px 12px; border-radius: 10px; color: var(--ink2); font-size: .875rem; cursor: pointer }
#rail summary:hover { background: var(--sunken) }
#rail details a:not(.home) { display: flex; justify-content: space-between; align-items: baseline; gap: 8px; padding: 6px 12px 6px 24px; font-size: .875rem }
#rail details small { font: 600 .6875rem/1 var(--mono) }
#rail a[data-here], #rail details:has([data-here]) > summary { color: var(--ink); font-weight: 600 }
#rail a[data-here] { background: var(--sunken) }
.get { color: var(--open) } .post, .put { color: var(--call) } .patch { color: var(--look) } .delete { color: var(--shut) }
#rail input { box-sizing: border-box; width: 100%; height: 40px; padding: 0 12px; border: 1px solid var(--edge); border-radius: 10px; background: var(--surface); color: var(--ink); font: inherit }
.top :focus-visible, #rail :focus-visible { outline: 3px solid var(--call); outline-offset: 3px }
.wait { padding: 1.25rem }
.reference #main { min-height: 100vh; background: var(--surface) }
.reference { --scalar-custom-header-height: 57px }
@media (min-width: ${wide}) {
  .reference { --scalar-custom-header-height: 0px }
  body { padding-left: 232px }
  .top { display: none }
  #rail { display: block; position: fixed; inset: 0 auto 0 0; width: 232px; border-width: 0 1px 0 0 }
  #rail .home { display: flex }
}
@media (max-width: 62.49rem) { #rail a:not(.home), #rail summary, #rail input { box-sizing: border-box; min-height: 48px; line-height: 32px } }
@media print { .top, #rail { display: none } body { padding: 0 } }
`

/** The pages of text. */
export const textStyle = `* { box-sizing: border-box }
html { scroll-padding-top: 72px }
a { color: var(--call); text-underline-offset: .15em }
a:focus-visible, button:focus-visible, .wide:focus-visible, input:focus-visible + label { outline: 3px solid var(--call); outline-offset: 3px }
main { max-width: 65rem; margin: 0 auto; padding: 8px 24px 96px }
main > * { max-width: 68ch }
main > .wide { max-width: none }
main > pre, main > .tabs { max-width: 47rem }
h1 { margin: 32px 0 16px; font-size: 1.625rem; font-weight: 650; line-height: 1.2; letter-spacing: -.022em }
h2 { margin: 44px 0 12px; font-size: 1.25rem; font-weight: 620; line-height: 1.3 }
h3 { margin: 32px 0 8px; font-size: 1.0625rem; font-weight: 620 }
h4 { margin: 20px 0 6px; font-size: 1rem }
p, ul, ol { margin: .6rem 0 }
code, pre { font: .875em/1.55 var(--mono) }
code { padding: .1em .3em; border-radius: 6px; background: var(--sunken); overflow-wrap: break-word }
pre { margin: 12px 0; padding: 16px; overflow-x: auto; border: 1px solid var(--line); border-radius: 12px; background: var(--surface) }
pre code { padding: 0; background: none; font: inherit; overflow-wrap: normal }
.copy { position: sticky; right: 0; float: right; min-width: 72px; margin: -8px -8px 0 12px; height: 32px; border: 1px solid var(--edge); border-radius: 10px; background: var(--surface); color: var(--ink); font: 600 .8125rem var(--sans); cursor: pointer }
.tabs { display: flex; flex-wrap: wrap; margin: 12px 0 }
.tabs input { position: absolute; opacity: 0 }
.tabs label { padding: 8px 14px; border: 1px solid transparent; border-radius: 10px; color: var(--ink2); font-size: .9375rem; font-weight: 600; cursor: pointer }
.tabs input:checked + label { border-color: var(--line); background: var(--surface); color: var(--ink) }
.tabs pre { display: none; width: 100%; margin: 8px 0 0 }
.tabs input:nth-of-type(1):checked ~ pre:nth-of-type(1), .tabs input:nth-of-type(2):checked ~ pre:nth-of-type(2), .tabs input:nth-of-type(3):checked ~ pre:nth-of-type(3) { display: block }
.wide { overflow-x: auto; margin: 12px 0 }
table { border-collapse: collapse; width: 100%; font-size: .9375rem }
th, td { text-align: left; vertical-align: top; padding: 10px 16px 10px 0; border-bottom: 1px solid var(--line) }
th code, td code { overflow-wrap: normal } td:first-child code { white-space: nowrap }
th:last-child, td:last-child { min-width: 12rem }
th { color: var(--ink3); font-weight: 600 }
.operations { table-layout: fixed; min-width: 36rem }
.operations td:first-child { width: 46% }
.found { padding: 0; list-style: none }
.found li { padding: 16px 0; border-bottom: 1px solid var(--line) }
.found a { font-weight: 600 } .found small { margin-left: 10px; color: var(--ink3) } .found p { margin: 4px 0 0; color: var(--ink2) }
@media (min-width: ${wide}) { html { scroll-padding-top: 16px } }
@media (max-width: 40rem) {
  main { padding: 0 16px 64px }
  .tabs label { padding: 12px 14px }
  .copy { display: block; float: none; left: 0; height: 40px; margin: 0 0 12px }
  .wide:has(td:nth-child(3)) table { min-width: 28rem }
  table:not(:has(td:nth-child(3))) { min-width: 0 }
  table:not(:has(td:nth-child(3))) :is(tbody, tr, td) { display: block; width: auto; min-width: 0; overflow-wrap: anywhere }
  table:not(:has(td:nth-child(3))) td { padding: 10px 0; white-space: normal }
  table:not(:has(td:nth-child(3))) td:first-child { padding-bottom: 0; border: 0 }
  table:not(:has(td:nth-child(3))) td code { white-space: normal }
  table:not(:has(td:nth-child(3))) thead { display: none }
}
@media print { .copy, .tabs label { display: none } .tabs pre { display: block } }
`

/** The reference in the same tokens: the variables that its library reads. */
export const referenceTheme = `.light-mode, .dark-mode {
  --scalar-color-1: var(--ink); --scalar-color-2: var(--ink2); --scalar-color-3: var(--ink3); --scalar-color-accent: var(--call);
  --scalar-background-1: var(--surface); --scalar-background-2: var(--page); --scalar-background-3: var(--sunken); --scalar-background-accent: var(--call-tint);
  --scalar-border-color: var(--line); --scalar-radius: 10px; --scalar-radius-lg: 12px; --scalar-radius-xl: 16px;
  --scalar-font: var(--sans); --scalar-font-code: var(--mono);
  --scalar-color-green: var(--open); --scalar-color-red: var(--shut); --scalar-color-yellow: var(--look); --scalar-color-orange: var(--look); --scalar-color-blue: var(--call); --scalar-color-purple: var(--ink2);
  --scalar-button-1: var(--press); --scalar-button-1-color: var(--on); --scalar-button-1-hover: var(--ink2);
  --scalar-sidebar-background-1: var(--page); --scalar-sidebar-color-1: var(--ink); --scalar-sidebar-color-2: var(--ink2); --scalar-sidebar-color-active: var(--ink);
  --scalar-sidebar-item-hover-background: var(--sunken); --scalar-sidebar-item-active-background: var(--sunken); --scalar-sidebar-border-color: var(--line);
}
/* An example is as light or dark as its page, and the links of the introduction are those of the rail. */
#main .dark-mode { color-scheme: inherit !important }
#main section:focus-visible { outline: 0 }
#main .introduction-section .icons-only { display: none }
/* The library fills in the introduction last. It takes the first window, so that nothing that is seen moves. */
#main .section-container:has(.introduction-section) { min-height: calc(100vh - var(--scalar-custom-header-height)) }`
