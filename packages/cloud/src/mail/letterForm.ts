// The form of a mail: its parts as plain text and as HTML.

import type { Language } from '@callgate/contract/language'
import { type Html, html, trusted } from '../text/html.ts'
import { markId } from './mark.ts'
import { oneLine, unlinked } from './message.ts'

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A paragraph. What the reader should do is important: it has the colour of headlines. */
type Paragraph = string | { readonly important: string }

export const important = (text: string): Paragraph => ({ important: text })

/** The meaning of the edge beside a headline: shut, to be looked at, well again. Its words say the same. */
export type LetterTone = 'shut' | 'look' | 'open'

/** A gate with its times, or an incident with what to know of it. */
export type LetterRow = readonly [name: string, lines: readonly string[], tone?: LetterTone]

/** The parts of a mail, in their order. */
export interface LetterParts {
  readonly language: Language
  readonly subject: string
  /** The Space, or Callgate where the mail is about no Space. */
  readonly sender: string
  /** Above the headline: it is of a letter, and not of the sentence that follows. */
  readonly greeting?: string
  readonly headline: string
  readonly tone?: LetterTone | undefined
  readonly lead: readonly Paragraph[]
  readonly rows: readonly LetterRow[]
  readonly afterRows: readonly string[]
  /** What the link does: no sentence above it says so again. */
  readonly button: string
  readonly link: string
  /** The words above the link itself. */
  readonly linkTitle?: string
  readonly end: readonly Paragraph[]
}

const wordsOf = (paragraph: Paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph.important)

function textOf(parts: LetterParts): string {
  const { afterRows, button, end, greeting = '', headline, lead, link, linkTitle = button, rows } = parts
  const list = rows.map(([name, times]) => [`- ${name}`, ...times.map(time => `  ${time}`)].join('\n'))
  const before = [greeting, headline, ...lead.map(wordsOf), list.join('\n'), ...afterRows]
  return `${[...before, `${linkTitle}\n${link}`, ...end.map(wordsOf)].filter(Boolean).join('\n\n')}\n`
}

/** At most this many rows are in the preview: a list of mails has room for one line or two. */
const mostPreviewed = 3

/** What a list of mails shows behind the subject: what the subject does not say yet. */
function previewOf({ headline, lead, rows, subject }: LetterParts): string {
  const first = /[.!?]$/.test(headline) ? headline : `${headline}.`
  return [
    ...(subject.includes(headline) ? [] : [first]),
    ...lead.map(wordsOf),
    rows
      .slice(0, mostPreviewed)
      .map(([name]) => name)
      .join(' · '),
  ].join(' ')
}

/**
 * No last word alone on a line, headlines whose lines are equal, and the dark colours of the tokens in the dashboard's `tokens.css`.
 * The light ones stand at the elements, because some mail programs drop every style sheet. One of those turns colours over by itself:
 * the button keeps its shape by its border.
 */
const styles = trusted(`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
.card { text-wrap: pretty }
h1 { text-wrap: balance }
@media (prefers-color-scheme: dark) {
.page { background: #0c100e !important }
.card { background: #151b18 !important; border-color: #2a332e !important }
.ink { color: #edf2ef !important }
.ink2 { color: #b5c0ba !important }
.line { border-color: #2a332e !important }
.press { background: #e3eae6 !important; border-color: #6e7a73 !important; color: #0c100e !important }
.shut { border-color: #ff968c !important }
.look { border-color: #f3bc55 !important }
.open { border-color: #62d596 !important }
}
</style>`)

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const layout = trusted('role="presentation" cellpadding="0" cellspacing="0" border="0" width="100%"')
/** Outlook for Windows knows no `max-width`: the card stands in a table of this width that only Outlook sees. */
const widthInOutlook = [
  trusted(
    '<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0"><tr><td><![endif]-->',
  ),
  trusted('<!--[if mso]></td></tr></table><![endif]-->'),
] as const

function paragraphOf(paragraph: Paragraph): Html {
  const [tone, colour] = typeof paragraph === 'string' ? ['ink2', '#47514b'] : ['ink', '#131a17']
  return html`<p class="${tone}" style="margin:0 0 12px;color:${colour}">${wordsOf(paragraph)}</p>\n`
}

const edges: Readonly<Record<LetterTone, string>> = { shut: '#b3261e', look: '#8a5100', open: '#0f6e3e' }

