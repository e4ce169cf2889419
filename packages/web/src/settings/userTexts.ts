// The texts about the users of a Space. They arrive with what shows them, and not with a first visit.

import { users as english } from '../words/en/users.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { users as romanian } from '../words/ro/users.ts'

export type UserTexts = typeof english

/** The texts about users in the language of the other texts. */
export const userTexts = inLanguage(english, romanian)
