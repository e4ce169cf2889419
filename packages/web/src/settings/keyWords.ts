// The texts of the page of the API keys, as pure functions of a key.

import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import { type Scope, scopeNames } from '@callgate/contract/rest/scope'
import type { Reader } from '../members/memberWords.ts'
import { count, shortDate } from '../words/time.ts'
import { keyTexts } from './keyTexts.ts'

/** The scope that is shown apart, because it moves real gates. */
export const opens: Scope = 'gates:open'

/** So many rights are named; more are counted. */
const mostNamed = 2

/** All rights of a key in one phrase, or all but one; undefined where it has fewer. */
export function sayAllRights(
  scopes: readonly string[],
  { words }: Pick<Reader, 'words'>,
): string | undefined {
  const says = keyTexts(words).rights
  const missing = scopeNames.filter(scope => !scopes.includes(scope))
  if (missing.length === 0) return says.all
  return missing.length === 1 && missing[0] === 'members:read_email' ? says.allButEmail : undefined
}

/** The rights of a key without the one that opens: `All but e-mail addresses`, `5 rights`. */
export function sayRights(scopes: readonly Scope[], reader: Pick<Reader, 'words'>): string {
  const says = keyTexts(reader.words)
  const all = sayAllRights(scopes, reader)
  if (all !== undefined) return all
  const quiet = scopes.filter(scope => scope !== opens)
  if (quiet.length > mostNamed) return says.rights.count(quiet.length)
  return quiet.map(scope => says.scopes[scope]).join(', ')
}

/** Whether the key is refused: it was revoked, or its end has passed. */
export function isOver({ expiresAt, revokedAt }: ApiKeyView, nowMs: number): boolean {
  return revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= nowMs)
}

/** `1 Jan 2027`, `Never ends`, `revoked 3 Nov 2026`. */
export function sayEnd(key: ApiKeyView, { nowMs, times, words }: Reader): string {
  const { expiresAt, revokedAt } = key
  if (revokedAt !== null) return keyTexts(words).revokedOn(shortDate(revokedAt, times))
  if (expiresAt === null) return keyTexts(words).never
  const day = shortDate(expiresAt, times)
  return isOver(key, nowMs) ? keyTexts(words).endedOn(day) : day
}

/** `1,284 requests in 30 days`. */
export function sayRequests({ uses }: Pick<ApiKeyView, 'uses'>, { words }: Pick<Reader, 'words'>): string {
  const all = uses.reduce((sum, of) => sum + of, 0)
  return keyTexts(words).requests(count(all, words.locale), all === 1)
}
