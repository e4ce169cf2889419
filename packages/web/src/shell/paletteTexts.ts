// The texts of the palette. They arrive with it, and not with a first visit.

import { palette as english } from '../words/en/palette.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { palette as romanian } from '../words/ro/palette.ts'

/** The texts of the palette in the language of the other texts. */
export const paletteTexts = inLanguage(english, romanian)
