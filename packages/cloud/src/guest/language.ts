// Which language the guest's page speaks.

import { type Language, languages } from '@callgate/contract/rest/member'
import type { Context } from 'koa'

export function isLanguage(word: unknown): word is Language {
  return languages.some(language => language === word)
}

/** The language that the member picked, else one that the browser asks for, else the Space's, else English. */
export function chooseLanguage(
  ctx: Context,
  preferredLanguage: string | null,
  spaceLanguage: string | undefined,
): Language {
  if (isLanguage(preferredLanguage)) return preferredLanguage
  // Picked on a page of no link, which can keep nothing.
  const { language: picked } = ctx.query
  if (isLanguage(picked)) return picked
  // The first is for a browser that names no language, or accepts any.
  const standard = isLanguage(spaceLanguage) ? spaceLanguage : 'en'
  const accepted = ctx.acceptsLanguages(standard, ...languages)
  return isLanguage(accepted) ? accepted : standard
}
