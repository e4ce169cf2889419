// The text of a mail: subject, plain text and HTML, from the facts about a member when the mail is sent.

import type { Language } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { fill } from '../text/fill.ts'
import { capitalized } from '../text/lines.ts'
import { formFor } from '../text/plural.ts'
import { important, type Letter, type LetterParts, letterOf, printed } from './letterForm.ts'
import type { MemberMailKind } from './outbox.ts'
import { scheduleLines } from './scheduleWords.ts'
import { type Wording, wordings } from './wording.ts'

/** An access in the list of a mail. */
export interface ListedAccess {
  readonly gateName: string
  readonly schedules: readonly Schedule[]
  readonly maxUsage: number | null
}

export interface LetterFacts {
  readonly kind: MemberMailKind
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

/** A mail stays short: beyond these numbers, it refers to the member's page. */
const atMost = { accesses: 20, schedules: 5 } as const

function accessWords(
  { maxUsage, schedules }: ListedAccess,
  wording: Wording,
  timezone: string,
): readonly string[] {
  const shown = schedules
    .slice(0, atMost.schedules)
    .flatMap(schedule => scheduleLines(schedule, wording, timezone))
  if (schedules.length > atMost.schedules) shown.push('…')
  if (maxUsage !== null) shown.push(fill(formFor(wording.cap, maxUsage, wording.locale), { count: maxUsage }))
  return shown.map(words => capitalized(words, wording.locale))
}

/** What the member may open. A member without a gate is greeted. */
function headlineOf({ accesses, kind, language, memberName }: LetterFacts): string {
  const { greeting, locale, mayOpen, mayOpenOneMore } = wordings[language]
  const values = { name: printed(memberName), count: accesses.length }
  if (accesses.length === 0) return fill(greeting, values).replace(/[,:]$/, '')
  return fill(kind === 'invitation' ? formFor(mayOpen, accesses.length, locale) : mayOpenOneMore, values)
}

/** Writes the mail in the language of `facts`. Names may contain anything: they are kept on one line and escaped. */
export function writeLetter(facts: LetterFacts): Letter {
  const { accesses, kind, language, link, spaceTimezone } = facts
  const wording = wordings[language]
  const isInvitation = kind === 'invitation'
  const values = {
    space: printed(facts.spaceName),
    gate: printed(accesses[0]?.gateName ?? ''),
  }
  const shown = accesses.slice(0, atMost.accesses)
  const isCut =
    accesses.length > shown.length || shown.some(({ schedules }) => schedules.length > atMost.schedules)
  const parts: LetterParts = {
    language,
    subject: fill(isInvitation ? wording.invitationSubject : wording.accessSubject, values),
    sender: values.space,
    headline: headlineOf(facts),
    lead: [
      fill(isInvitation ? wording.invited : wording.accessAdded, values),
      ...(shown.length > 0 ? [] : [wording.noGates]),
    ],
    rows: shown.map(access => [printed(access.gateName), accessWords(access, wording, spaceTimezone)]),
    afterRows: isCut ? [wording.more] : [],
    linkTitle: isInvitation ? wording.link : wording.sameLink,
    link,
    button: wording.button,
    end: [wording.secret, important(wording.trouble), fill(wording.stranger, values)],
  }
  return letterOf(parts)
}
