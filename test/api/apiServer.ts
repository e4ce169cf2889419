// Serves the whole REST API on a real socket, with a database in memory and a scripted gateway.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { createApi } from '@callgate/cloud/app'
import { type Database, migrate, openDatabase } from '@callgate/cloud/database/database'
import { createHttpServer } from '@callgate/cloud/http/server'
import { createExchange, type Exchange } from '@callgate/cloud/opening/exchange'
import { playedDoor } from '@callgate/cloud/opening/gatewayDoor.kit'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { Access } from '@callgate/contract/rest/access'
import type { ActivityEntry } from '@callgate/contract/rest/activity'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Member } from '@callgate/contract/rest/member'
import type { ListedOpening, Opening, OpeningEvidence } from '@callgate/contract/rest/opening'
import { type Scope, scopeNames } from '@callgate/contract/rest/scope'
import type { DeclineReason } from '@callgate/contract/wire/messages'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { auditActivity, contractCheck, type Seen } from './contractCheck.ts'
import { type ScriptedGateway, scriptedGateway } from './scriptedGateway.ts'

/**
 * The JSON of an answer as tests read it. Every answer is checked against its schema first. A field that the answer does
 * not have is undefined, so a test that uses it fails.
 */
export interface AnswerJson {
  readonly gate: Gate
  readonly gates: readonly Gate[]
  readonly profile: CallProfile
  readonly member: Member
  readonly members: readonly Member[]
  readonly access: Access
  readonly opening: Opening
  readonly evidence: OpeningEvidence
  readonly openings: readonly ListedOpening[]
  readonly activity: readonly ActivityEntry[]
  readonly pagination: {
    readonly limit: number
    readonly offset?: number
    readonly nextCursor?: string | null
  }
  readonly opened: boolean
  readonly openingId: string
  readonly error: {
    readonly code: string
    readonly message: string
    readonly reason?: string
    readonly openingId?: string
    readonly safeToRetry?: boolean
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Empty where the body is no JSON. */
  readonly json: AnswerJson
}

/** A request and its answer, as they were. */
export interface Exchanged extends Omit<Answer, 'json'> {
  readonly method: string
  readonly path: string
}

export interface Sending {
  /** The API key. Absent: that of the Space `home`, with every scope. Null: no key. */
  readonly key?: string | null
  /** A header with several values is sent several times. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Sent as JSON. A text or bytes are sent as they are. */
  readonly body?: unknown
}

export interface NewKey {
  readonly key: string
  readonly apiKeyId: string
}

export interface Tenant {
  readonly spaceId: string
  /** A key with every scope. */
  readonly key: string
  addKey(given?: { scopes?: readonly Scope[]; expiresAt?: string; name?: string }): Promise<NewKey>
  /** The Space's gateway is offline from now on. */
  unplug(): void
  /** The gateway declines every opening from now on. */
  declineAll(reason: DeclineReason): void
}

export type TenantPlan = 'free' | 'pro' | 'business' | 'trial'

export interface Api {
  readonly world: FakeWorld
  readonly database: Database
  readonly exchange: Exchange
  readonly gateway: Pick<ScriptedGateway, 'calls' | 'report'>
  readonly base: string
  readonly home: Tenant
  /** Every answer so far: operation, status and code. An answer that is not declared fails its test. */
  readonly seen: readonly Seen[]
  addSpace(plan?: TenantPlan): Promise<Tenant>
  send(method: string, path: string, sending?: Sending): Promise<Answer>
  /** Moves the clock, second by second, until the answer has come. */
  outlast<T>(answer: Promise<T>): Promise<T>
  /** Moves the clock to the next minute and forgets the mails that were sent, so that no rate limit applies. */
  nextMinute(): Promise<void>
  stop(): Promise<void>
}

/** The base of the members' links. */
export const appUrl = 'http://localhost'

function sendRaw(
  base: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string | string[]>>,
  body?: Buffer,
) {
  return new Promise<Omit<Answer, 'json'>>((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const asked = httpRequest({ hostname, port, method, path, headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function jsonOf({ headers, text }: Omit<Answer, 'json'>): AnswerJson {
  const isJson = /^application\/json/.test(headers['content-type'] ?? '') && text !== ''
  return (isJson ? JSON.parse(text) : {}) as AnswerJson
}

/** Sends requests, and checks every answer against the contract. */
function sender(
  base: string,
  keyOfHome: () => string,
  check: ReturnType<typeof contractCheck>['check'],
  note: (exchanged: Exchanged) => void,
): Api['send'] {
  return async (method, path, { body, headers = {}, key = keyOfHome() } = {}) => {
    const bytes = bytesOf(body)
    const raw = await sendRaw(
      base,
      method,
      path,
      {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
        ...headers,
      },
      bytes,
    )
    const answer = { ...raw, json: jsonOf(raw) }
    check(method, path, answer)
    note({ method, path, ...raw })
    return answer
  }
}

/** Makes Spaces, each with its own gateway. `gatewayOf` holds the gateways that are online. */
function spaceMaker(
  parts: { readonly database: Database; readonly world: FakeWorld },
  gatewayOf: Map<string, string>,
  gateway: ScriptedGateway,
): Api['addSpace'] {
  const { database, world } = parts
  return async (plan = 'pro') => {
    const zone = { country: 'RO', timezone: 'Europe/Bucharest' }
    const { spaceId } = await createSpace(parts, { name: 'Test', plan, ...zone })
    const id = newId(world, 'gw')
    const createdAt = isoTime(world.nowMs())
    const keys = { publicKey: id.slice(-26), passwordHash: 'none' }
    await database.knex('gateways').insert({ id, spaceId, name: 'Pi', ...keys, createdAt })
    gatewayOf.set(spaceId, id)
    const addKey: Tenant['addKey'] = async (given = {}) => {
      const { expiresAt = null, name = 'Desk', scopes = scopeNames } = given
      const made = await createApiKey(parts, { spaceId, name, scopes, expiresAt, actor: 'operator' })
      if (!made) throw new Error('there is no such Space')
      return made
    }
    return {
      spaceId,
      key: (await addKey()).key,
      addKey,
      unplug: () => void gatewayOf.delete(spaceId),
      declineAll: reason => gateway.declineAll(id, reason),
    }
  }
}

/** The key of the seal, the same after a restart. */
const sealingKey = new Uint8Array(32).fill(7)

/**
 * Serves the whole API on a free port. The clock stands still unless a test moves it. `url` names the database; a
 * restart on the same one needs another seed, or its ids are those of the first run.
 */
export async function serveWholeApi(
  seed = 1,
  url = ':memory:',
  note: (exchanged: Exchanged) => void = () => {},
): Promise<Api> {
  const world = fakeWorld(seed)
  const database = await openDatabase({ url })
  await migrate(database)
  const seal = createSeal(world, new Map([[1, sealingKey]]))
  const gatewayOf = new Map<string, string>()
  const gateway = scriptedGateway(world, () => exchange)
  const door = playedDoor(spaceId => [gatewayOf.get(spaceId) ?? []].flat(), gateway.hint)
  const exchange = createExchange({ world, database, door })
  const app = createApi({ world, database, seal, exchange, appUrl })
  const server = createHttpServer(world, app.callback())
  // Idle connections stay open: a test that is slow for a moment must not fail.
  server.keepAliveTimeout = 0
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const watched = contractCheck()
  const addSpace = spaceMaker({ database, world }, gatewayOf, gateway)
  const home = await addSpace()

  return {
    world,
    database,
    exchange,
    gateway,
    base,
    home,
    seen: watched.seen,
    addSpace,
    send: sender(base, () => home.key, watched.check, note),
    async outlast(answer) {
      let isThere = false
      const noted = answer.finally(() => {
        isThere = true
      })
      // The request comes in first; then time begins to pass.
      for (await settle(50); !isThere; await settle(10)) await world.advance(1_000)
      return noted
    },
    async nextMinute() {
      await database.knex('mailRecords').delete()
      await world.advance(60_001)
    },
    async stop() {
      exchange.stop()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await auditActivity(database).finally(() => database.close())
    },
  }
}
