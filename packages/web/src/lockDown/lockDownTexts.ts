// The texts of the lock-down. They arrive with its banner and its dialog, and not with a first visit.

import { lockDown as english } from '../words/en/lockDown.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { lockDown as romanian } from '../words/ro/lockDown.ts'

/** The texts of the lock-down in the language of the other texts. */
export const lockDownTexts = inLanguage(english, romanian)
