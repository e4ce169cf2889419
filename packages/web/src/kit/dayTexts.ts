// The texts of the field of a day. They arrive with the pages that have one and not with a first visit.

import { days as english } from '../words/en/days.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { days as romanian } from '../words/ro/days.ts'

/** These texts in the language of the other texts. */
export const dayTexts = inLanguage(english, romanian)
