// The texts of the message that lets a number in. They arrive with its form and not with a first visit.

import { letIn as english } from '../words/en/letIn.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { letIn as romanian } from '../words/ro/letIn.ts'

/** These texts in the language of the other texts. */
export const letInTexts = inLanguage(english, romanian)
