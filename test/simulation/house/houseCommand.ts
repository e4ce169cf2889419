// The command `pnpm house`: many seeds of the house on two processes side by side, or the story of one.

import { parseArgs } from 'node:util'
import { runMany, runShare } from './manySeeds.ts'
import { runSeed } from './runSeed.ts'
import { addUp, noSeeds, type Sum } from './sum.ts'

const help = `pnpm house: seeds of the simulated house, each with its own faults, checked after each run

  --seeds N   how many seeds (default 1000)
  --from S    the first of them (default 1)
  --seed S    this one seed only
  --trace     with --seed: prints its story, a line each: milliseconds, who, what
  --help      prints this

Ends with 0 when nothing was violated, with 1 when something was, with 2 when the command line is wrong.`

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
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      share: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const only = values.seed === undefined ? undefined : wholeNumber(values.seed, 0)
  if (values.trace && only === undefined) throw new Error('--trace needs --seed')
  return { ...values, only, seeds: wholeNumber(values.seeds, 1_000), from: wholeNumber(values.from, 1) }
}

function told(sum: Sum, part: Sum) {
  for (const violation of part.violations) process.stderr.write(`${violation}\n`)
  process.stderr.write(`${sum.seeds} seeds, ${sum.violations.length} violations\n`)
}

async function run({ from, help: isHelp, only, seeds, share, trace }: ReturnType<typeof readOptions>) {
  if (isHelp) return say(help)
  if (share) return runShare(from, seeds, sum => process.send?.(sum))
  let sum: Sum
  if (only === undefined) sum = await runMany(from, seeds, told)
  else {
    const done = await runSeed(only)
    if (trace) for (const line of done.story()) say(line)
    sum = addUp(noSeeds, done)
  }
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
