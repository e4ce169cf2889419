// The part of the benchmarks on Postgres: the cost of the Spaces' locks, and openings a second beside SQLite.

import { availableParallelism } from 'node:os'
import { counted } from '@callgate/cloud/core/counted'
import { chaosBundles } from '../../processes/chaos/realHouse.ts'
import { percentile } from './figures.ts'
import { measureLists } from './lists.ts'
import type { BenchPart, Say } from './part.ts'
import { measurePath } from './postgresPath.ts'
import { measurePostgres } from './postgresRate.ts'
import { measureReplicas } from './postgresReplicas.ts'

async function sayPostgres(say: Say, wanted: string | undefined): Promise<undefined> {
  say(
    'Openings of 32 Spaces at once in one process, each a press, a claim and a report: medians of interleaved rounds',
  )
  const rates = await measurePostgres(Number(wanted ?? 5))
  const middle = (values: readonly number[]) => percentile(values, 0.5)
  const perSecond = (side: 'Postgres' | 'Postgres without locks') =>
    middle((rates.get(side) ?? []).map(rate => rate.perSecond))
  for (const [side, rounds] of rates) {
    const pressMs = rounds.flatMap(rate => rate.pressMs)
    const rate = middle(rounds.map(round => round.perSecond))
      .toFixed(0)
      .padStart(5)
    say(
      `  ${side.padEnd(24)} ${rate} a second   a press p50 ${middle(pressMs).toFixed(1)}   p99 ${percentile(pressMs, 0.99).toFixed(1)} ms`,
    )
  }
  const share = perSecond('Postgres') / perSecond('Postgres without locks')
  say(`  with the locks ${share.toFixed(2)} of the rate without them`)
}

async function sayReplicas(say: Say, wanted: string | undefined): Promise<undefined> {
  const cores = availableParallelism()
  say(
    'Openings of 32 Spaces at once by clouds on one durable Postgres, each cloud a process: medians of interleaved rounds',
  )
  say(
    `The clouds, the database and this command share ${cores} cores: with few, more clouds cannot open more a second`,
  )
  for (const [count, rounds] of await measureReplicas(Number(wanted ?? 5))) {
    const pressMs = rounds.flatMap(rate => rate.pressMs)
    const what = count === 0 ? 'baseline: three bare commits' : counted(count, 'cloud')
    const rate = percentile(
      rounds.map(({ perSecond }) => perSecond),
      0.5,
    )
    say(
      `  ${what.padEnd(26)} ${rate.toFixed(0).padStart(5)} a second   a press p50 ${percentile(pressMs, 0.5).toFixed(1)}   p99 ${percentile(pressMs, 0.99).toFixed(1)} ms`,
    )
  }
}

async function sayPath(say: Say, wanted: string | undefined): Promise<undefined> {
  await chaosBundles(say)
  say('Openings of 32 Spaces at once from HTTP to the report, through a broker apart: medians of the rounds')
  for (const [clouds, delayMs] of [
    [1, 0],
    [2, 0],
    [1, 1],
    [2, 1],
  ] as const) {
    const rates = await measurePath(clouds, { delayMs, rounds: Number(wanted ?? 3) })
    const middle = (of: 'floorPerSecond' | 'perSecond') =>
      percentile(
        rates.map(rate => rate[of]),
        0.5,
      )
    const [rate, floor] = [middle('perSecond'), middle('floorPerSecond')]
    const answerMs = rates.flatMap(one => one.answerMs)
    const what = `${counted(clouds, 'cloud')}${delayMs > 0 ? `, ${delayMs} ms to the database` : ''}`
    say(
      `  ${what.padEnd(34)} ${rate.toFixed(0).padStart(5)} a second, ${(rate / floor).toFixed(2)} of three bare commits   answered p50 ${percentile(answerMs, 0.5).toFixed(0)}   p99 ${percentile(answerMs, 0.99).toFixed(0)} ms`,
    )
  }
}

async function sayLists(say: Say, rows = '200000'): Promise<undefined> {
  const ms = (figure: number) => figure.toFixed(figure < 100 ? 1 : 0).padStart(9)
  say(
    `Each list of a Space with ${rows} openings on Postgres, milliseconds: the first request since the start, the median of those`,
  )
  say('after it, and the longest answer to another tenant meanwhile')
  await measureLists(Number(rows), say, ({ bytes, failure = '', firstMs, ms: usualMs, otherMs, what }) => {
    say(`  ${ms(firstMs)} ${ms(usualMs)} ${ms(otherMs)}   ${what} ${failure || `(${bytes} bytes)`}`)
  })
}

export const postgresParts = {
  postgres: {
    what: 'openings on Postgres, with and without its locks, beside SQLite',
    argument: { name: 'rounds', usual: '5', what: 'how often each is measured' },
    run: sayPostgres,
  },
  replicas: {
    what: 'openings by one, two and four clouds on one Postgres',
    argument: { name: 'rounds', usual: '5', what: 'how often each is measured' },
    run: sayReplicas,
  },
  'postgres-path': {
    what: 'openings on Postgres from HTTP to the report, by one and two clouds, and 1 ms from the database',
    argument: { name: 'rounds', usual: '3', what: 'how often each is measured' },
    run: sayPath,
  },
  lists: {
    what: 'every list of the API and the dashboard on Postgres; 10,000,000 openings take 23 GB and half an hour',
    argument: { name: 'rows', usual: '200000', what: 'how many openings' },
    run: sayLists,
  },
} as const satisfies Readonly<Record<string, BenchPart>>
