// Requests to handlers without HTTP, for the unit tests of the rooms.

import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import type { OperationId } from '@callgate/contract/rest/operations'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { writeUnlessProblem } from '../database/transaction.ts'
import { newSpace } from '../space/space.kit.ts'
import type { AppRequest, Principal, Request, UserPrincipal } from './handler.ts'
import { isLongList, type LongList } from './longList.ts'
import type { WrittenList } from './reply.ts'

/** The holder of a key in a Space in Romania. */
export function principalIn(spaceId: string, apiKeyId = 'key'): Principal {
  const identity = { kind: 'key', apiKeyId } as const
  const named = { actor: 'api:Desk', name: 'api:Desk', email: null }
  return { spaceId, identity, ...named, country: 'RO', base: '/api/v1' }
}

/** A principal in a new Space of the plan pro, in Romania. */
export async function newPrincipal(
  parts: { readonly database: Database; readonly world: World },
  name = 'Test',
): Promise<Principal> {
  const spaceId = await newSpace(parts, { name })
  return principalIn(spaceId)
}

/** The answer where If-Match names an old state. */
export const outdated: Problem = { problem: 'precondition_failed', message: 'planted' }

type RequestInput<Id extends OperationId> = Partial<Pick<Request<Id>, 'params' | 'query' | 'body' | 'stale'>>

/** The parts that depend on the operation; the compiler does not know them here. */
type Loose<Id extends OperationId> = keyof RequestInput<Id> | 'receivedAt'

/** A request in the form that `mount` passes on. Missing parts are empty; If-Match matches unless `stale` is given. */
export function requestOf<Id extends OperationId>(
  database: Database,
  principal: Principal,
  given: RequestInput<Id> = {},
): Request<Id> {
  const whole: Omit<Request<Id>, Loose<Id>> & { [Name in Loose<Id>]: unknown } = {
    principal: principal as Request<Id>['principal'],
    receivedAt: { monotonicMs: 0, sinceBootMs: 0 },
    write: work => database.write(work),
    stale: () => undefined,
    params: {},
    query: {},
    body: undefined,
    ...given,
  }
  return whole as Request<Id>
}

/** A request of an admin of the Space, in the form that `mount` passes on. */
export function adminRequest<Id extends OwnOperationId>(
  database: Database,
  spaceId: string,
  given: Partial<Record<'params' | 'query' | 'body' | 'stale', unknown>> & {
    readonly who?: Partial<Pick<UserPrincipal, 'isConfirmed' | 'role'>>
  } = {},
): AppRequest<Id> {
  const { who, ...parts } = given
  const identity = { kind: 'user', userId: 'user_a', sessionId: 'session_a' } as const
  const named = {
    actor: 'user:ada@example.com',
    name: 'Ada',
    email: 'ada@example.com',
    role: 'admin',
  } as const
  const principal = { ...principalIn(spaceId), identity, ...named, ...who, base: `/app/v1/spaces/${spaceId}` }
  const whole = {
    principal,
    receivedAt: { monotonicMs: 0, sinceBootMs: 0 },
    write: (work: Parameters<Database['write']>[0]) => writeUnlessProblem(database, work as never),
    stale: () => undefined,
    params: {},
    query: {},
    body: undefined,
    ...parts,
  }
  return whole as unknown as AppRequest<Id>
}

/** The answer of a handler, also one in pieces. Throws when it is a problem. */
export async function bodyOf<Body>(
  answer: Promise<{ readonly body: Body } | WrittenList | LongList | Problem>,
): Promise<Body> {
  const said = await answer
  if (isProblem(said)) throw new Error(said.message)
  if ('json' in said) return JSON.parse(said.json)
  if (!isLongList(said)) return said.body
  const items: object[] = []
  for await (const piece of said.pieces) items.push(...piece.map(item => JSON.parse(item)))
  return { [said.list]: items, ...said.rest } as Body
}
