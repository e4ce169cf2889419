// The words of a mail: subject, plain text and HTML, from the facts about a member when it is sent.

import type { Language } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { fill } from '../text/fill.ts'
import { html } from '../text/html.ts'
import { oneLine, unlinked } from './message.ts'
import type { MailKind } from './outbox.ts'
import { scheduleWords } from './scheduleWords.ts'
import { type Wording, wordings } from './wording.ts'

/** An access as a mail lists it. */
export interface ListedAccess {
  readonly gateName: string
  readonly schedules: readonly Schedule[]
  readonly maxUsage: number | null
}

export interface LetterFacts {
  readonly kind: MailKind
  readonly language: Language
  readonly spaceName: string
  /** IANA name. */
  readonly spaceTimezone: string
  readonly memberName: string
  /** The magic link. */
  readonly link: string
  /** All gates of an invitation; the one new gate of `access_granted`. */
  readonly accesses: readonly ListedAccess[]
}

export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** A mail stays short: beyond these, it refers to the member's page. */
const atMost = { accesses: 20, schedules: 5 } as const

function accessWords({ maxUsage, schedules }: ListedAccess, wording: Wording, timezone: string): string {
  const shown = schedules
    .slice(0, atMost.schedules)
    .map(schedule => scheduleWords(schedule, wording, timezone))
  if (schedules.length > shown.length) shown.push('…')
  const cap = maxUsage === null ? '' : ` (${fill(wording.cap, { count: maxUsage })})`
  return `${shown.join('; ')}${cap}`
}

interface Parts {
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

function textOf({ afterAccesses, end, accesses, lead, link, linkTitle }: Parts): string {
  const list = accesses.map(([gate, times]) => `- ${gate}: ${times}`)
  const paragraphs = [...lead, list.join('\n'), ...afterAccesses, `${linkTitle}\n${link}`, ...end]
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`
}

const buttonStyle =
  'display:inline-block;padding:14px 24px;border-radius:8px;background:#1a56db;color:#ffffff;font-weight:bold;text-decoration:none'

/** No image, font or script: nothing is fetched. The colours are the reader's own, except the button's. */
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
}: Parts): string {
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

/** A name as a mail prints it. */
const printed = (name: string) => unlinked(oneLine(name))

/** Writes the mail in the language of `facts`. Names may hold anything: they stay on one line and are escaped. */
export function writeLetter(facts: LetterFacts): Letter {
  const { accesses, kind, language, link, spaceTimezone } = facts
  const wording = wordings[language]
  const isInvitation = kind === 'invitation'
  const values = {
    space: printed(facts.spaceName),
    name: printed(facts.memberName),
    gate: printed(accesses[0]?.gateName ?? ''),
  }
  const shown = accesses.slice(0, atMost.accesses)
  const isCut =
    accesses.length > shown.length || shown.some(({ schedules }) => schedules.length > atMost.schedules)
  const parts: Parts = {
    language,
    subject: fill(isInvitation ? wording.invitationSubject : wording.accessSubject, values),
    lead: [
      fill(wording.greeting, values),
      fill(isInvitation ? wording.invited : wording.accessAdded, values),
      shown.length > 0 ? wording.gates : wording.noGates,
    ],
    accesses: shown.map(access => [printed(access.gateName), accessWords(access, wording, spaceTimezone)]),
    afterAccesses: isCut ? [wording.more] : [],
    linkTitle: isInvitation ? wording.link : wording.sameLink,
    link,
    button: wording.button,
    end: [wording.secret, wording.trouble, fill(wording.stranger, values)],
  }
  return { subject: parts.subject, text: textOf(parts), html: htmlOf(parts) }
}
