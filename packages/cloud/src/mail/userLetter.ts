// The text of a mail to a user of the dashboard: an invitation, a link to set a new password, or a message on security.

import type { Language } from '@callgate/contract/language'
import { fill } from '../text/fill.ts'
import { zonedWords } from '../text/zonedTime.ts'
import { type Letter, letterOf, printed } from './letterForm.ts'
import type { SecurityMailKind } from './outbox.ts'
import { securityWordings } from './securityWording.ts'
import { userWordings } from './userWording.ts'
import { wordings } from './wording.ts'

interface Facts {
  readonly language: Language
  /** The person's name. */
  readonly memberName: string
  readonly link: string
}

export type UserLetterFacts =
  | (Facts & { readonly kind: 'user_invitation'; readonly spaceName: string; readonly invitedBy: string })
  | (Facts & { readonly kind: 'password_reset' })
  /** `link` leads to the page on which a person requests a link to set a new password. */
  | SecurityFacts

interface SecurityFacts extends Facts {
  readonly kind: SecurityMailKind
  /** Milliseconds since 1970. */
  readonly changedAtMs: number
}

/** Subject and sender of a mail that is about no Space. */
function fromCallgate(language: Language, headline: string) {
  const sender = 'Callgate'
  return { sender, subject: fill(wordings[language].subject, { space: sender, what: headline }) }
}

function securityLetter({ changedAtMs, kind, language, link, memberName }: SecurityFacts): Letter {
  const wording = securityWordings[language]
  const { greeting, locale } = wordings[language]
  const headline = kind === 'codes_guessed' || kind === 'owner_added' ? wording.warning : wording.headline
  const words = (parts: Intl.DateTimeFormatOptions) => zonedWords(changedAtMs, 'UTC', locale, parts)
  const time = `${words({ dateStyle: 'long' })}, ${words({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })}`
  return letterOf({
    language,
    link,
    headline,
    ...fromCallgate(language, headline),
    rows: [],
    afterRows: [],
    lead: [
      fill(greeting, { name: printed(memberName) }),
      wording.changed[kind],
      fill(wording.when, { time }),
      wording.wasYou,
    ],
    request: wording.wasNotYou,
    button: wording.button,
    end: [wording.afterwards],
  })
}

/** Writes the mail in the language of `facts`. Names may contain anything: they are kept on one line and escaped. */
export function writeUserLetter(facts: UserLetterFacts): Letter {
  if (facts.kind !== 'user_invitation' && facts.kind !== 'password_reset') return securityLetter(facts)
  const { language, link } = facts
  const wording = userWordings[language]
  const greeting = fill(wordings[language].greeting, { name: printed(facts.memberName) })
  const none = { language, link, rows: [], afterRows: [] }
  if (facts.kind === 'password_reset')
    return letterOf({
      ...none,
      headline: wording.resetHeadline,
      ...fromCallgate(language, wording.resetHeadline),
      lead: [greeting, wording.reset],
      request: wording.resetLink,
      button: wording.resetButton,
      end: [wording.resetEnds, wording.notAsked],
    })
  const values = { space: printed(facts.spaceName), inviter: printed(facts.invitedBy) }
  return letterOf({
    ...none,
    subject: fill(wording.invitationSubject, values),
    sender: values.space,
    headline: fill(wording.invited, values).replace(/\.$/, ''),
    lead: [greeting],
    request: wording.invitationLink,
    button: wording.invitationButton,
    end: [wording.invitationEnds, fill(wording.stranger, values)],
  })
}
