// The texts of the palette. They arrive with it, and not with a first visit.

import { palette as english } from '../words/en/palette.ts'
import { palette as romanian } from '../words/ro/palette.ts'
import type { Words } from '../words/words.tsx'

/** The texts of the palette in the language of the other texts. */
export const paletteTexts = ({ locale }: Pick<Words, 'locale'>): typeof english =>
  locale.startsWith('ro') ? romanian : english
