// The texts about templates of accesses. They arrive with the pages that use them and not with a first visit.

import { templates as english } from '../words/en/templates.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { templates as romanian } from '../words/ro/templates.ts'

/** These texts in the language of the other texts. */
export const templateTexts = inLanguage(english, romanian)
