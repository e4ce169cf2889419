// The form of a mail: its parts as plain text and as HTML.

import type { Language } from '@callgate/contract/language'
import { html } from '../text/html.ts'
import { oneLine, unlinked } from './message.ts'

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The parts of a mail, in their order. */
export interface LetterParts {
  readonly language: Language
  readonly subject: string
  readonly lead: readonly string[]
  /** Gate and times. */
  readonly accesses: readonly (readonly [string, string])[]
  readonly afterAccesses: readonly string[]
  readonly linkTitle: string
  readonly link: string
  readonly button: string
  readonly end: readonly string[]
}

function textOf({ afterAccesses, end, accesses, lead, link, linkTitle }: LetterParts): string {
  const list = accesses.map(([gate, times]) => `- ${gate}: ${times}`)
  const paragraphs = [...lead, list.join('\n'), ...afterAccesses, `${linkTitle}\n${link}`, ...end]
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`
}

const buttonStyle =
  'display:inline-block;padding:14px 24px;border-radius:8px;background:#1a56db;color:#ffffff;font-weight:bold;text-decoration:none'

/** Without images, fonts or scripts, so nothing is loaded. The colours are the reader's own, except for the button. */
function htmlOf({
  afterAccesses,
  button,
  end,
  accesses,
  language,
  lead,
  link,
  linkTitle,
  subject,
}: LetterParts): string {
  const paragraphs = (texts: readonly string[]) => texts.map(text => html`<p>${text}</p>\n`)
  const items = accesses.map(([gate, times]) => html`<li><strong>${gate}</strong>: ${times}</li>\n`)
  const list = items.length > 0 ? html`<ul>\n${items}</ul>\n` : undefined
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${subject}</title>
</head>
<body style="margin:0;padding:16px;font-family:sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
${paragraphs(lead)}${list}${paragraphs([...afterAccesses, linkTitle])}<p><a href="${link}" style="${buttonStyle}">${button}</a></p>
<p><a href="${link}">${link}</a></p>
${paragraphs(end)}</div>
</body>
</html>
`.text
}

/** A name in the form for a mail. */
export const printed = (name: string) => unlinked(oneLine(name))

export function letterOf(parts: LetterParts): Letter {
  return { subject: parts.subject, text: textOf(parts), html: htmlOf(parts) }
}
