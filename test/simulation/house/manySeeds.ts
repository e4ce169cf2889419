// Runs many seeds of the simulation in two processes.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { runSeed } from './runSeed.ts'
import type { SeedRun } from './seedRun.ts'
import { addUp, noSeeds, type Sum } from './sum.ts'

/** The number of seeds between two messages of progress. */
const portion = 50
/** The command; with `--share` it is one of the two processes. */
const program = new URL('houseCommand.ts', import.meta.url)
/** The facts of a seed live until its checks. A larger young generation avoids copying them again and again. */
const execArgv = ['--max-semi-space-size=64', '--import', 'tsx']

/** Runs the seeds of one process. A seed that throws is a violation too. */
export async function runShare(
  from: number,
  seeds: number,
  report: (sum: Sum) => void,
  run: (seed: number) => Promise<SeedRun> = runSeed,
) {
  let sum = noSeeds
  for (let seed = from; seed < from + seeds; seed++) {
    try {
      sum = addUp(sum, await run(seed))
    } catch (error) {
      const violations = [`seed ${seed}: it broke off: ${error instanceof Error ? error.stack : error}`]
      sum = addUp(sum, { violations, openings: 0, calls: 0, faults: {}, moves: {}, endings: {} })
    }
    if (sum.seeds < portion && seed < from + seeds - 1) continue
    report(sum)
    sum = noSeeds
  }
}

/** Runs `seeds` seeds from `from` on. `report` is called after each portion. */
export async function runMany(
  from: number,
  seeds: number,
  report: (sum: Sum, part: Sum) => void = () => {},
  {
    clouds = 1,
    postgres = false,
    processes = 2,
  }: { readonly clouds?: number; readonly postgres?: boolean; readonly processes?: number } = {},
): Promise<Sum> {
  let sum = noSeeds
  const share = Math.ceil(seeds / processes)
  const starts = Array.from({ length: processes }, (_, place) => from + place * share)
  const workers = starts.map(async start => {
    const count = Math.min(share, from + seeds - start)
    if (count <= 0) return
    const worker = fork(
      program,
      [
        '--share',
        ...['--from', `${start}`, '--seeds', `${count}`, '--clouds', `${clouds}`],
        ...(postgres ? ['--postgres'] : []),
      ],
      { execArgv },
    )
    worker.on('message', (part: Sum) => {
      sum = addUp(sum, part)
      report(sum, part)
    })
    const [code] = await once(worker, 'exit')
    if (code !== 0)
      sum = addUp(sum, { ...noSeeds, violations: [`the process of seeds ${start} … ended with ${code}`] })
  })
  await Promise.all(workers)
  return sum
}
