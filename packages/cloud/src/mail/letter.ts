// The text of a mail: subject, plain text and HTML, from the facts about a member when the mail is sent.

import type { Language } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { fill } from '../text/fill.ts'
import { type Letter, type LetterParts, letterOf, printed } from './letterForm.ts'
import type { MemberMailKind } from './outbox.ts'
import { scheduleWords } from './scheduleWords.ts'
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

function accessWords({ maxUsage, schedules }: ListedAccess, wording: Wording, timezone: string): string {
  const shown = schedules
    .slice(0, atMost.schedules)
    .map(schedule => scheduleWords(schedule, wording, timezone))
  if (schedules.length > shown.length) shown.push('…')
  const cap = maxUsage === null ? '' : ` (${fill(wording.cap, { count: maxUsage })})`
  return `${shown.join('; ')}${cap}`
}

/** Writes the mail in the language of `facts`. Names may contain anything: they are kept on one line and escaped. */
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
  const parts: LetterParts = {
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
  return letterOf(parts)
}
