// Every list of the API and the dashboard on Postgres, with the given number of openings: its time, and the delay for others.

import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { realWorld } from '@callgate/world/real'
import { startPostgres } from '../../postgres/postgresServer.ts'
import { type LargeSpace, makeLists } from './listsData.ts'
import { type Ask, requester, serve, type Tenant } from './served.ts'

interface ListFigure {
  readonly what: string
  /** The first request since the start, and the median of the later ones, in milliseconds. */
  readonly firstMs: number
  readonly ms: number
  /** The longest answer to another tenant meanwhile, in milliseconds. */
  readonly otherMs: number
  readonly bytes: number
  /** The server's answer, where it was not the list. */
  readonly failure?: string
}

const oldest = '2000-01-01T00:00:00Z'

/** Each list with its first page, its worst filters and its deepest page. */
function pathsOf(large: LargeSpace, rows: number): readonly string[] {
  const { apiKeyId, busyGateId, gatewayId, memberId, rareGateId, spaceId, user } = large
  const api = '/api/v1'
  const app = `/app/v1/spaces/${spaceId}`
  const [busy, rare] = [`gateId=${busyGateId}`, `gateId=${rareGateId}`]
  const entries = Math.ceil(rows / 10)
  return [
    `${api}/gates`,
    `${api}/members`,
    `${api}/members?limit=50`,
    `${api}/members?limit=50&isActive=false`,
    `${api}/openings`,
    `${api}/openings?${rare}`,
    `${api}/openings?${rare}&from=${oldest}&to=2100-01-01T00:00:00Z`,
    `${api}/openings?${rare}&memberId=${memberId}`,
    `${api}/openings?${busy}&memberId=${memberId}&status=timeout`,
    `${api}/openings?status=timeout`,
    `${api}/openings?status=initiated`,
    `${api}/openings?offset=${rows - 100}`,
    `${api}/openings?offset=${Math.floor(rows / 2)}`,
    `${api}/openings?offset=2147483647`,
    `${api}/openings?${busy}&offset=${Math.floor(rows * 0.39)}`,
    `${api}/openings?status=completed&offset=${Math.floor(rows * 0.89)}`,
    `${api}/openings?from=${oldest}&offset=${rows - 100}`,
    `${api}/activity`,
    `${api}/activity?${rare}`,
    `${api}/activity?${rare}&memberId=${memberId}`,
    `${api}/activity?${busy}&memberId=${memberId}`,
    `${api}/activity?offset=${entries - 100}`,
    `${api}/activity?memberId=${memberId}&${rare}&offset=${Math.floor(entries / 3)}`,
    `${app}/history?limit=50`,
    `${app}/history?limit=50&classes=denied,unknown`,
    `${app}/history?limit=50&${rare}&classes=did_not_open`,
    `${app}/history?limit=50&apiKeyId=${apiKeyId}&${rare}`,
    `${app}/history?limit=50&userId=${user.userId}&classes=not_called`,
    `${app}/history?limit=50&memberId=${memberId}&${rare}`,
    `${app}/history-counts`,
    `${app}/activity/last`,
    `${app}/gate-figures`,
    `${app}/gates/${busyGateId}/figures`,
    `${app}/gateways`,
    `${app}/gateways/${gatewayId}/history?range=90d`,
    `${app}/member-views?limit=50&state=active`,
    `${app}/member-views?limit=50&state=active&search=nobody`,
    `${app}/member-views?limit=50&state=inactive&${rare}`,
    `${app}/member-counts`,
    `${app}/users`,
    `${app}/api-keys`,
    `${app}/incidents`,
    `${app}/past-incidents?limit=50`,
    `${app}/space`,
  ]
}

async function timed(ask: () => Promise<string>): Promise<{ readonly ms: number; readonly bytes: number }> {
  const beganMs = performance.now()
  const text = await ask()
  return { ms: performance.now() - beganMs, bytes: text.length }
}

const again = 3

/** Requests one path, while another tenant requests its gates without a pause. */
async function measured(ask: Ask, other: Ask, path: string): Promise<Omit<ListFigure, 'what'>> {
  let isOver = false
  let otherMs = 0
  const others = (async () => {
    while (!isOver) otherMs = Math.max(otherMs, (await timed(() => other('/api/v1/gates'))).ms)
  })()
  try {
    const first = await timed(() => ask(path))
    const later: number[] = []
    for (let time = 0; time < again; time++) later.push((await timed(() => ask(path))).ms)
    const ms = later.sort((a, b) => a - b)[Math.floor(again / 2)] ?? Number.NaN
    return { firstMs: first.ms, ms, bytes: first.bytes, otherMs }
  } finally {
    isOver = true
    await others
  }
}

interface Filled {
  readonly url: string
  readonly rows: number
  readonly large: LargeSpace
  readonly small: Tenant
}

/** Measures each list of the large Space, while the small one sends requests too. */
async function measureFilled(
  { large, rows, small, url }: Filled,
  tell: (figure: ListFigure) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-lists-'))
  const [agent, otherAgent] = [
    new Agent({ keepAlive: true, maxSockets: 1 }),
    new Agent({ keepAlive: true, maxSockets: 1 }),
  ]
  const cloud = await serve('ours', join(folder, 'cloud'), url)
  try {
    const [byKey, byUser] = [requester(cloud, large.key, agent), requester(cloud, large.user.headers, agent)]
    const other = requester(cloud, small.key, otherAgent)
    for (const path of pathsOf(large, rows)) {
      const what = path.replace(/^\/(api|app)\/v1/, '').replace(/\/spaces\/\w+/, '')
      const figures = await measured(path.startsWith('/app/') ? byUser : byKey, other, path).catch(
        (error: unknown) => failed(error),
      )
      tell({ what, ...figures })
    }
  } finally {
    await cloud.stop()
    agent.destroy()
    otherAgent.destroy()
    await rm(folder, { recursive: true, force: true })
  }
}

const failed = (error: unknown) => ({
  firstMs: Number.NaN,
  ms: Number.NaN,
  otherMs: Number.NaN,
  bytes: 0,
  failure: String(error).slice(0, 200),
})

/** Fills a server of its own with the given number of openings and measures each list. Its data are deleted afterwards. */
export async function measureLists(
  rows: number,
  say: (text: string) => void,
  tell: (figure: ListFigure) => void,
): Promise<void> {
  const server = await startPostgres({ more: ['maintenance_work_mem=1GB', 'max_wal_size=8GB'] })
  try {
    const { url } = await server.newDatabase(false)
    const database = await openPostgres({ url })
    const beganMs = performance.now()
    const world = realWorld({ logLevel: 'silent' })
    const { large, small } = await makeLists({ database, world }, rows)
    const {
      rows: [size],
    } = await database.knex.raw('select pg_database_size(current_database()) as bytes')
    say(
      `  filled in ${((performance.now() - beganMs) / 1000).toFixed(0)} s: ${(size.bytes / 1e9).toFixed(1)} GB`,
    )
    await database.close()
    await measureFilled({ url, rows, large, small }, tell)
  } finally {
    await server.stop()
  }
}
