// The texts of the page of the gates before there is one. They are loaded where it is shown.

import { emptyGates as english } from '../words/en/emptyGates.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { emptyGates as romanian } from '../words/ro/emptyGates.ts'

/** These texts in the language of the other texts. */
export const emptyGatesTexts = inLanguage(english, romanian)
