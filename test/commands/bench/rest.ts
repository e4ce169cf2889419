// Reading through the REST API: the history at a million rows, and the members.

import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import openSqlite from 'better-sqlite3'
import { percentile } from './figures.ts'
import { type Ask, furnish, requester, serve, type Tenant } from './served.ts'

const nowMs = () => Number(process.hrtime.bigint()) / 1e6

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

/** Openings that ended, one a second. */
export function fillHistory(
  file: string,
  { gateId, spaceId }: Pick<Tenant, 'gateId' | 'spaceId'>,
  rows: number,
): void {
  const database = openSqlite(file)
  const columns = database.pragma('table_info(openings)') as {
    name: string
    notnull: number
    dflt_value: unknown
  }[]
  // One each second until a day ago: names are stored for a year, and otherwise the removal of older ones would be measured too.
  const at = (seconds: number) =>
    `strftime('%Y-%m-%dT%H:%M:%S.000Z', unixepoch() - 86400 - ${rows} + n + ${seconds}, 'unixepoch')`
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
    calledAt: at(0),
    completedAt: at(9),
    grantBefore: at(12),
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

export interface RestFigures {
  /** Microseconds at 1,000 rows and at 1,000,000. */
  readonly history: readonly { readonly what: string; readonly few: number; readonly many: number }[]
  /** The first request for the deepest offset after a start, at 1,000,000 rows. */
  readonly deepAfterStart: number
  /** Microseconds of the list of 1,000 members with 5 accesses each, and of its first page. */
  readonly members: { readonly whole: number; readonly page: number }
}

const manyRows = 1_000_000

async function measureHistory(
  world: World,
  folder: string,
  agent: Agent,
): Promise<Pick<RestFigures, 'history' | 'deepAfterStart'>> {
  const sides = []
  for (const rows of [1_000, manyRows]) {
    const file = join(folder, `history-${rows}.sqlite`)
    const database = await openDatabase({ url: file })
    await migrate(database)
    const tenant = await furnish(world, database, 1)
    fillHistory(file, tenant, rows)
    await database.close()
    const server = await serve('ours', file)
    const ask = requester(server, tenant.key, agent)
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
  const deepAfterStart = await costUs(many.ask, `/api/v1/openings?offset=${many.deep}`, 1)
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
  return { history: figures, deepAfterStart }
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
  try {
    const ask = requester(server, key, agent)
    const gates = (JSON.parse(await ask('/api/v1/gates')) as { gates: { id: string }[] }).gates.slice(0, 5)
    for (let place = 0; place < 1_000; place++) {
      const accesses = gates.map(({ id }) => ({ gateId: id }))
      await ask('/api/v1/members', JSON.stringify({ name: `Member ${place}`, accesses }))
    }
    const [whole = Number.NaN] = await inTurn([[ask, '/api/v1/members']], 5, 3)
    const [page = Number.NaN] = await inTurn([[ask, '/api/v1/members?limit=50']], 5, 20)
    const history = await measureHistory(world, folder, agent)
    return { ...history, members: { whole, page } }
  } finally {
    agent.destroy()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
