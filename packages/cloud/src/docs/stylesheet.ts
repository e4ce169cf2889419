// The stylesheets of the documentation, our own, for light and dark, phone and desk. Colours and sizes are the tokens of the
// dashboard (packages/web/src/theme/tokens.css).

import { linesStyle } from './markdown.ts'

/** Light, then dark. A test compares them with the dashboard's. */
export const tokens = {
  page: ['#f4f5f2', '#0c100e'],
  surface: ['#ffffff', '#151b18'],
  sunken: ['#ebede9', '#1d2521'],
  line: ['#dee2dd', '#2a332e'],
  track: ['#d3d9d4', '#323c37'],
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

/** Some 68 characters of Inter, whose digits are wider than its letters: `ch` would be a quarter too much. */
const measure = '36rem'
/** From this width on the rail stands beside the page. */
const wide = '62.5rem'

/** What the reference begins with. */
const indexStyle = `.index, .wait { max-width: 62rem; margin: 0 auto; padding-inline: 24px }
.index > p, .index section p { max-width: ${measure} }
.index { padding-top: 32px }
.index > p:not(.eyebrow) { margin: 0 0 16px }
.index a { color: var(--call); text-underline-offset: .15em }
.index > h2 { margin: 56px 0 8px; font-size: 1.25rem; font-weight: 620; line-height: 1.3 }
.index code { font: .8125rem/1.5 var(--mono); overflow-wrap: anywhere }
.index dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 1px; margin: 24px 0 0; overflow: hidden; border: 1px solid var(--line); border-radius: 12px; background: var(--line) }
.index dl div { padding: 12px 16px; background: var(--surface) }
.index dt { color: var(--ink3); font-size: .8125rem; font-weight: 600 }
.index dd { margin: 2px 0 0; font-size: .9375rem }
.groups { columns: 26rem 2; column-gap: 40px; margin-top: 8px }
.groups section { break-inside: avoid; padding-top: 24px }
.groups h2 { margin: 0; font-size: 1.0625rem; font-weight: 620; line-height: 1.4 }
.groups p { margin: 0 0 6px; color: var(--ink2); font-size: .9375rem; line-height: 1.45 }
.groups ul { margin: 0; padding: 0; list-style: none }
.groups li a { display: grid; grid-template-columns: 4rem 1fr; padding: 7px 0; border-top: 1px solid var(--line); color: var(--ink); font-size: .9375rem; line-height: 1.4; text-decoration: none }
.groups li a:hover span { text-decoration: underline; text-underline-offset: .15em }
.groups small { color: var(--ink2); font: 600 .6875rem/1.3125rem var(--mono) }
.groups code { grid-column: 2; color: var(--ink3); font-size: .75rem }
`

/** A shadow at the side where more can be scrolled to; the ground of the content covers it at the end. */
const scrollHint = `background: ${[
  'linear-gradient(90deg, var(--page) 50%, transparent) 0 0 / 32px 100% local no-repeat',
  'linear-gradient(270deg, var(--page) 50%, transparent) 100% 0 / 32px 100% local no-repeat',
  'linear-gradient(90deg, var(--track), transparent) 0 0 / 10px 100% no-repeat',
  'linear-gradient(270deg, var(--track), transparent) 100% 0 / 10px 100% no-repeat',
].join(', ')}`

/** The frame of every page. Its rules apply only to the frame, because the reference has a style of its own. */
export const frameStyle = `/* The library darkens the panels of examples, with !important in a layer. Of two such rules the earlier layer wins. */
@layer frame { .light-mode .dark-mode { color-scheme: light !important; --lightningcss-light: initial !important; --lightningcss-dark: !important } }
:root {
  color-scheme: light dark;
  ${values.join('\n  ')}
  --sans: "Inter Variable", system-ui, sans-serif; --mono: "JetBrains Mono Variable", ui-monospace, monospace;
}
html { -webkit-text-size-adjust: 100% }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.6 var(--sans) }
.skip { position: absolute; left: -100vw }
.skip:focus { left: 1rem; top: .5rem; padding: 8px 16px; border-radius: 10px; background: var(--press); color: var(--on); z-index: 20 }
.top, #rail { box-sizing: border-box; background: var(--page); color: var(--ink); border: 0 solid var(--line) }
.top { position: sticky; top: 0; z-index: 10; display: flex; align-items: center; justify-content: space-between; height: 56px; padding: 0 16px; border-bottom-width: 1px }
.top a, .top button { scroll-margin-top: -72px }
.top button { height: 40px; padding: 0 16px; border: 1px solid var(--edge); border-radius: 10px; background: var(--surface); color: var(--ink); font: 600 .9375rem var(--sans); cursor: pointer }
.home { display: flex; align-items: center; gap: 10px; color: var(--ink); font-weight: 650; text-decoration: none }
.home .mark { width: 26px; height: 26px; fill: none; stroke: var(--ink); stroke-width: 4.2; stroke-linecap: round }
.home .leaf { stroke: var(--call) }
#rail { inset: 56px 0 0; width: auto; height: auto; max-width: none; margin: 0; padding: 20px 12px 32px; overflow-y: auto; line-height: 1.4 }
#rail .home { display: none; padding: 4px 12px 16px }
#rail h2 { margin: 20px 12px 4px; color: var(--ink3); font-size: .8125rem; font-weight: 600 }
#rail form { position: relative }
#rail .keyed::after { content: "/"; position: absolute; top: 9px; right: 9px; width: 22px; border: 1px solid var(--line); border-radius: 6px; background: var(--page); color: var(--ink3); font: .75rem/20px var(--mono); text-align: center; pointer-events: none }
#rail .keyed:focus-within::after { display: none }
#rail ul { margin: 0; padding: 0; list-style: none }
#rail li { margin: 0 }
#rail a:not(.home) { display: block; padding: 8px 12px; border-radius: 10px; color: var(--ink2); font-size: .9375rem; text-decoration: none }
#rail a:not(.home):hover { background: var(--sunken) }
#rail a[aria-current] { background: var(--sunken); color: var(--ink); font-weight: 600 }
#rail details { margin-left: 12px; border-left: 1px solid var(--line) }
#rail summary { padding: 6px 12px; border-radius: 10px; color: var(--ink2); font-size: .875rem; cursor: pointer }
#rail summary:hover { background: var(--sunken) }
#rail details a:not(.home) { display: flex; justify-content: space-between; align-items: baseline; gap: 8px; padding: 6px 12px 6px 24px; font-size: .875rem }
#rail details small { color: var(--ink3); font: 600 .6875rem/1 var(--mono) }
#rail a[data-here], #rail details:has([data-here]) > summary { color: var(--ink); font-weight: 600 }
#rail a[data-here] { background: var(--sunken) }
input[type=search] { box-sizing: border-box; width: 100%; height: 40px; padding: 0 12px; border: 1px solid var(--edge); border-radius: 10px; background: var(--surface); color: var(--ink); font: inherit }
.top :focus-visible, #rail :focus-visible, .index :focus-visible { outline: 3px solid var(--call); outline-offset: 3px }
.eyebrow { margin: 0 0 4px; color: var(--ink3); font-size: .8125rem; font-weight: 600 }
h1 { margin: 0 0 16px; font-size: 1.625rem; font-weight: 650; line-height: 1.2; letter-spacing: -.022em; text-wrap: balance }
.reference { --scalar-custom-header-height: 57px; scroll-padding-top: 72px }
#reference { min-height: 100vh }
${indexStyle}@media (min-width: ${wide}) {
  .reference { --scalar-custom-header-height: 0px; scroll-padding-top: 16px }
  body { padding-left: 232px }
  .top { display: none }
  #rail { display: block; position: fixed; inset: 0 auto 0 0; width: 232px; border-width: 0 1px 0 0 }
  #rail .home { display: flex }
}
@media (max-width: 62.49rem) {
  .top button { height: 44px }
  #rail a:not(.home), #rail summary, input[type=search] { box-sizing: border-box; min-height: 48px; line-height: 32px }
  #rail .keyed::after { display: none }
}
@media print { .top, #rail { display: none } body { padding: 0 } }
`

/** The pages of text. */
export const textStyle = `* { box-sizing: border-box }
html { scroll-padding-top: 72px }
a { color: var(--call); text-underline-offset: .15em }
a:focus-visible, button:focus-visible, .wide:focus-visible, input[type=search]:focus-visible, input:focus-visible + label { outline: 3px solid var(--call); outline-offset: 3px }
main { max-width: 65rem; margin: 0 auto; padding: 32px 24px 96px }
main > *, article > * { max-width: ${measure} }
main > article { max-width: none }
article > :is(.wide, .code, .steps, footer) { max-width: 47rem }
h2 { margin: 48px 0 12px; font-size: 1.25rem; font-weight: 620; line-height: 1.3 }
h3 { margin: 32px 0 8px; font-size: 1.0625rem; font-weight: 620; line-height: 1.4 }
h1 + h2 { margin-top: 28px }
h2 + h3 { margin-top: 20px }
h4 { margin: 20px 0 6px; font-size: 1rem }
:is(h2, h3, h4) > a { color: inherit; text-decoration: none }
:is(h2, h3, h4) > a::after { content: "#"; content: "#" / ""; margin-left: .35em; color: var(--ink3); font-weight: 400; opacity: 0 }
:is(h2, h3, h4) > a:is(:hover, :focus-visible)::after { opacity: 1 }
p, ul, ol { margin: 12px 0; text-wrap: pretty }
ul, ol { padding-left: 1.375rem }
li { margin: 6px 0 }
li::marker { color: var(--ink3) }
code, pre { font: .875em/1.55 var(--mono) }
code { padding: .1em .3em; border-radius: 6px; background: var(--sunken); overflow-wrap: break-word }
h2 code, h3 code { font-size: .9375em }
/* A long line goes on below. What is copied has the lines of the example. */
pre { order: 1; width: 100%; margin: 0; padding: 14px 16px; border-top: 1px solid var(--line); border-radius: 0 0 12px 12px; font-size: .8125rem; white-space: pre-wrap; overflow-wrap: anywhere }
pre code { padding: 0; background: none; font: inherit; overflow-wrap: inherit }
pre span { display: block }
${linesStyle}
.code { display: flex; flex-wrap: wrap; align-items: center; margin: 16px 0; border: 1px solid var(--line); border-radius: 12px; background: var(--surface) }
.code i { color: var(--ink3); font-style: normal }
.tabs:has(+ .answer) { margin-bottom: 0; border-radius: 12px 12px 0 0 }
.tabs + .answer { margin-top: 0; border-top: 0; border-radius: 0 0 12px 12px; background: var(--sunken) }
.answer pre { border-top: 0; padding-top: 0 }
.answer .language, .answer .copy { line-height: 38px }
.language { padding-left: 16px; color: var(--ink3); font-size: .8125rem; font-weight: 600; line-height: 46px }
.copy { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-width: 90px; height: 32px; margin: 7px 7px 7px auto; padding: 0 10px; border: 0; border-radius: 8px; background: none; color: var(--ink2); font: 600 .8125rem var(--sans); cursor: pointer }
.copy:hover { background: var(--sunken); color: var(--ink) }
.copy svg { width: 16px; height: 16px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.tabs input { position: absolute; opacity: 0 }
.tabs label { margin: 7px 0 7px 7px; padding: 0 12px; border-radius: 8px; color: var(--ink2); font-size: .875rem; font-weight: 600; line-height: 32px; cursor: pointer }
.tabs label:hover { color: var(--ink) }
.tabs input:checked + label { background: var(--sunken); color: var(--ink) }
.tabs pre { display: none }
.tabs input:nth-of-type(1):checked ~ pre:nth-of-type(1), .tabs input:nth-of-type(2):checked ~ pre:nth-of-type(2), .tabs input:nth-of-type(3):checked ~ pre:nth-of-type(3) { display: block }
.wide { margin: 16px 0; overflow-x: auto; ${scrollHint} }
table { border-collapse: collapse; width: 100%; font-size: .9375rem; line-height: 1.5 }
th, td { text-align: left; vertical-align: top; padding: 10px 16px 10px 0; border-bottom: 1px solid var(--line) }
th:last-child, td:last-child { padding-right: 0 }
th code { padding: 0; background: none }
th code, td code { overflow-wrap: normal } td:not(:last-child) code { white-space: nowrap }
td:last-child { min-width: 10rem }
th { color: var(--ink3); font-size: .8125rem; font-weight: 600 }
.contents { display: none }
footer { margin-top: 56px; font-size: .875rem }
.steps { display: flex; flex-wrap: wrap; gap: 12px; margin-top: 20px }
.steps a { flex: 1 1 14rem; padding: 12px 16px; border: 1px solid var(--line); border-radius: 12px; background: var(--surface); color: var(--ink); font-weight: 600; text-decoration: none }
.steps a:hover { border-color: var(--edge) }
.steps [rel=next] { margin-left: auto; text-align: right }
@media (min-width: 40rem) { .steps a { max-width: calc(50% - 6px) } tr:has(td:nth-child(4)) > :first-child { min-width: 7.5rem } }
.steps small { display: block; color: var(--ink3); font-size: .8125rem; font-weight: 400 }
.find { display: flex; gap: 8px; margin: 0 0 16px }
.find input { flex: 1; min-width: 0 }
.find button { padding: 0 18px; border: 0; border-radius: 10px; background: var(--press); color: var(--on); font: 600 .9375rem var(--sans); cursor: pointer }
.count { color: var(--ink2); font-size: .9375rem }
.found { padding: 0; list-style: none }
.found li { margin: 0; padding: 16px 0; border-bottom: 1px solid var(--line) }
.found a { font-weight: 600; overflow-wrap: anywhere } .found small { margin-left: 10px; color: var(--ink3) } .found p { margin: 4px 0 0; color: var(--ink2) }
mark { border-radius: 4px; background: var(--call-tint); color: inherit }
@media (min-width: ${wide}) { html { scroll-padding-top: 24px } }
@media (min-width: 75rem) {
  main:has(> .contents) { display: grid; grid-template-columns: minmax(0, 47rem) 12rem; column-gap: 3rem }
  article { grid-area: 1 / 1 }
  .contents { grid-area: 1 / 2; display: block; position: sticky; top: 32px; max-height: calc(100vh - 32px); padding: 4px 0 24px; align-self: start; overflow-y: auto; font-size: .8125rem; line-height: 1.4 }
  .contents h2 { margin: 0 0 8px; padding-left: 14px; color: var(--ink3); font-size: inherit; font-weight: 600 }
  .contents ul { margin: 0; padding: 0; list-style: none }
  .contents li { margin: 0 }
  .contents a { display: block; padding: 5px 0 5px 13px; border-left: 1px solid var(--line); color: var(--ink2); text-decoration: none }
  .contents .depth3 a { padding-left: 25px }
  .contents a:hover { color: var(--ink) }
  .contents [data-here] { padding-left: 12px; border-left: 2px solid var(--ink); color: var(--ink) }
  .contents .depth3 [data-here] { padding-left: 24px }
}
@media (max-width: 40rem) {
  main { padding: 24px 16px 64px }
  pre { font-size: .75rem }
  td code, td:not(:last-child) code { white-space: normal; overflow-wrap: anywhere }
  .tabs label { margin: 4px 0 4px 4px; line-height: 44px }
  .copy { min-width: 44px; height: 44px; margin: 2px 2px 2px auto; padding: 0 }
  .copy span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .find button { min-height: 48px }
  .wide { background: none }
  table, thead, tbody, tr, td { display: block; min-width: 0 }
  th { padding: 0; border: 0 }
  th + th::before { content: "·"; margin: 0 .4em }
  tr:has(th:nth-child(3)) th + th { display: none }
  tr { padding: 12px 0; border-bottom: 1px solid var(--line) }
  td, td:last-child { min-width: 0; padding: 0; border: 0; overflow-wrap: anywhere }
  td:first-child { font-weight: 600 }
  td + td { margin-top: 4px }
  td:empty { display: none }
  /* Of two columns the second needs no name. */
  tr:has(td:nth-child(3)) td + td::before { content: attr(data-column); display: block; color: var(--ink3); font-size: .8125rem }
  tr:has(td:nth-child(3)) td.short::before { display: inline-block; margin-right: .75em }
}
@media print { .copy, .tabs label, .contents, .steps { display: none } .tabs pre { display: block } }
`

/** The reference in the same tokens: the variables that its library reads. */
export const referenceTheme = `.light-mode, .dark-mode {
  --scalar-color-1: var(--ink); --scalar-color-2: var(--ink2); --scalar-color-3: var(--ink3); --scalar-color-accent: var(--call);
  --scalar-background-1: var(--page); --scalar-background-2: var(--surface); --scalar-background-3: var(--sunken); --scalar-background-accent: var(--call-tint);
  --scalar-border-color: var(--line); --scalar-radius: 10px; --scalar-radius-lg: 12px; --scalar-radius-xl: 12px;
  --scalar-font: var(--sans); --scalar-font-code: var(--mono);
  /* The colour of a method says nothing that its word does not. */
  --scalar-color-green: var(--ink2); --scalar-color-red: var(--ink2); --scalar-color-yellow: var(--ink2); --scalar-color-orange: var(--ink2); --scalar-color-blue: var(--ink2); --scalar-color-purple: var(--ink2);
  --scalar-button-1: var(--press); --scalar-button-1-color: var(--on); --scalar-button-1-hover: var(--ink2);
  --scalar-heading-1: 1.25rem; --scalar-heading-2: 1.0625rem; --refs-content-max-width: 59rem;
}
#reference .scalar-app { --scalar-header-height: 0px }
#reference .t-doc__header { display: none }
#reference section:focus-visible { outline: 0 }
#reference :is(.endpoints, .endpoints-card > *) { max-height: none; overflow: visible }
#reference .endpoints * { white-space: normal; overflow-wrap: anywhere }
#reference :is(.ascii-art, .scalar-sidebar-toggle) { display: none }
#reference .section-container { max-width: calc(62rem + 48px); margin-inline: auto; padding-inline: 24px }
#reference .section { max-width: none; padding: 40px 0 }
#reference :is(.scalar-card, .introduction-card) { --scalar-background-1: var(--surface) }
/* Colour is for what a gate says: the parts of code differ by their ink. */
#reference :is(.hljs-string, .hljs-symbol, .hljs-number, .hljs-literal, .hljs-built_in, .hljs-title, .hljs-type) { color: var(--ink) }
#reference :is(.hljs-attr, .hljs-keyword, .hljs-punctuation, .hljs-comment, .hljs-meta) { color: var(--ink3) }
#reference :is(.property-required, .request-body-required) { color: var(--ink); font-weight: 600 }
#reference .scalar-card-header-tabs .scalar-card-header-title { margin-right: 12px }
#reference .scalar-card-checkbox-checkmark { box-sizing: border-box; border: 1px solid var(--edge) }
#reference .markdown code { border: 0; background: var(--sunken) }
/* The link to a field must not take a line of its own. */
#reference .copy-link-trailing { position: absolute }
#reference :focus-visible { outline: 3px solid var(--call); outline-offset: 2px }
#reference:not([data-keyed]) .collapsible-section-toggle { outline: 0 }
/* Every operation needs a key, as the page has said. */
#reference .security-requirement-badge { display: none }
/* What an answer means is read as a whole, and so is the path of a request. */
#reference .parameter-item-trigger .markdown-summary { display: block; overflow: visible; white-space: normal }
#reference .request-card .scalar-card-header-title { overflow: visible; white-space: normal; overflow-wrap: anywhere }
#reference .scalar-code-block :is(pre, pre *) { white-space: pre-wrap; word-break: break-all }
#reference .scalar-card-footer:not(:has(button)) { display: none }
#reference .endpoints-card { overflow: hidden }
#reference .endpoints li:has(svg) .endpoint-path { font-family: var(--sans) }
/* A section that is folded stands on the same ground, and its button below what is there already. */
#reference .tag-section-collapsed { background: none }
#reference .show-more { top: 0; margin-block: -12px 28px }
@media (max-width: 40rem) {
  #reference :is(.endpoints-card, .operation-auth) { display: none }
  #reference .request-card .scalar-card-header { flex-wrap: wrap }
  #reference .request-card .scalar-card-header-title { flex: 1 0 100% }
}
/* The page has said this already. What is left is the language of the examples. */
#reference .introduction-section { min-height: 12rem; padding-block: 8px 40px }
#reference .introduction-section :is(.section-content > :not(.section-columns), .section-column:first-child, .scalar-client) { display: none }
#reference .introduction-section .section-column { width: 100%; max-width: 47rem }`
