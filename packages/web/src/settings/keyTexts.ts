// The texts of the page of the API keys. They arrive with that page and not with a first visit.

import { keys as english } from '../words/en/keys.ts'
import { keys as romanian } from '../words/ro/keys.ts'
import type { Words } from '../words/words.tsx'

export type KeyTexts = typeof english

/** The texts about API keys in the language of the other texts. */
export const keyTexts = ({ locale }: Pick<Words, 'locale'>): KeyTexts =>
  locale.startsWith('ro') ? romanian : english
