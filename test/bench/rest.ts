// Reading through the REST API: the list of gates beside a bare handler, the history at a million rows, and the members.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, migrate, openDatabase } from '@callgate/cloud/database/database'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { callProfile } from '@callgate/contract/call/callProfile'
import { scopeNames } from '@callgate/contract/rest/scope'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import openSqlite from 'better-sqlite3'
import { percentile } from './figures.ts'
import type { ServerMessage } from './restServer.ts'

const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** A server in a process of its own, so that its processor time is measured without the client's. */
interface Server {
  readonly port: number
  /** Microseconds of the processor that it has used so far. */
  usedUs(): Promise<number>
  stop(): Promise<void>
}

async function nextMessage(child: ChildProcess): Promise<ServerMessage> {
  const [message] = (await once(child, 'message')) as [ServerMessage]
  return message
}

/** Serves the database in `file`. The log goes to a file beside it, as on a real machine. */
async function serve(kind: 'ours' | 'bare', file: string): Promise<Server> {
  const log = await open(`${file}.log`, 'a')
  const child = fork(new URL('restServer.ts', import.meta.url), [kind, file], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', log.fd, 'ipc'],
  })
  const { port = 0 } = await nextMessage(child)
  return {
    port,
    async usedUs() {
      child.send('used')
      return (await nextMessage(child)).usedUs ?? Number.NaN
    },
    async stop() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
      await log.close()
    },
  }
}

type Ask = (path: string, body?: string) => Promise<string>

/** Asks over connections that stay open; with a body it posts. With `zipped` the answers may come compressed, and stay so. */
function asker({ port }: Server, key: string, agent: Agent, zipped = false): Ask {
  const authorization = `Bearer ${key}`
  return (path, body) =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const headers = {
        authorization,
        ...(zipped && { 'accept-encoding': 'gzip' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const asked = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent }, response => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', chunk => {
          text += chunk
        })
        response.on('end', () =>
          (response.statusCode ?? 500) < 300 ? resolve(text) : reject(new Error(text)),
        )
      })
      asked.on('error', reject)
      asked.end(body)
    })
}

/** Microseconds for one request; they are sent one after the other. */
async function costUs(ask: Ask, path: string, requests: number): Promise<number> {
  const startMs = nowMs()
  for (let request = 0; request < requests; request++) await ask(path)
  return ((nowMs() - startMs) / requests) * 1_000
}

/** The median costs of several requests. They are measured in turn, so that a disturbance hits all of them. */
async function inTurn(
  asks: readonly (readonly [Ask, string])[],
  rounds: number,
  requests: number,
): Promise<number[]> {
  const costs = asks.map(() => [] as number[])
  for (let round = 0; round <= rounds; round++)
    for (const [place, [ask, path]] of asks.entries()) {
      const cost = await costUs(ask, path, requests)
      // The first round warms up.
      if (round > 0) costs[place]?.push(cost)
    }
  return costs.map(samples => percentile(samples, 0.5))
}

interface Tenant {
  readonly spaceId: string
  readonly key: string
  readonly gateId: string
}

/** A Space with a key and so many gates. */
async function furnish(world: World, database: Database, gates: number): Promise<Tenant> {
  const home = { country: 'RO', timezone: 'Europe/Bucharest' }
  const { spaceId } = await createSpace({ database, world }, { name: 'Bench', plan: 'business', ...home })
  const key = await createApiKey(
    { database, world },
    { spaceId, name: 'bench', scopes: scopeNames, expiresAt: null, actor: 'bench' },
  )
  if (!key) throw new Error('no key')
  const rows = Array.from({ length: gates }, (_, place) => ({
    id: newId(world, 'gate'),
    spaceId,
    name: `Gate ${place}`,
    phoneNumber: `+407220${10_000 + place}`,
    location: 'North',
    isActive: true,
    createdAt: new Date(1_700_000_000_000 + place).toISOString(),
    callProfile: JSON.stringify(callProfile({ mode: 'unverified' })),
  }))
  await database.knex.batchInsert('gates', rows, 20)
  return { spaceId, key: key.key, gateId: rows[0]?.id ?? '' }
}

/** Openings that ended, one a second. */
function fillHistory(file: string, { gateId, spaceId }: Tenant, rows: number): void {
  const database = openSqlite(file)
  const columns = database.pragma('table_info(openings)') as {
    name: string
    notnull: number
    dflt_value: unknown
  }[]
  const given: Record<string, string> = {
    id: "'open_' || substr('00000000000000000000000000' || n, -26)",
    spaceId: `'${spaceId}'`,
    gateId: `'${gateId}'`,
    gateName: "'Gate 0'",
    phoneNumber: "'+40722010000'",
    status: "'completed'",
    reason: "'rejected_after_ring'",
    actorType: "'owner'",
    actorName: "'api:bench'",
    calledAt: "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1600000000 + n, 'unixepoch')",
    completedAt: "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1600000009 + n, 'unixepoch')",
    grantBefore: "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1600000012 + n, 'unixepoch')",
  }
  const missing = columns.filter(
    ({ dflt_value, name, notnull }) => notnull === 1 && dflt_value === null && given[name] === undefined,
  )
  if (missing.length > 0)
    throw new Error(`columns without a value: ${missing.map(({ name }) => name).join()}`)
  const names = Object.keys(given).join(', ')
  database.exec(
    `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${rows})
     insert into openings (${names}) select ${Object.values(given).join(', ')} from counted`,
  )
  database.close()
}

