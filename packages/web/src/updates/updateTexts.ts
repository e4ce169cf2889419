// The texts of updates. They arrive with the pages of gateways and not with a first visit.

import { updates as english } from '../words/en/updates.ts'
import { updates as romanian } from '../words/ro/updates.ts'
import type { Words } from '../words/words.tsx'

/** These texts in the language of the other texts. */
export const updateTexts = ({ locale }: Pick<Words, 'locale'>): typeof english =>
  locale.startsWith('ro') ? romanian : english
