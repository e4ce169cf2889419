// The words of a mail to a user of the dashboard: an invitation, or a link to set a new password.

import type { Language } from '@callgate/contract/language'
import { fill } from '../text/fill.ts'
import { type Letter, letterOf, printed } from './letterForm.ts'
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

/** Writes the mail in the language of `facts`. Names may hold anything: they stay on one line and are escaped. */
export function writeUserLetter(facts: UserLetterFacts): Letter {
  const { language, link } = facts
  const wording = userWordings[language]
  const greeting = fill(wordings[language].greeting, { name: printed(facts.memberName) })
  const none = { language, link, accesses: [], afterAccesses: [] }
  if (facts.kind === 'password_reset')
    return letterOf({
      ...none,
      subject: wording.resetSubject,
      lead: [greeting, wording.reset],
      linkTitle: wording.resetLink,
      button: wording.resetButton,
      end: [wording.resetEnds, wording.notAsked],
    })
  const values = { space: printed(facts.spaceName), inviter: printed(facts.invitedBy) }
  return letterOf({
    ...none,
    subject: fill(wording.invitationSubject, values),
    lead: [greeting, fill(wording.invited, values)],
    linkTitle: wording.invitationLink,
    button: wording.invitationButton,
    end: [wording.invitationEnds, fill(wording.stranger, values)],
  })
}
