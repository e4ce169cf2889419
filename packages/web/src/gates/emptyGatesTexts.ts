// The texts of the page of the gates before there is one. They are loaded where it is shown.

import { emptyGates as english } from '../words/en/emptyGates.ts'
import { emptyGates as romanian } from '../words/ro/emptyGates.ts'
import type { Words } from '../words/words.tsx'

/** These texts in the language of the other texts. */
export const emptyGatesTexts = ({ locale }: Pick<Words, 'locale'>): typeof english =>
  locale.startsWith('ro') ? romanian : english
