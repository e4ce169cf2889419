// The texts of the form of a gate. They arrive with the form and not with a first visit.

import { gateForm as english } from '../words/en/gateForm.ts'
import { gateForm as romanian } from '../words/ro/gateForm.ts'
import type { Words } from '../words/words.tsx'

/** These texts in the language of the other texts. */
export const gateFormTexts = ({ locale }: Pick<Words, 'locale'>): typeof english =>
  locale.startsWith('ro') ? romanian : english
