// The command `pnpm house`: deterministic simulation testing with many seeds, or the trace of one seed.

import { parseArgs } from 'node:util'
import { whyNoPostgres } from '../../postgres/postgresBinaries.ts'
import { startPostgres } from '../../postgres/postgresServer.ts'
import { runMany, runShare } from './manySeeds.ts'
import { runPair } from './runPair.ts'
import { runSeed } from './runSeed.ts'
import type { SeedRun } from './seedRun.ts'
import { endStall } from './stall.ts'
import { addUp, noSeeds, type Sum } from './sum.ts'

const help = `Usage: pnpm house [--seeds <number>] [--from <seed>] [--clouds 2 [--postgres]]
       pnpm house --seed <seed> [--clouds 2 [--postgres]] [--trace]

Deterministic simulation testing. Each seed simulates some minutes of a cloud, gateways, modems and gates in one process,
with presses, faults and kills that follow from the seed. After each run the promises are checked. A seed always gives the
same run.

  --seeds <number>  how many seeds (1000)
  --from <seed>     the first seed (1)
  --clouds 2        two clouds on one database and one broker: killed, stopped, cut off, redeployed, late, stalling,
                    with clocks that are set, and with a rotation of their signing key
  --postgres        with --clouds 2: the database is a real Postgres. The order in which it answers is its own, so a seed
                    gives the same faults there, but not always the same run
  --processes <n>   how many processes run them (2)
  --seed <seed>     runs only this seed
  --trace           with --seed: prints all events, one per line: milliseconds, who, what
  --help            prints this

Prints every violation with its seed, and then how often each fault, state change and outcome occurred.
Exit codes: 0 no violation; 1 a violation; 2 a wrong command line.`

const say = (text: string) => process.stdout.write(`${text}\n`)

function counted(counts: Readonly<Record<string, number>>): string {
  const sorted = Object.entries(counts).sort(([, one], [, other]) => other - one)
  return sorted.map(([name, count]) => `${name} ${count}`).join(', ')
}

function summarize(sum: Sum) {
  for (const violation of sum.violations) say(violation)
  say(`faults: ${counted(sum.faults)}`)
  say(`moves: ${counted(sum.moves)}`)
  say(`endings: ${counted(sum.endings)}`)
  say(`${sum.seeds} seeds, ${sum.openings} openings, ${sum.calls} calls, ${sum.violations.length} violations`)
}

function wholeNumber(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${text} is not a whole number`)
  return Number(text)
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string' },
      from: { type: 'string' },
      processes: { type: 'string' },
      clouds: { type: 'string' },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      postgres: { type: 'boolean', default: false },
      share: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const only = values.seed === undefined ? undefined : wholeNumber(values.seed, 0)
  if (values.trace && only === undefined) throw new Error('--trace needs --seed')
  const processes = Math.max(1, wholeNumber(values.processes, 2))
  const clouds = wholeNumber(values.clouds, 1)
  if (clouds !== 1 && clouds !== 2) throw new Error('--clouds is 1 or 2')
  if (values.postgres && clouds !== 2) throw new Error('--postgres needs --clouds 2')
  return {
    ...values,
    clouds,
    only,
    processes,
    seeds: wholeNumber(values.seeds, 1_000),
    from: wholeNumber(values.from, 1),
  }
}

function printProgress(sum: Sum, part: Sum) {
  for (const violation of part.violations) process.stderr.write(`${violation}\n`)
  process.stderr.write(`${sum.seeds} seeds, ${sum.violations.length} violations\n`)
}

/**
 * Calls `work` with a function that runs a seed; on Postgres each seed has a database of its own, on a server of this process.
 */
async function withRunner(
  clouds: number,
  isOnPostgres: boolean,
  work: (runOne: (seed: number) => Promise<SeedRun>) => Promise<void>,
): Promise<void> {
  if (!isOnPostgres) return work(endStall(clouds === 2 ? runPair : runSeed))
  const why = whyNoPostgres()
  if (why !== undefined) throw new Error(why)
  const server = await startPostgres()
  try {
    await work(async seed => {
      const { name, url } = await server.newDatabase(true)
      try {
        return await runPair(seed, url)
      } finally {
        await server.dropDatabase(name)
      }
    })
  } finally {
    await server.stop()
  }
}

async function run({
  clouds,
  from,
  help: isHelp,
  only,
  postgres,
  processes,
  seeds,
  share,
  trace,
}: ReturnType<typeof readOptions>) {
  if (isHelp) return say(help)
  if (share)
    return withRunner(clouds, postgres, runOne => runShare(from, seeds, sum => process.send?.(sum), runOne))
  let sum = noSeeds
  if (only === undefined) sum = await runMany(from, seeds, printProgress, { clouds, processes, postgres })
  else
    await withRunner(clouds, postgres, async runOne => {
      const done = await runOne(only)
      if (trace) for (const line of done.story()) say(line)
      sum = addUp(noSeeds, done)
    })
  summarize(sum)
  if (sum.violations.length > 0) process.exitCode = 1
}

let options: ReturnType<typeof readOptions> | undefined
try {
  options = readOptions()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${help}\n`)
  process.exitCode = 2
}
if (options) await run(options)
