// The guest's page as HTML: no script, nothing from elsewhere, and no name in what a link preview shows.

import { createHash } from 'node:crypto'
import { type Language, languages } from '@callgate/contract/rest/member'
import type { Contact } from '../space/spaces.ts'
import { fill } from '../text/fill.ts'
import { type Html, html, trusted } from '../text/html.ts'
import type { NextTime } from './language.ts'
import { type Outcome, type Texts, texts } from './texts/texts.ts'

// Contrast at least 7:1 in both schemes, buttons at least 44 px high, sizes in rem so that they grow with the text.
const style = `
:root{color-scheme:light dark;--page:#fff;--ink:#14181c;--quiet:#454d55;--press:#0a5a36;--on:#fff;--line:#8a929a}
@media(prefers-color-scheme:dark){:root{--page:#14181c;--ink:#f3f5f6;--quiet:#c3c9ce;--press:#7be0ac;--on:#06281a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:1.125rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:30rem;margin:0 auto;padding:1rem}
h1{font-size:1.5rem;line-height:1.25}
ul{list-style:none;margin:0;padding:0}
li{margin:0 0 1.5rem}
p{margin:.5rem 0}
button{font:inherit;min-height:2.75rem;min-width:2.75rem;border-radius:.75rem;border:1px solid var(--line);
padding:.5rem .75rem;background:var(--page);color:var(--ink);cursor:pointer}
li button{width:100%;min-height:4rem;font-size:1.25rem;font-weight:600;border:0;background:var(--press);color:var(--on)}
li button[disabled]{background:var(--page);color:var(--quiet);border:2px dashed var(--line);cursor:default}
button:focus-visible,a:focus-visible{outline:3px solid var(--ink);outline-offset:3px}
a{color:inherit;display:inline-block;padding:.625rem 0}
.state{font-size:1.25rem;font-weight:600}
.notice{border-left:.375rem solid var(--press);padding-left:.75rem}
.quiet{color:var(--quiet);font-size:1rem}
nav form{display:flex;flex-wrap:wrap;gap:.5rem}
nav [aria-current]{font-weight:600;text-decoration:underline}
`

const styleHash = createHash('sha256').update(style).digest('base64')

/** Forbids everything except our own style and forms to our own address. */
export const contentSecurityPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

/** The address and the language of the pages of one link. */
export interface Setting {
  readonly language: Language
  readonly text: Texts
  /** The link's path, without a trailing slash. */
  readonly home: string
  readonly contact: Contact
}

interface Sheet {
  readonly language: Language
  readonly content: Html
  readonly refreshAfterS?: number
}

function page({ content, language, refreshAfterS }: Sheet): Html {
  const { title } = texts[language]
  const refresh =
    refreshAfterS === undefined ? undefined : html`<meta http-equiv="refresh" content="${refreshAfterS}">`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${title}">
${refresh}<title>${title}</title>
<style>${trusted(style)}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`
}

/** A page with one sentence: a dead link, a fault. With a time, the browser asks again after it. */
export function messagePage(language: Language, message: string, refreshAfterS?: number): Html {
  const content = html`<h1>${texts[language].title}</h1>
<p role="status">${message}</p>`
  return page({ language, content, ...(refreshAfterS !== undefined && { refreshAfterS }) })
}

/** One gate on the page. */
export interface GateEntry {
  readonly gateId: string
  readonly accessId: string
  readonly gateName: string
  readonly location: string
  readonly press:
    | { readonly nonce: string }
    /** `next`: when it opens again. */
    | { readonly denied: Outcome; readonly next: NextTime | undefined }
}

function nextLine(text: Texts, next: NextTime | undefined): Html | undefined {
  if (!next) return undefined
  const { at, rules, words } = next
  return html`<p><strong><time datetime="${at}" title="${rules}">${fill(text.next, { time: words })}</time></strong></p>`
}

/** The contact to call; nothing where the Space has none. */
function contactLine({ contact: { contactName, contactPhone }, text }: Setting): Html | undefined {
  if (contactName === null || contactPhone === null) return undefined
  const number = contactPhone.replace(/[^+0-9]/g, '')
  return html`<p>${text.contact}: ${contactName}, <a href="tel:${number}">${contactPhone}</a></p>`
}

function gateEntry({ home, text }: Setting, gate: GateEntry, place: number): Html {
  const { accessId, gateId, gateName, location, press } = gate
  const label = fill(text.open, { gate: gateName })
  const where = location === '' ? undefined : html`<p class="quiet">${location}</p>`
  if ('nonce' in press)
    return html`<li><form method="post" action="${home}/gates/${gateId}">
<input type="hidden" name="access" value="${accessId}">
<input type="hidden" name="nonce" value="${press.nonce}">
<button>${label}</button></form>${where}</li>
`
  const [what, now] = text.outcomes[press.denied]
  return html`<li><button disabled aria-describedby="why${place}">${label}</button>${where}
<div id="why${place}"><p>${what}</p>${nextLine(text, press.next)}<p>${now}</p></div></li>
`
}

function picker({ home, language, text }: Setting): Html {
  const choices = languages.map(
    code =>
      html`<button name="language" value="${code}" lang="${code}"${code === language ? html` aria-current="true"` : undefined}>${texts[code].name}</button>
`,
  )
  return html`<nav aria-label="${text.language}"><form method="post" action="${home}/language">
${choices}</form></nav>`
}

/** The member's gates. `notice` says why a press opened nothing. */
export function gatesPage(setting: Setting, gates: readonly GateEntry[], notice?: string): Html {
  const { language, text } = setting
  const said = notice === undefined ? undefined : html`<p class="notice" role="status">${notice}</p>`
  const isAllFine = notice === undefined && gates.length > 0 && gates.every(({ press }) => 'nonce' in press)
  const list = gates.map((gate, place) => gateEntry(setting, gate, place))
  const content = html`<h1>${text.title}</h1>
${said}${gates.length === 0 ? html`<p>${text.noGates}</p>` : html`<ul>${list}</ul>`}
${isAllFine ? undefined : contactLine(setting)}
${picker(setting)}`
  return page({ language, content })
}

/** The state of an opening: running, or ended. */
export type Stand =
  | { readonly step: 'calling' | 'ringing' | 'joined' }
  | { readonly outcome: Outcome; readonly next: NextTime | undefined }

/** One opening. While it runs, the page asks again every 2 s, by a GET that opens nothing. */
export function openingPage(
  setting: Setting,
  opening: { readonly id: string; readonly gateName: string },
  stand: Stand,
): Html {
  const { home, language, text } = setting
  const isRunning = 'step' in stand
  const hasFailed = !isRunning && stand.outcome !== 'done'
  const [what, now] = isRunning ? [text[stand.step], undefined] : text.outcomes[stand.outcome]
  const content = html`<h1>${opening.gateName}</h1>
<div role="status"><p class="state">${what}</p>${isRunning ? undefined : nextLine(text, stand.next)}
${now === undefined ? undefined : html`<p>${now}</p>`}${hasFailed ? contactLine(setting) : undefined}</div>
<p><a href="${home}">${text.back}</a></p>
<p class="quiet">${text.reference}: ${opening.id}</p>`
  return page({ language, content, ...(isRunning && { refreshAfterS: 2 }) })
}
