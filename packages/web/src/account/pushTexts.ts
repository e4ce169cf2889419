// The texts of pushes. They arrive with the page of the account, and not with a first visit.

import { push as english } from '../words/en/push.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { push as romanian } from '../words/ro/push.ts'

/** The texts of pushes in the language of the other texts. */
export const pushTexts = inLanguage(english, romanian)
