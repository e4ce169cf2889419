// Many seeds of the house, on two processes side by side.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { runSeed } from './runSeed.ts'
import { addUp, noSeeds, type Sum } from './sum.ts'

const processes = 2
/** Seeds from one message of progress to the next. */
const portion = 50
/** The command, which with `--share` is one of the processes. */
const program = new URL('houseCommand.ts', import.meta.url)
/** A seed's facts live until it is judged: with little room for young objects, they would be copied again and again. */
const execArgv = ['--max-semi-space-size=64', '--import', 'tsx']

/** The seeds of one process. A seed that cannot be run at all is a violation as well. */
export async function runShare(from: number, seeds: number, tell: (sum: Sum) => void) {
  let sum = noSeeds
  for (let seed = from; seed < from + seeds; seed++) {
    try {
      sum = addUp(sum, await runSeed(seed))
    } catch (error) {
      const violations = [`seed ${seed}: it broke off: ${error instanceof Error ? error.stack : error}`]
      sum = addUp(sum, { violations, openings: 0, calls: 0, faults: {}, moves: {}, endings: {} })
    }
    if (sum.seeds < portion && seed < from + seeds - 1) continue
    tell(sum)
    sum = noSeeds
  }
}

/** All seeds from `from` on, on two processes side by side; `tell` hears of each portion. */
export async function runMany(
  from: number,
  seeds: number,
  tell: (sum: Sum, part: Sum) => void = () => {},
): Promise<Sum> {
  let sum = noSeeds
  const share = Math.ceil(seeds / processes)
  const starts = Array.from({ length: processes }, (_, place) => from + place * share)
  const workers = starts.map(async start => {
    const count = Math.min(share, from + seeds - start)
    if (count <= 0) return
    const worker = fork(program, ['--share', '--from', `${start}`, '--seeds', `${count}`], { execArgv })
    worker.on('message', (part: Sum) => {
      sum = addUp(sum, part)
      tell(sum, part)
    })
    const [code] = await once(worker, 'exit')
    if (code !== 0)
      sum = addUp(sum, { ...noSeeds, violations: [`the process of seeds ${start} … ended with ${code}`] })
  })
  await Promise.all(workers)
  return sum
}
