// The texts of dialogs and sheets about members. They arrive with these and not with a first visit.

import { lateMembers as english } from '../words/en/lateMembers.ts'
import { lateMembers as romanian } from '../words/ro/lateMembers.ts'
import type { Words } from '../words/words.tsx'

/** These texts in the language of the other texts. */
export const lateTexts = ({ locale }: Pick<Words, 'locale'>): typeof english =>
  locale.startsWith('ro') ? romanian : english
