// Chooses the language of the guest's page.

import { type Language, languages } from '@callgate/contract/rest/member'
import type { Context } from 'koa'

export function isLanguage(word: unknown): word is Language {
  return languages.some(language => language === word)
}

/** The language that the member chose, otherwise one that the browser asks for, otherwise the Space's, otherwise English. */
export function chooseLanguage(
  ctx: Context,
  preferredLanguage: string | null,
  spaceLanguage: string | undefined,
): Language {
  if (isLanguage(preferredLanguage)) return preferredLanguage
  // Chosen on a page without a link, which can store nothing.
  const { language: picked } = ctx.query
  if (isLanguage(picked)) return picked
  // The first one is for a browser that names no language, or accepts any.
  const standard = isLanguage(spaceLanguage) ? spaceLanguage : 'en'
  const accepted = ctx.acceptsLanguages(standard, ...languages)
  return isLanguage(accepted) ? accepted : standard
}
