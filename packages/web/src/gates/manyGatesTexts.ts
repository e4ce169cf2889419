// The texts of a Space with many gates. They arrive with its rows, and not with a first visit.

import { manyGates as english } from '../words/en/manyGates.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { manyGates as romanian } from '../words/ro/manyGates.ts'

/** These texts in the language of the other texts. */
export const manyGatesTexts = inLanguage(english, romanian)