interface GatesCost {
  readonly processor: number
  readonly answer: number
}

/**
 * GET /gates against both servers in turn, one request after the other.
 */
async function measureGates(
  sides: readonly { server: Server; ask: Ask; path: string }[],
): Promise<GatesCost[]> {
  const costs = sides.map(() => [] as GatesCost[])
  for (let round = 0; round <= 20; round++)
    for (const [place, { ask, path, server }] of sides.entries()) {
      const requests = 500
      const before = await server.usedUs()
      const answer = await costUs(ask, path, requests)
      const processor = ((await server.usedUs()) - before) / requests
      // The first rounds warm up.
      if (round > 5) costs[place]?.push({ answer, processor })
    }
  const middle = (samples: readonly GatesCost[], of: keyof GatesCost) =>
    percentile(
      samples.map(sample => sample[of]),
      0.5,
    )
  return costs.map(samples => ({
    answer: middle(samples, 'answer'),
    processor: middle(samples, 'processor'),
  }))
}

export interface RestFigures {
  /** Microseconds of the server's processor time for a request, and of a request as its client sees it. */
  readonly gates: { readonly ours: GatesCost; readonly zipped: GatesCost; readonly floor: GatesCost }
  /** Microseconds at 1,000 rows and at 1,000,000. */
  readonly history: readonly { readonly what: string; readonly few: number; readonly many: number }[]
  /** Microseconds of the list of 1,000 members with 5 accesses each, and of its first page. */
  readonly members: { readonly whole: number; readonly page: number }
}

const manyRows = 1_000_000

async function measureHistory(world: World, folder: string, agent: Agent): Promise<RestFigures['history']> {
  const sides = []
  for (const rows of [1_000, manyRows]) {
    const file = join(folder, `history-${rows}.sqlite`)
    const database = await openDatabase({ url: file })
    await migrate(database)
    const tenant = await furnish(world, database, 1)
    fillHistory(file, tenant, rows)
    await database.close()
    const server = await serve('ours', file)
    const ask = asker(server, tenant.key, agent)
    let cursor = ''
    // A page far down the list, as a client reaches it that follows the cursors.
    for (let page = 0; page < 9; page++) {
      const answer = await ask(`/api/v1/openings?limit=100&cursor=${cursor}`)
      cursor = (JSON.parse(answer) as { pagination: { nextCursor: string } }).pagination.nextCursor
    }
    sides.push({ ask, cursor, deep: rows - 100, server })
  }
  const [few, many] = sides
  if (!few || !many) throw new Error('there must be two databases')
  const figures = []
  for (const [what, pathOf, requests] of [
    ['first page', () => '/api/v1/openings', 200],
    ['cursor, tenth page', (side: typeof few) => `/api/v1/openings?limit=50&cursor=${side.cursor}`, 200],
    ['the deepest offset', (side: typeof few) => `/api/v1/openings?offset=${side.deep}`, 3],
  ] as const) {
    const asks = [[few.ask, pathOf(few)] as const, [many.ask, pathOf(many)] as const]
    const [atFew = Number.NaN, atMany = Number.NaN] = await inTurn(asks, requests > 10 ? 9 : 3, requests)
    figures.push({ what, few: atFew, many: atMany })
  }
  for (const { server } of sides) await server.stop()
  return figures
}

/** Measures in a temporary folder, over real sockets; two minutes at most. */
export async function measureRest(): Promise<RestFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-rest-'))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const world = realWorld({ logLevel: 'silent' })
  const file = join(folder, 'rest.sqlite')
  const database = await openDatabase({ url: file })
  await migrate(database)
  const { key } = await furnish(world, database, 50)
  await database.close()
  const server = await serve('ours', file)
  const bare = await serve('bare', file)
  try {
    const ask = asker(server, key, agent)
    const [ours, zipped, floor] = await measureGates([
      { server, ask, path: '/api/v1/gates' },
      { server, ask: asker(server, key, agent, true), path: '/api/v1/gates' },
      { server: bare, ask: asker(bare, key, agent), path: '/' },
    ])
    if (!ours || !zipped || !floor) throw new Error('all three must have been measured')

    const gates = (JSON.parse(await ask('/api/v1/gates')) as { gates: { id: string }[] }).gates.slice(0, 5)
    for (let place = 0; place < 1_000; place++) {
      const accesses = gates.map(({ id }) => ({ gateId: id }))
      await ask('/api/v1/members', JSON.stringify({ name: `Member ${place}`, accesses }))
    }
    const [whole = Number.NaN] = await inTurn([[ask, '/api/v1/members']], 5, 3)
    const [page = Number.NaN] = await inTurn([[ask, '/api/v1/members?limit=50']], 5, 20)
    const history = await measureHistory(world, folder, agent)
    return { gates: { ours, zipped, floor }, history, members: { whole, page } }
  } finally {
    agent.destroy()
    await server.stop()
    await bare.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
