// The texts of updates. They arrive with the pages of gateways and not with a first visit.

import { updates as english } from '../words/en/updates.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { updates as romanian } from '../words/ro/updates.ts'

/** These texts in the language of the other texts. */
export const updateTexts = inLanguage(english, romanian)
