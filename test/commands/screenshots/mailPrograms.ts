// What three mail programs make of the HTML of a mail, as far as Chromium can show it: a mail without what each of them drops.

// What they drop is taken from https://www.caniemail.com (data: https://github.com/hteumeuleu/caniemail, features html-style,
// css-padding, css-border-radius, css-max-width, css-display, css-overflow-wrap, css-color-scheme, css-at-media-prefers-color-scheme):
//
// - Apple Mail drops nothing that the mails use, and follows `prefers-color-scheme`.
// - Gmail drops the style sheet on mobile webmail and for accounts of others, and knows no `color-scheme`, no `prefers-color-scheme` and
//   no `overflow-wrap`. On the web it leaves the colours of a mail alone; on Android it darkens them as Chromium does
//   (https://customer.io/learn/message-composing/email-forced-dark-mode).
// - Outlook for Windows (2007 to 2019) draws with Word: no round corners, no `max-width`, padding in cells of tables only, no `display`
//   but `none`, and it reads what stands in conditional comments. Its dark mode turns colours over, and leaves pictures as they are.
//
// A picture in the message (`cid:`) is shown by all three.

import { markId, markPng } from '@callgate/cloud/mail/mark'

export const mailPrograms = ['apple', 'gmail', 'outlook'] as const
export type MailProgram = (typeof mailPrograms)[number]

const withPicture = (html: string) =>
  html.replaceAll(`cid:${markId}`, `data:image/png;base64,${markPng.toString('base64')}`)
const withoutStyleSheet = (html: string) => html.replace(/<style>.*?<\/style>/s, '')

/** The declarations at each element, changed: undefined drops one. */
function restyled(html: string, change: (tag: string, property: string, text: string) => string | undefined) {
  return html.replace(/<(\w+)([^>]*) style="([^"]*)"/g, (_, tag: string, before: string, style: string) => {
    const kept = style
      .split(';')
      .map(text => change(tag, text.slice(0, text.indexOf(':')).trim(), text))
      .filter(text => text !== undefined)
    return `<${tag}${before} style="${kept.join(';')}"`
  })
}

const inGmail = (html: string) =>
  restyled(
    withoutStyleSheet(html).replace(/<meta name="(supported-)?color-scheme"[^>]*>/g, ''),
    (_, property, text) => (property === 'overflow-wrap' ? undefined : text),
  )

/** What Word drops wherever it stands. */
const unknownToWord: ReadonlySet<string> = new Set(['border-radius', 'max-width', 'overflow-wrap', 'display'])

function inOutlook(html: string): string {
  const read = withoutStyleSheet(html).replace(/<!--\[if mso\]>|<!\[endif\]-->/g, '')
  return restyled(read, (tag, property, text) => {
    if (/^mso-(padding|border)-alt$/.test(property)) return text.replace(/mso-(\w+)-alt/, '$1')
    if (property === 'padding' && tag !== 'td' && tag !== 'th') return undefined
    return unknownToWord.has(property) ? undefined : text
  })
}

const turnedOver =
  '<style>html{filter:invert(1) hue-rotate(180deg);background:#fff}img{filter:invert(1) hue-rotate(180deg)}</style></head>'

/** The HTML that `program` draws. Apple Mail and Gmail darken what they draw; Outlook turns its colours over. */
export function seenIn(program: MailProgram, html: string, isDark = false): string {
  const shown = withPicture(html)
  if (program === 'apple') return shown
  if (program === 'gmail') return inGmail(shown)
  return isDark ? inOutlook(shown).replace('</head>', turnedOver) : inOutlook(shown)
}
