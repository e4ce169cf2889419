// The texts of pushes. They arrive with the page of the account, and not with a first visit.

import { push as english } from '../words/en/push.ts'
import { push as romanian } from '../words/ro/push.ts'
import type { Words } from '../words/words.tsx'

/** The texts of pushes in the language of the other texts. */
export const pushTexts = ({ locale }: Pick<Words, 'locale'>): typeof english =>
  locale.startsWith('ro') ? romanian : english
