// Openings a second by one, two and four clouds on one Postgres, each a real process with its lease, beside a baseline.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Database } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { startPostgres } from '../../postgres/postgresServer.ts'
import { newTenant, type Rate, spaces, type Tenant } from './postgresRate.ts'
import type { RoundAsked, RoundDone } from './replicaProcess.ts'

const counts = [1, 2, 4] as const
const mostReplicas = 4
const baselineOpenings = 384

async function answerOf(child: ChildProcess): Promise<readonly number[]> {
  const [{ failure, pressMs = [] }] = (await once(child, 'message')) as [RoundDone]
  if (failure !== undefined) throw new Error(failure)
  return pressMs
}

/** One round: each of the replicas opens for its share of the tenants. */
async function playRound(
  replicas: readonly ChildProcess[],
  tenants: readonly Tenant[],
  round: number,
): Promise<Rate> {
  const beganMs = performance.now()
  const answers = replicas.map((child, place) => {
    const asked: RoundAsked = {
      round,
      tenants: tenants.filter((_, of) => of % replicas.length === place),
    }
    const answer = answerOf(child)
    child.send(asked)
    return answer
  })
  const pressMs = (await Promise.all(answers)).flat()
  return { perSecond: (pressMs.length / (performance.now() - beganMs)) * 1_000, pressMs }
}

/** The baseline of an opening: three commits of one short row each, one after the other; for a press, one of them. */
async function playBaseline({ knex }: Database): Promise<Rate> {
  const pressMs: number[] = []
  const beganMs = performance.now()
  const one = async () => {
    for (let place = 0; place < baselineOpenings / spaces; place++) {
      const atMs = performance.now()
      for (let commit = 0; commit < 3; commit++) {
        await knex.raw(`insert into "benchFloor" values ('x')`)
        if (commit === 0) pressMs.push(performance.now() - atMs)
      }
    }
  }
  await Promise.all(Array.from({ length: spaces }, one))
  return { perSecond: (baselineOpenings / (performance.now() - beganMs)) * 1_000, pressMs }
}

/** The rates of the given number of consecutive rounds, by the number of replicas that opened; 0 is the baseline. */
export async function measureReplicas(rounds: number): Promise<ReadonlyMap<number, readonly Rate[]>> {
  const server = await startPostgres({ isDurable: true })
  const { url } = await server.newDatabase(false)
  const database = await openPostgres({ url })
  const children: ChildProcess[] = []
  try {
    await migrate(database)
    await database.knex.raw('create table "benchFloor" (a text)')
    // The gates are the same for each number of clouds: a cloud may open what another has opened just before.
    const tenants = await Promise.all(Array.from({ length: spaces }, () => newTenant(database)))
    const all = JSON.stringify(tenants)
    for (let place = 0; place < mostReplicas; place++) {
      const options = { execArgv: ['--import', 'tsx'] }
      const child = fork(new URL('replicaProcess.ts', import.meta.url), [url, all], options)
      children.push(child)
      await answerOf(child)
    }
    const rates = new Map<number, Rate[]>([0, ...counts].map(count => [count, []]))
    // Each has report numbers of its own.
    let played = 0
    // The first round warms up and is not counted.
    for (let round = 0; round <= rounds; round++)
      for (const [count, measured] of rates) {
        const rate =
          count === 0
            ? await playBaseline(database)
            : await playRound(children.slice(0, count), tenants, played++)
        if (round > 0) measured.push(rate)
      }
    return rates
  } finally {
    const ended = children.map(child => once(child, 'exit'))
    for (const child of children) child.disconnect()
    await Promise.all(ended)
    await database.close()
    await server.stop()
  }
}
