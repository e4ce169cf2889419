// The caller: the API key of a request, and what it may do.

import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Scope } from '@callgate/contract/rest/scope'
import { apiRefusal } from '../core/plan.ts'
import type { Caller } from './handler.ts'
import type { KeyOpening } from './rateLimit.ts'

/** The API keys as the HTTP layer needs them. */
export interface Callers {
  /** The caller that holds `key`; undefined when the key is unknown, revoked or expired. */
  find(key: string): Promise<Caller | undefined>
  /** Writes when the key was last used. */
  recordUse(apiKeyId: string): Promise<void>
  /** What the keys have opened since `sinceMs` (Unix time in milliseconds), oldest first. */
  openingsSince(sinceMs: number): Promise<readonly KeyOpening[]>
}

/** One answer for every bad key: it does not tell which of the reasons it is. */
const unauthorized: Problem = {
  problem: 'unauthorized',
  message:
    'The API key is missing, unknown, revoked or expired. Send it as "Authorization: Bearer <key>" or as "X-Api-Key: <key>".',
  headers: { 'WWW-Authenticate': 'Bearer' },
}

/**
 * The key that a request carries: `Authorization: Bearer` or `X-Api-Key`; undefined when there is none, or when both
 * are there and differ. Another scheme in Authorization is ignored.
 */
function keyOf(headers: IncomingHttpHeaders): string | undefined {
  const bearer = /^bearer(?: +(.*))?$/i.exec(headers.authorization?.trim() ?? '')
  const given = headers['x-api-key']
  const apiKey = typeof given === 'string' ? given.trim() : undefined
  if (!bearer) return apiKey
  const token = bearer[1] ?? ''
  return apiKey === undefined || apiKey === token ? token : undefined
}

/** The caller; the same 401 for every bad key. */
export async function authenticate(
  callers: Pick<Callers, 'find'>,
  headers: IncomingHttpHeaders,
): Promise<Caller | Problem> {
  const key = keyOf(headers)
  const caller = key === undefined ? undefined : await callers.find(key)
  return caller ?? unauthorized
}

/** Why the caller may not do this: first the plan, then the scope; undefined when it may. */
export function refusalOf(caller: Caller, scope: Scope): Problem | undefined {
  if (!caller.hasApi)
    return {
      problem: 'plan_upgrade_required',
      message: apiRefusal(caller.plan, caller.trialEndedAt),
    }
  if (!caller.scopes.includes(scope))
    return { problem: 'insufficient_scope', message: `The API key lacks the scope ${scope}.` }
  return undefined
}
