// The REST API on a real socket over a database in memory, for tests.

import { type OperationId, operations } from '@callgate/contract/rest/operations'
import type { Problem } from '@callgate/contract/rest/problem'
import { type Scope, scopeNames } from '@callgate/contract/rest/scope'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { keyPrincipals } from '../api.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { createEventStreams } from '../event/eventStreams.ts'
import { gateHandlers } from '../gate/gates.ts'
import { limitsInMemory } from '../limit/limits.ts'
import type { Seal } from '../secrets/sealing.ts'
import { createApiKey } from '../space/apiKeys.ts'
import { createKeyUses } from '../space/keyUses.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import type { Handlers } from './handler.ts'
import { createHttp, type HttpParts } from './mount.ts'
import { createRateLimits } from './rateLimit.ts'
import { createHttpServer } from './server.ts'

export interface TestServerParts {
  readonly world: FakeWorld
  readonly database: Database
  readonly seal: Seal
}

export interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: { error?: { code: string; message: string }; [member: string]: unknown }
}

export interface ApiServer extends TestServerParts {
  readonly base: string
  readonly spaceId: string
  /** A key with every scope; `send` sends it unless the headers say otherwise. */
  readonly key: string
  /** `gateIds`: what it is limited to. */
  newKey(
    scopes?: readonly Scope[],
    gateIds?: readonly string[],
  ): Promise<{ readonly key: string; readonly apiKeyId: string }>
  send(method: string, path: string, init?: RequestInit): Promise<Sent>
  stop(): Promise<void>
}

/** A request's body as JSON; a text is sent as it is. */
export const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  headers: { 'Content-Type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

/** Status and code of a problem. */
export const told = ({ json: { error }, status }: Sent) => `${status} ${error?.code}`

export const gate = { name: 'Front', phoneNumber: '0722123456' }

const unused = (): Promise<Problem> => Promise.resolve({ problem: 'not_found', message: 'not in this test' })

/** Starts a second server on the same parts. It acts like another process: it does not share the memory of the first. */
export async function listen(
  parts: TestServerParts & Partial<Pick<HttpParts, 'limits' | 'isTrustedProxy'>>,
  handlers: Partial<Handlers>,
) {
  const ids = Object.keys(operations) as OperationId[]
  const none = Object.fromEntries(ids.map(id => [id, unused])) as unknown as Handlers
  const all = { ...none, ...gateHandlers(parts), ...handlers }
  const streams = createEventStreams(parts)
  const limits = parts.limits ?? limitsInMemory(parts.world)
  const principals = keyPrincipals({ ...parts, uses: createKeyUses(parts) })
  const app = createHttp({
    ...parts,
    streams,
    limits,
    rateLimits: createRateLimits({ limits, world: parts.world }, principals.openingsSince),
    principals,
    handlers: all,
    appUrl: 'http://localhost',
  })
  const server = createHttpServer(parts.world, app.callback())
  // A machine that stalls for seconds must not lose the connection between two requests.
  server.keepAliveTimeout = 600_000
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    base: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export async function sendTo(
  base: string,
  key: string,
  method: string,
  path: string,
  init: RequestInit = {},
): Promise<Sent> {
  const headers = { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
  const answer = await fetch(base + path, { method, ...init, headers })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: text ? JSON.parse(text) : {} }
}

/** The API with the gates' real handlers, and with the others of `handlersOf`. */
export async function serveApi(
  handlersOf: (parts: TestServerParts) => Partial<Handlers> = () => ({}),
): Promise<ApiServer> {
  const world = fakeWorld(1)
  const database = await testDatabase(world)
  const seal = newSeal(world)
  const spaceId = await newSpace({ database, world })
  const newKey = async (scopes: readonly Scope[] = scopeNames, gateIds: readonly string[] | null = null) => {
    const given = { spaceId, name: 'Desk', scopes, gateIds, expiresAt: null, actor: 'operator' }
    const made = await createApiKey({ database, world }, given)
    if (!made) throw new Error('no Space')
    return made
  }
  const { key } = await newKey()
  const parts = { world, database, seal }
  const { base, close } = await listen(parts, handlersOf(parts))
  return {
    ...parts,
    base,
    spaceId,
    key,
    newKey,
    send: (method, path, init) => sendTo(base, key, method, path, init),
    async stop() {
      await close()
      await database.close()
    },
  }
}
