// Authentication: the principal of a request by its API key, and what the principal may do.

import type { IncomingMessage } from 'node:http'
import type { NeededScope, OperationShape } from '@callgate/contract/rest/operation'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Scope } from '@callgate/contract/rest/scope'
import { apiRefusal } from '../core/plan.ts'
import type { Db } from '../database/database.ts'
import type { KeyPrincipal, Principal } from './handler.ts'
import type { AskedOpening } from './rateLimit.ts'

/** The API keys in the form that the HTTP layer needs. */
export interface KeyPrincipals {
  /** The principal that holds `key`; undefined when the key is unknown, revoked or expired. */
  find(key: string, db?: Db): Promise<KeyPrincipal | undefined>
  /** Counts a request of the key. Returns whether the counts are due to be written. */
  countUse(apiKeyId: string): boolean
  /** Writes the time of the key's last use. */
  recordUse(apiKeyId: string): Promise<void>
  /** The presses of keys and users since `sinceMs` (Unix time in milliseconds), oldest first. */
  openingsSince(sinceMs: number): Promise<readonly AskedOpening[]>
}

/**
 * The challenge to a refused request (RFC 6750, section 3): the scope of the operation, and the fault of the key. Without a key
 * there is no error.
 */
function challenge(
  scope: NeededScope,
  error?: 'invalid_token' | 'insufficient_scope',
): Record<string, string> {
  const parameters = [
    'realm="Callgate"',
    ...(error ? [`error="${error}"`] : []),
    ...(scope === 'any' ? [] : [`scope="${scope}"`]),
  ]
  return { 'WWW-Authenticate': `Bearer ${parameters.join(', ')}` }
}

/** The same answer for every bad key: it does not reveal the reason. */
export function unauthorized(scope: NeededScope, hasKey: boolean): Problem {
  return {
    problem: 'unauthorized',
    message:
      'The API key is missing, unknown, revoked or expired. Send it as "Authorization: Bearer <key>" or as "X-Api-Key: <key>".',
    headers: challenge(scope, hasKey ? 'invalid_token' : undefined),
  }
}

/** A key that no Space has; it is returned for headers that contradict each other. */
const contradiction = ''

/**
 * The key that a request carries: `Authorization: Bearer` or `X-Api-Key`; undefined when there is none. Another scheme in
 * Authorization is ignored beside X-Api-Key. Two different Authorization headers, or different keys, contradict each other.
 */
export function keyOf(headers: IncomingMessage['headersDistinct']): string | undefined {
  const [authorization = '', ...others] = new Set(headers.authorization?.map(value => value.trim()))
  if (others.length > 0) return contradiction
  const bearer = /^bearer(?: +(.*))?$/i.exec(authorization)
  // A key that comes more than once is invalid, because the joined text contains a comma and no key does.
  const apiKey = headers['x-api-key']?.join(', ').trim()
  if (!bearer) return apiKey
  const token = bearer[1] ?? ''
  return apiKey === undefined || apiKey === token ? token : contradiction
}

/** The principal, or the same 401 for every bad key. `scope` is what the operation needs. */
export async function authenticate(
  callers: Pick<KeyPrincipals, 'find'>,
  { headersDistinct }: IncomingMessage,
  scope: NeededScope,
): Promise<KeyPrincipal | Problem> {
  const key = keyOf(headersDistinct)
  const principal = key === undefined || key === contradiction ? undefined : await callers.find(key)
  return principal ?? unauthorized(scope, key !== undefined)
}

/** Why the principal may not do this: first the plan, then the scope, then its limit to gates; undefined when it may. */
export function refusalOf(
  principal: KeyPrincipal,
  { judgesGates, scope }: Pick<OperationShape, 'scope' | 'judgesGates'>,
): Problem | undefined {
  if (!principal.hasApi)
    return {
      problem: 'plan_upgrade_required',
      message: apiRefusal(principal.plan, principal.trialEndedAt),
    }
  if (scope !== 'any' && !hasScope(principal, scope)) return lacksScope(scope)
  if (principal.gateIds === null || judgesGates) return undefined
  return {
    problem: 'insufficient_scope',
    message: 'The API key is limited to some gates, and this is about more than them.',
    headers: challenge(scope, 'insufficient_scope'),
  }
}

/** Whether a principal may do what a scope allows. The roles of users and of the operator allow everything that scopes do. */
export function hasScope(principal: Principal, scope: Scope): boolean {
  return (
    principal.identity.kind !== 'key' || (principal as Partial<KeyPrincipal>).scopes?.includes(scope) === true
  )
}

/** The refusal of a key without a scope; `what`: the part of the request that needs it. */
export function lacksScope(scope: Scope, what?: string): Problem {
  const needs = what === undefined ? '' : `, which ${what} needs`
  return {
    problem: 'insufficient_scope',
    message: `The API key lacks the scope ${scope}${needs}.`,
    headers: challenge(scope, 'insufficient_scope'),
  }
}
