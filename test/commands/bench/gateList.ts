// GET /gates beside the same list by others: a bare handler of node:http, which is the baseline, fastify, and json-server.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { realWorld } from '@callgate/world/real'
import { percentile } from './figures.ts'
import { type ClockFigures, measureByClock } from './gateListClock.ts'
import { type Ask, furnish, requester, type Server, serve } from './served.ts'

const connections = 16
const requestsInRound = 512
const warmRounds = 30
const rounds = 30

/** The time of one side for a request, in microseconds: a figure for each round. */
export interface SideFigures {
  readonly what: string
  /** Processor time of the server. */
  readonly processorUs: readonly number[]
  /** Time by the clock. */
  readonly clockUs: readonly number[]
  /** Requests a second as a share of those of the baseline in the same round, by processor time. */
  readonly ofBaseline: readonly number[]
}

interface Side {
  readonly what: string
  readonly server: Server
  readonly ask: Ask
  readonly path: string
}

async function askMany({ ask, path }: Side): Promise<void> {
  const one = async () => {
    for (let request = 0; request < requestsInRound / connections; request++) await ask(path)
  }
  await Promise.all(Array.from({ length: connections }, one))
}

const others = fileURLToPath(new URL('others', import.meta.url))

/** Installs the other servers, which nothing else needs; false where the registry cannot be reached. */
async function installOthers(): Promise<boolean> {
  const installed = () => existsSync(join(others, 'node_modules/fastify'))
  if (installed()) return true
  const install = ['install', '--ignore-workspace', '--ignore-scripts', '--frozen-lockfile']
  await promisify(execFile)('npx', ['-y', 'pnpm@10.34.9', '--dir', others, ...install]).catch(() => {})
  return installed()
}

/** The sides are asked in turn, so that a disturbance hits all of them; the baseline is the last. */
async function inTurn(sides: readonly Side[]): Promise<readonly SideFigures[]> {
  const figures = sides.map(() => ({ processorUs: [] as number[], clockUs: [] as number[] }))
  for (let round = 0; round < warmRounds + rounds; round++)
    for (const [place, side] of sides.entries()) {
      const usedUs = await side.server.usedUs()
      const startUs = Number(process.hrtime.bigint()) / 1e3
      await askMany(side)
      const clockUs = Number(process.hrtime.bigint()) / 1e3 - startUs
      const processorUs = (await side.server.usedUs()) - usedUs
      if (round < warmRounds) continue
      figures[place]?.processorUs.push(processorUs / requestsInRound)
      figures[place]?.clockUs.push(clockUs / requestsInRound)
    }
  const baseline = figures.at(-1)?.processorUs ?? []
  return sides.map(({ what }, place) => {
    const { clockUs = [], processorUs = [] } = figures[place] ?? {}
    const ofBaseline = processorUs.map((us, round) => (baseline[round] ?? Number.NaN) / us)
    return { what, processorUs, clockUs, ofBaseline }
  })
}

/**
 * Measures in a temporary folder, over real sockets; about five minutes. By processor time the last figures are the baseline's;
 * by the clock each figure has the floor beside it.
 */
export async function measureGateList(): Promise<{
  readonly processor: readonly SideFigures[]
  readonly clock: readonly ClockFigures[]
}> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-gates-'))
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const file = join(folder, 'rest.sqlite')
  const database = await openDatabase({ url: file })
  await migrate(database)
  const tenant = await furnish(realWorld({ logLevel: 'silent' }), database, 50)
  await database.close()
  const ours = await serve('ours', file)
  const asked = (what: string, server: Server, path: string, zipped = false): Side => ({
    what,
    server,
    path,
    ask: requester(server, tenant.key, agent, zipped),
  })
  const sides = [
    asked('GET /gates, 50 gates', ours, '/api/v1/gates'),
    asked('the same, compressed', ours, '/api/v1/gates', true),
  ]
  if (await installOthers())
    sides.push(
      asked('fastify, same statements', await serve('fastify', file), '/gates'),
      asked('json-server, the same gates', await serve('json-server', file), '/gates'),
    )
  sides.push(asked('bare node:http, same statements', await serve('bare', file), '/'))
  try {
    return {
      processor: await inTurn(sides),
      clock: await measureByClock({ file, tenant, path: '/api/v1/gates' }),
    }
  } finally {
    agent.destroy()
    for (const { server } of sides.filter(({ what }) => what !== 'the same, compressed')) await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** `min 0.9   median 1.0   max 1.2` */
export function shares(of: readonly number[]): string {
  const [min, median, max] = [0, 0.5, 1].map(share => percentile(of, share).toFixed(2))
  return `min ${min}   median ${median}   max ${max}`
}
