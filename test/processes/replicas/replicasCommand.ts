// The command `pnpm replicas`: two and four clouds on one Postgres under 1,000 presses at once, and one of them killed.

import { parseArgs } from 'node:util'
import { whyNoPostgres } from '../../postgres/postgresBinaries.ts'
import { chaosBundles } from '../chaos/realHouse.ts'
import { runReplicas } from './replicas.ts'

const help = `Usage: pnpm replicas [--clouds N] [--presses N] [--help]

Starts clouds as processes on one Postgres and one broker, with a gateway for each gate. First a crowd presses at all of them at
once: single flight, rates, the Idempotency-Key, caps and the limits of a plan must be exact. Then it presses again, and one
cloud is killed while calls run: every press is answered, and every opening ends within 90 s.

  --clouds N    how many clouds; may be repeated (2 and 4)
  --presses N   how many presses at once, rounded to hundreds (1000)
  --help        prints this

Exit codes: 0 nothing was violated; 1 otherwise, or a wrong command line.`

const say = (line: string) => void process.stdout.write(`${line}\n`)

function wholeNumber(name: string, text: string, least: number): number {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) < least)
    throw new Error(`--${name} must be a whole number from ${least}.`)
  return Number(text)
}

async function run(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      clouds: { type: 'string', multiple: true, default: ['2', '4'] },
      presses: { type: 'string', default: '1000' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    say(help)
    return true
  }
  const counts = values.clouds.map(text => wholeNumber('clouds', text, 2))
  const hundreds = Math.round(wholeNumber('presses', values.presses, 100) / 100)
  const why = whyNoPostgres()
  if (why !== undefined) throw new Error(`${why}.`)
  await chaosBundles(say)
  let isWell = true
  for (const clouds of counts) {
    const { figures, violations } = await runReplicas({ clouds, hundreds, isDurable: true })
    say(`${clouds} clouds`)
    for (const line of figures) say(line)
    for (const violation of violations) say(`  violated: ${violation}`)
    isWell &&= violations.length === 0
  }
  return isWell
}

try {
  // The open connections of clients and gateways to killed processes do not keep it alive.
  process.exit((await run()) ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
