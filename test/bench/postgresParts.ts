// The part of the benchmarks on Postgres: what the locks of the Spaces cost, and openings a second beside SQLite.

import { percentile } from './figures.ts'
import type { BenchPart, Say } from './part.ts'
import { measurePostgres } from './postgresRate.ts'

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

export const postgresParts = {
  postgres: {
    what: 'openings on Postgres, with and without its locks, beside SQLite',
    argument: { name: 'rounds', usual: '5', what: 'how often each is measured' },
    run: sayPostgres,
  },
} as const satisfies Readonly<Record<string, BenchPart>>
