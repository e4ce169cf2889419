// The texts of the page of the API keys. They arrive with that page and not with a first visit.

import { keys as english } from '../words/en/keys.ts'
import { inLanguage } from '../words/inLanguage.ts'
import { keys as romanian } from '../words/ro/keys.ts'

export type KeyTexts = typeof english

/** The texts about API keys in the language of the other texts. */
export const keyTexts = inLanguage(english, romanian)
