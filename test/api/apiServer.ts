// Serves the whole REST API on a real socket, with a database in memory and a scripted gateway.

import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Database } from '@callgate/cloud/database/database'
import { testDatabases } from '@callgate/cloud/database/postgres.kit'
import { storedLimits } from '@callgate/cloud/limit/storedLimits'
import type { Exchange } from '@callgate/cloud/opening/exchange'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { Access } from '@callgate/contract/rest/access'
import type { ActivityEntry } from '@callgate/contract/rest/activity'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Member } from '@callgate/contract/rest/member'
import type { ListedOpening, Opening, OpeningEvidence } from '@callgate/contract/rest/opening'
import type { Delivery, Webhook } from '@callgate/contract/rest/webhook'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { contractCheck, type ObservedAnswer } from './contractCheck.ts'
import type { ScriptedGateway } from './scriptedGateway.ts'
import { type ServedCloud, serveCloud, type Tenant, type TenantPlan } from './servedCloud.ts'

/**
 * The JSON of an answer as tests read it. Every answer is checked against its schema first. A missing field is undefined, so a
 * test that uses it fails.
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
  readonly webhook: Webhook
  readonly webhooks: readonly Webhook[]
  readonly secret: string
  readonly delivery: Delivery
  readonly deliveries: readonly Delivery[]
  readonly opened: boolean
  readonly openingId: string
  readonly error: {
    readonly code: string
    readonly message: string
    readonly reason?: string
    readonly openingId?: string
    readonly safeToRetry?: boolean
    readonly joined?: true
  }
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** Empty where the body is no JSON. */
  readonly json: AnswerJson
}

/** A request and its answer, unchanged. */
export interface Exchanged extends Omit<Answer, 'json'> {
  readonly method: string
  readonly path: string
}

export interface Sending {
  /** The API key. Absent: that of the Space `home`, with every scope. Null: no key. */
  readonly key?: string | null
  /** A header with several values is sent several times. */
  readonly headers?: Readonly<Record<string, string | string[]>>
  /** Sent as JSON. A text or bytes are sent unchanged. */
  readonly body?: unknown
}

export interface Api {
  readonly world: FakeWorld
  readonly database: Database
  /** The connection of each cloud to the same database. */
  readonly databases: readonly Database[]
  readonly exchange: Exchange
  readonly gateway: Pick<ScriptedGateway, 'calls' | 'report'>
  readonly base: string
  readonly home: Tenant
  /** Every answer so far: operation, status and code. An undeclared answer fails its test. */
  readonly seen: readonly ObservedAnswer[]
  addSpace(plan?: TenantPlan): Promise<Tenant>
  readonly addSandbox: ServedCloud['addSandbox']
  send(method: string, path: string, sending?: Sending): Promise<Answer>
  /** Moves the clock, second by second, until the answer has come. */
  outlast<T>(answer: Promise<T>): Promise<T>
  /** Moves the clock to the next minute and forgets sent mails, so that no rate limit applies. */
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
      const answer = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        })
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        // A stream without an end is closed after its first event.
        if (!isEndless(path) || !/^id: /m.test(Buffer.concat(chunks).toString())) return
        answer()
        response.destroy()
      })
      response.on('end', answer)
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const isEndless = (path: string) => /^\/(app\/v1\/spaces\/[^/]+\/events|api\/v1\/events\/stream)$/.test(path)

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
  nextBase: () => string,
  keyOfHome: () => string,
  check: ReturnType<typeof contractCheck>['check'],
  note: (exchanged: Exchanged) => void,
): Api['send'] {
  return async (method, path, { body, headers = {}, key = keyOfHome() } = {}) => {
    const bytes = bytesOf(body)
    const raw = await sendRaw(
      nextBase(),
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

/**
 * Serves the whole API on a free port. The clock stops unless a test moves it. `url` names the database; a restart on the same
 * one needs another seed, because otherwise its ids are those of the first run.
 */
export async function serveWholeApi(
  seed = 1,
  url?: string,
  note: (exchanged: Exchanged) => void = () => {},
): Promise<Api> {
  const world = fakeWorld(seed)
  const cloud = await serveCloud(world, { appUrl, ...(url !== undefined && { url }) })
  return apiOf(world, [cloud], note)
}

/**
 * The same for tests without a gateway. On Postgres two clouds serve one database, each with connections of its own, and get the
 * requests in turn.
 */
export async function serveAtTwoClouds(): Promise<Api> {
  const world = fakeWorld(1)
  const databases = await testDatabases(2, world)
  const clouds: ServedCloud[] = []
  for (const database of databases) {
    // A test moves the clock by a month at once: nothing is removed meanwhile.
    const unswept = { ...world, after: () => ({ cancel() {} }) }
    const limits = storedLimits({ database, world: unswept, isByWorld: true })
    const cloud = await serveCloud(world, { appUrl, database, limits })
    const stop = () => {
      limits.stop()
      return cloud.stop()
    }
    clouds.push({ ...cloud, stop })
  }
  return apiOf(world, clouds)
}

/** Takes every connection that the database may have. Give each back with `releaseConnection`. */
export async function allConnections({ client }: Database['knex']): Promise<readonly unknown[]> {
  const taken: unknown[] = []
  while (taken.length < client.pool.max) taken.push(await client.acquireConnection())
  return taken
}

/** Requests go to the clouds in turn. Everything else is that of the first cloud. */
async function apiOf(
  world: FakeWorld,
  clouds: readonly ServedCloud[],
  note: (exchanged: Exchanged) => void = () => {},
): Promise<Api> {
  const [first] = clouds
  if (!first) throw new Error('no cloud serves')
  const { addSandbox, addSpace, base, database, exchange, gateway } = first
  const watched = contractCheck()
  const home = await addSpace()
  let turn = 0
  const nextBase = () => (clouds[turn++ % clouds.length] ?? first).base

  return {
    world,
    database,
    databases: clouds.map(cloud => cloud.database),
    exchange,
    gateway,
    base,
    home,
    seen: watched.seen,
    addSpace,
    addSandbox,
    send: sender(nextBase, () => home.key, watched.check, note),
    async outlast(answer) {
      let isThere = false
      const noted = answer.finally(() => {
        isThere = true
      })
      // The request is sent first; then the clock is moved.
      for (await settle(50); !isThere; await settle(10)) await world.advance(1_000)
      return noted
    },
    async nextMinute() {
      await database.knex('mailRecords').delete()
      await world.advance(60_001)
    },
    async stop() {
      for (const cloud of clouds.toReversed()) await cloud.stop()
    },
  }
}
