// The text of a mail to a user of the dashboard: an invitation, a link to set a new password, or a message on security.

import type { Language } from '@callgate/contract/language'
import { fill } from '../text/fill.ts'
import { important, type Letter, letterOf, printed } from './letterForm.ts'
import type { SecurityMailKind } from './outbox.ts'
import { securityWordings } from './securityWording.ts'
import { timeWords, zoneNote } from './timeWords.ts'
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
  /** IANA name of the zone of the user's Space. */
  readonly timezone: string
}

/** Subject and sender of a mail that is about no Space. */
function fromCallgate(language: Language, headline: string) {
  const sender = 'Callgate'
  return { sender, subject: fill(wordings[language].subject, { space: sender, what: headline }) }
}

function securityLetter(facts: SecurityFacts): Letter {
  const { changedAtMs, kind, language, link, memberName, timezone } = facts
  const wording = securityWordings[language]
  const { greeting } = wordings[language]
  const isWarning = kind === 'codes_guessed' || kind === 'owner_added'
  const [headline, more] = wording.changed[kind]
  const time = timeWords(changedAtMs, timezone, language)
  return letterOf({
    language,
    link,
    headline,
    ...fromCallgate(language, isWarning ? wording.warning : wording.headline),
    rows: [],
    afterRows: [],
    greeting: fill(greeting, { name: printed(memberName) }),
    lead: [
      ...(more === undefined ? [] : [more]),
      fill(wording.when, { time }),
      wording.wasYou,
      important(wording.wasNotYou),
    ],
    button: wording.button,
    end: [important(wording.afterwards), zoneNote(changedAtMs, timezone, language)],
  })
}

/** Writes the mail in the language of `facts`. Names may contain anything: they are kept on one line and escaped. */
export function writeUserLetter(facts: UserLetterFacts): Letter {
  if (facts.kind !== 'user_invitation' && facts.kind !== 'password_reset') return securityLetter(facts)
  const { language, link } = facts
  const wording = userWordings[language]
  const greeting = fill(wordings[language].greeting, { name: printed(facts.memberName) })
  const both = { language, link, greeting, rows: [], afterRows: [] }
  if (facts.kind === 'password_reset')
    return letterOf({
      ...both,
      headline: wording.resetHeadline,
      ...fromCallgate(language, wording.resetHeadline),
      lead: [wording.reset],
      button: wording.resetButton,
      end: [wording.resetEnds, important(wording.notAsked)],
    })
  const values = { space: printed(facts.spaceName), inviter: printed(facts.invitedBy) }
  // Some languages need more sentences than one, so that no name has to be inflected.
  const [headline = '', ...more] = wording.invited.split(/(?<=\.) /)
  return letterOf({
    ...both,
    subject: fill(wording.invitationSubject, values),
    sender: values.space,
    headline: fill(headline.replace(/\.$/, ''), values),
    lead: more.length > 0 ? [fill(more.join(' '), values)] : [],
    button: wording.invitationButton,
    end: [wording.invitationEnds, fill(wording.stranger, values)],
  })
}