/** The same beside an edge in the colour of `tone`, in a table of its own: Outlook for Windows gives padding to cells alone. */
const edged = (tone: LetterTone, margin: string, inside: Html) =>
  html`<table ${layout} style="margin:${margin};border-collapse:separate"><tr><td class="ink2 ${tone}" style="padding:0 0 0 12px;border-left:4px solid ${edges[tone]};text-align:left;${font};font-size:16px;line-height:1.45;color:#47514b">${inside}</td></tr></table>`

function headOf({ headline, tone }: LetterParts): Html {
  const under = '0 0 16px'
  const head = (margin: string) =>
    html`<h1 class="ink" style="margin:${margin};font-size:24px;line-height:1.2;font-weight:700;color:#131a17">${headline}</h1>`
  return tone ? edged(tone, under, head('0')) : head(under)
}

/** Each name above its times: two columns have no room on a phone, and many mail programs know no media query. */
function listOf(rows: LetterParts['rows']): Html | undefined {
  if (rows.length === 0) return undefined
  const line = (text: string) => html`<div>${text}</div>`
  // A cell is never narrower than its longest word, and no mail program knows every way to break one.
  const broken = (name: string) => (/\S{20}/u.test(name) ? ';word-break:break-all' : '')
  const row = ([name, times, tone]: LetterRow) => {
    const inside = html`<div class="ink" style="font-weight:600;color:#131a17${broken(name)}">${name}</div>${times.map(line)}`
    return html`<tr><td class="ink2 line" style="padding:12px 0;border-top:1px solid #dee2dd;text-align:left;line-height:1.45;color:#47514b">${tone ? edged(tone, '0', inside) : inside}</td></tr>\n`
  }
  return html`<table ${layout} style="margin:4px 0 12px;border-collapse:collapse;${font};font-size:16px">\n${rows.map(row)}</table>\n`
}

/** Filled ink, 56 px high; in a table of its own, because Outlook for Windows gives no padding to a link. */
const buttonOf = ({ button, link }: LetterParts) =>
  html`<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:20px 0;border-collapse:separate"><tr><td class="press" bgcolor="#131a17" style="border:1px solid #868f89;border-radius:12px;mso-padding-alt:15px 28px"><a class="press" href="${link}" style="display:block;padding:15px 28px;border-radius:11px;background:#131a17;color:#ffffff;${font};font-size:17px;font-weight:600;line-height:24px;mso-line-height-rule:exactly;text-align:center;text-decoration:none">${button}</a></td></tr></table>\n`

/** Its picture is in the message, and it has no fonts and no scripts, so nothing is loaded. */
function htmlOf(parts: LetterParts): string {
  const { afterRows, end, greeting, language, lead, link, linkTitle, rows, sender, subject } = parts
  const title = linkTitle && html`${linkTitle}<br>`
  const hello = greeting && html`<p class="ink2" style="margin:0 0 4px;color:#47514b">${greeting}</p>\n`
  const [fixed, end560] = widthInOutlook
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${subject}</title>
${styles}
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f2">
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${previewOf(parts)}</div>
<table ${layout} class="page" bgcolor="#f4f5f2" style="background:#f4f5f2"><tr><td align="center" style="padding:20px 12px 24px">
${fixed}<table ${layout} style="max-width:560px;${font};font-size:16px;line-height:1.5;overflow-wrap:break-word"><tr><td style="padding:0 0 12px;text-align:left"><table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td width="36" style="padding:0 10px 0 0;font-size:0;line-height:0"><img src="cid:${markId}" width="36" height="36" alt="" style="display:block;border:0"></td><td class="ink" style="${font};font-size:16px;font-weight:600;color:#131a17">${sender}</td></tr></table></td></tr>
<tr><td class="card" bgcolor="#ffffff" style="padding:28px 24px 20px;border:1px solid #dee2dd;mso-border-alt:1px solid #b5c0ba;border-radius:16px;background:#ffffff;text-align:left">
${hello}${headOf(parts)}
${lead.map(paragraphOf)}${listOf(rows)}${afterRows.map(paragraphOf)}${buttonOf(parts)}<p class="ink2" style="margin:0 0 20px;font-size:14px;line-height:1.45;color:#47514b">${title}<a class="ink2" href="${link}" style="color:#47514b;word-break:break-all">${link}</a></p>
${end.map(paragraphOf)}</td></tr></table>${end560}
</td></tr></table>
</body>
</html>
`.text
}

/** A name in the form for a mail. */
export const printed = (name: string) => unlinked(oneLine(name))

export function letterOf(parts: LetterParts): Letter {
  return { subject: parts.subject, text: textOf(parts), html: htmlOf(parts) }
}
