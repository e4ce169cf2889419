// The texts of the activity. They arrive with the pages that use them and not with a first visit.

import { activity as english } from './en/activity.ts'
import { activity as romanian } from './ro/activity.ts'
import type { Words } from './words.tsx'

/** These texts in the language of the other texts. */
export const activityTexts = ({ locale }: Pick<Words, 'locale'>): typeof english =>
  locale.startsWith('ro') ? romanian : english
