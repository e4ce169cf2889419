// The texts of the photo of a gate. They arrive with the page of the gate, and not with a first visit.

import { gatePhoto as english } from '../words/en/gatePhoto.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { gatePhoto as romanian } from '../words/ro/gatePhoto.ts'

/** These texts in the language of the other texts. */
export const gatePhotoTexts = inLanguage(english, romanian)
