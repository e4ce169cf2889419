// The texts of the activity. They arrive with the pages that use them and not with a first visit.

import { activity as english } from './en/activity.ts'
import { inLanguage } from './inLanguage.ts'
import { activity as romanian } from './ro/activity.ts'

/** These texts in the language of the other texts. */
export const activityTexts = inLanguage(english, romanian)
