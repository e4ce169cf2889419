// Conditions: what the headers If-Match, Idempotency-Key and Prefer ask of an operation.

import type { IncomingHttpHeaders } from 'node:http'
import type { OperationShape } from '@callgate/contract/rest/operation'
import type { Problem } from '@callgate/contract/rest/problem'
import { type IfMatch, readIfMatch } from './entityTag.ts'
import { type Preference, readPreference } from './preference.ts'

export interface Conditions {
  readonly ifMatch?: IfMatch | undefined
  readonly idempotencyKey?: string | undefined
  readonly prefer?: Preference | undefined
}

const none: Conditions = {}

const badKey: Problem = {
  problem: 'validation_error',
  message: 'Idempotency-Key must have 1 to 255 visible ASCII characters, bare or in double quotes',
}

const bareKey = /^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/
const quotedKey = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/

/** The key, without the quotes in which the standard's draft (-07) writes it; undefined when it is not valid. */
function idempotencyKeyOf(header: string): string | undefined {
  return bareKey.test(header) ? header : quotedKey.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
}

/** A reader of one operation's headers. What the operation does not know is ignored. */
export function conditionsReader({
  method,
  rateClass,
}: OperationShape): (headers: IncomingHttpHeaders) => Conditions | Problem {
  if (method === 'GET') return () => none
  const hasState = method === 'PATCH' || method === 'DELETE'
  const isRepeatable = method === 'POST' || method === 'PATCH'
  return headers => {
    const match = hasState ? readIfMatch(headers['if-match']) : undefined
    if (match && !match.ok) return match.problem
    // Node joins what came more than once by commas and spaces, which no key holds.
    const given = isRepeatable ? headers['idempotency-key']?.toString() : undefined
    const idempotencyKey = given === undefined ? undefined : idempotencyKeyOf(given)
    if (given !== undefined && idempotencyKey === undefined) return badKey
    const prefer = rateClass === 'open' ? readPreference(headers['prefer']?.toString()) : undefined
    return { ifMatch: match?.ifMatch, idempotencyKey, prefer }
  }
}
