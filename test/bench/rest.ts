// Reading through the REST API: the list of gates beside a bare handler, the history at a million rows, and the members.

import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request as httpRequest, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activityHandlers } from '@callgate/cloud/activityLog'
import { createApiKey } from '@callgate/cloud/apiKeys'
import { type Database, migrate, openDatabase } from '@callgate/cloud/database'
import { createExchange } from '@callgate/cloud/exchange'
import { gateHandlers } from '@callgate/cloud/gates'
import { createHttp } from '@callgate/cloud/http/mount'
import { memberHandlers } from '@callgate/cloud/members'
import { openingHandlers } from '@callgate/cloud/openings'
import { createSeal } from '@callgate/cloud/sealing'
import { createSpace } from '@callgate/cloud/spaces'
import { callProfile } from '@callgate/contract/callProfile'
import { scopeNames } from '@callgate/contract/scope'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import openSqlite from 'better-sqlite3'
import { percentile } from './figures.ts'

const nowMs = () => Number(process.hrtime.bigint()) / 1e6

/** Time runs ten thousand times as fast for the rate limits, which would else be all that is measured. */
function hastyWorld(): World {
  const world = realWorld({ logLevel: 'silent' })
  return { ...world, monotonicMs: () => world.monotonicMs() * 10_000 }
}

async function serve(listener: RequestListener): Promise<Server> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}

type Ask = (path: string, body?: string) => Promise<string>

/** Asks over connections that stay open; with a body it posts. */
function asker(server: Server, key: string, agent: Agent): Ask {
  const { port } = server.address() as AddressInfo
  const authorization = `Bearer ${key}`
  return (path, body) =>
    new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST'
      const headers = { authorization, ...(body !== undefined && { 'content-type': 'application/json' }) }
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

/** Microseconds of one request after the other. */
async function costUs(ask: Ask, path: string, requests: number): Promise<number> {
  const startMs = nowMs()
  for (let request = 0; request < requests; request++) await ask(path)
  return ((nowMs() - startMs) / requests) * 1_000
}

/** The medians of several asks, measured in turn, so that what disturbs one disturbs them all. */
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

function serveApi(world: World, database: Database): Promise<Server> {
  const seal = createSeal(world, new Map([[1, world.randomBytes(32)]]))
  const appUrl = 'http://localhost'
  // Nothing is opened here.
  const exchange = createExchange({ world, database, door: { online: () => [], hint: () => {} } })
  const handlers = {
    ...gateHandlers({ world, database }),
    ...memberHandlers({ world, database, seal, appUrl }),
    ...openingHandlers({ database, exchange }),
    ...activityHandlers({ database }),
  }
  return serve(createHttp({ world, database, seal, handlers, appUrl }).callback())
}

/** The floor of GET /gates: the key looked up by its hash, the gates of its Space, and nothing else. */
function serveBare(file: string): Promise<Server> {
  const database = openSqlite(file, { readonly: true })
  const findKey = database.prepare(
    `select key.id, key.spaceId, key.scopes, key.revokedAt, key.expiresAt, space.plan from apiKeys as key
     join spaces as space on space.id = key.spaceId where key.keyHash = ?`,
  )
  const listGates = database.prepare(
    `select id, name, phoneNumber, location, description, isActive, openCount, lastOpenedAt, createdAt
     from gates where spaceId = ? order by createdAt, id`,
  )
  return serve((request, response) => {
    const key = request.headers.authorization?.slice('Bearer '.length) ?? ''
    const found = findKey.get(createHash('sha256').update(key).digest('hex')) as { spaceId: string }
    const body = JSON.stringify({ gates: listGates.all(found.spaceId) })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    response.writeHead(200, headers).end(body)
  })
}

export interface RestFigures {
  /** Microseconds of a request, and of the same against the floor. */
  readonly gates: { readonly ours: number; readonly floor: number }
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
    const server = await serveApi(world, database)
    const ask = asker(server, tenant.key, agent)
    let cursor = ''
    // A page in the depth, as a client that follows the cursors sees it.
    for (let page = 0; page < 9; page++) {
      const answer = await ask(`/api/v1/openings?limit=100&cursor=${cursor}`)
      cursor = (JSON.parse(answer) as { pagination: { nextCursor: string } }).pagination.nextCursor
    }
    sides.push({ ask, cursor, database, deep: rows - 100, server })
  }
  const [few, many] = sides
  if (!few || !many) throw new Error('two databases were made')
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
  for (const { database, server } of sides) {
    server.close()
    await database.close()
  }
  return figures
}

/** Measures in a temporary folder, over real sockets of this process; a minute at most. */
export async function measureRest(): Promise<RestFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-rest-'))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const world = hastyWorld()
  const file = join(folder, 'rest.sqlite')
  const database = await openDatabase({ url: file })
  await migrate(database)
  const tenant = await furnish(world, database, 50)
  const server = await serveApi(world, database)
  const bare = await serveBare(file)
  try {
    const ask = asker(server, tenant.key, agent)
    const asks = [[ask, '/api/v1/gates'] as const, [asker(bare, tenant.key, agent), '/'] as const]
    const [ours = Number.NaN, floor = Number.NaN] = await inTurn(asks, 15, 300)

    const gates = (JSON.parse(await ask('/api/v1/gates')) as { gates: { id: string }[] }).gates.slice(0, 5)
    for (let place = 0; place < 1_000; place++) {
      const accesses = gates.map(({ id }) => ({ gateId: id }))
      await ask('/api/v1/members', JSON.stringify({ name: `Member ${place}`, accesses }))
    }
    const [whole = Number.NaN] = await inTurn([[ask, '/api/v1/members']], 5, 3)
    const [page = Number.NaN] = await inTurn([[ask, '/api/v1/members?limit=50']], 5, 20)
    const history = await measureHistory(world, folder, agent)
    return { gates: { ours, floor }, history, members: { whole, page } }
  } finally {
    agent.destroy()
    server.close()
    bare.close()
    await database.close()
    await rm(folder, { recursive: true, force: true })
  }
}
