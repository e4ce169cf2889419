// The texts of dialogs and sheets about members. They arrive with these and not with a first visit.

import { lateMembers as english } from '../words/en/lateMembers.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { lateMembers as romanian } from '../words/ro/lateMembers.ts'

/** These texts in the language of the other texts. */
export const lateTexts = inLanguage(english, romanian)
