// Conditions: reads the headers If-Match, If-None-Match, Idempotency-Key and Prefer for an operation.

import type { IncomingHttpHeaders } from 'node:http'
import { type CallShape, isConditionalRead } from '@callgate/contract/rest/operation'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { readTags, type Tags } from './entityTag.ts'
import { type Preference, readPreference } from './preference.ts'

export interface Conditions {
  readonly ifMatch?: Tags | undefined
  readonly ifNoneMatch?: Tags | undefined
  readonly idempotencyKey?: string | undefined
  readonly prefer?: Preference | undefined
  readonly lastEventId?: string | undefined
}

const none: Conditions = {}

const badKey: Problem = {
  problem: 'validation_error',
  message: 'Idempotency-Key must have 1 to 255 visible ASCII characters, bare or in double quotes',
}

const bareKey = /^[\x21\x23-\x7e][\x21-\x7e]{0,254}$/
const quotedKey = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/

/** The key, without the quotes of the standard's draft (-07); undefined when it is not valid. */
function idempotencyKeyOf(header: string): string | undefined {
  return bareKey.test(header) ? header : quotedKey.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
}

/** A reader of one operation's headers. It ignores headers that the operation does not support. */
export function conditionsReader(
  operation: CallShape,
): (headers: IncomingHttpHeaders) => Conditions | Problem {
  const { method, rateClass } = operation
  if (isConditionalRead(operation))
    return headers => {
      const ifNoneMatch = readTags('If-None-Match', headers['if-none-match'])
      return isProblem(ifNoneMatch) ? ifNoneMatch : { ifNoneMatch }
    }
  if (operation.isStream) return headers => ({ lastEventId: headers['last-event-id']?.toString() })
  if (method === 'GET') return () => none
  const comparesState = operation.problems.includes('precondition_failed')
  // A POST that only reads is harmless when it is repeated.
  const isRepeatable = (method === 'POST' || method === 'PATCH') && rateClass !== 'read'
  return headers => {
    const ifMatch = comparesState ? readTags('If-Match', headers['if-match']) : undefined
    if (isProblem(ifMatch)) return ifMatch
    // Node joins repeated headers by commas and spaces, which are invalid in a key.
    const given = isRepeatable ? headers['idempotency-key']?.toString() : undefined
    const idempotencyKey = given === undefined ? undefined : idempotencyKeyOf(given)
    if (given !== undefined && idempotencyKey === undefined) return badKey
    const prefer = rateClass === 'open' ? readPreference(headers['prefer']?.toString()) : undefined
    return { ifMatch, idempotencyKey, prefer }
  }
}
