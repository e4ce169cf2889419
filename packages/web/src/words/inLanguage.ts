// Texts that arrive with a part of the pages, and not with all texts of a language.

import type { Words } from './words.tsx'

/** Makes the function that gives such texts in the language of the other texts. */
export const inLanguage =
  <Texts>(english: Texts, romanian: NoInfer<Texts>) =>
  ({ locale }: Pick<Words, 'locale'>): Texts =>
    locale.startsWith('ro') ? romanian : english
