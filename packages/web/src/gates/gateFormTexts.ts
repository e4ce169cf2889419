// The texts of the form of a gate. They arrive with the form and not with a first visit.

import { gateForm as english } from '../words/en/gateForm.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { gateForm as romanian } from '../words/ro/gateForm.ts'

/** These texts in the language of the other texts. */
export const gateFormTexts = inLanguage(english, romanian)
