// The command `pnpm bench`: benchmarks, each beside a baseline that is measured in the same run.

import { type Aim, tableOf } from './aims.ts'
import { fleetParts } from './fleetParts.ts'
import { gatewayParts } from './gatewayParts.ts'
import { openingParts } from './openingParts.ts'
import type { BenchPart } from './part.ts'
import { isPartMessage, runApart } from './partProcess.ts'
import { postgresParts } from './postgresParts.ts'
import { serverParts } from './serverParts.ts'

const parts: Readonly<Record<string, BenchPart>> = {
  ...serverParts,
  ...openingParts,
  ...gatewayParts,
  ...fleetParts,
  ...postgresParts,
}

function helpOf([name, { argument, what }]: readonly [string, BenchPart]): string {
  const call = argument ? `${name} [<${argument.name}>]` : name
  const usual = argument?.usual === undefined ? '' : `, ${argument.usual} where it is left out`
  const more = argument ? `\n${' '.repeat(24)}<${argument.name}>: ${argument.what}${usual}` : ''
  return `  ${call.padEnd(21)} ${what}${more}`
}

const help = `Usage: pnpm bench [<part> [<argument>]]

Measures this machine, all parts or one of them. Each figure stands beside a baseline: the same work with bare libraries, measured
in the same run. The table at the end has the figures that have an aim. A part that fails does not stop the others.

${Object.entries(parts).map(helpOf).join('\n')}
  ${'--help'.padEnd(21)} prints this
`

const say = (text: string) => void process.stdout.write(`${text}\n`)

/** One part in this process. Its aims go to the process that runs all parts, or into a table. */
async function runOne(name: string, part: BenchPart, argument: string | undefined): Promise<boolean> {
  const aims: Aim[] = []
  const note = (aim: Aim) => {
    if (process.send) process.send({ aim })
    else aims.push(aim)
  }
  try {
    const isKept = await part.run(say, argument, note)
    for (const line of tableOf(aims)) say(line)
    return isKept !== false
  } catch (error) {
    say(`  FAILED: ${name}: ${error instanceof Error ? error.stack : String(error)}`)
    return false
  }
}

/** Each part in a process of its own, one after the other. */
async function runAll(): Promise<boolean> {
  const aims: Aim[] = []
  const failed: string[] = []
  for (const name of Object.keys(parts)) {
    const isKept = await runApart(new URL(import.meta.url), name, message => {
      if (isPartMessage(message)) aims.push(message.aim)
    })
    if (!isKept) failed.push(name)
    say('')
  }
  for (const line of tableOf(aims)) say(line)
  say(
    '\nThe aim of 10,000 gateways on one process is measured by `pnpm bench scale 10000`: it needs 20,000 files (ulimit -n).',
  )
  if (failed.length > 0) say(`\nFailed, or beyond a limit of their own: ${failed.join(', ')}`)
  return failed.length === 0
}

const [given, argument] = process.argv.slice(2)
// `--scale` is `scale`.
const wanted = given?.replace(/^--/, '')
const part = wanted === undefined ? undefined : parts[wanted]
if (wanted === 'help') process.stdout.write(help)
else if (wanted === undefined) process.exitCode = (await runAll()) ? 0 : 1
else if (part) process.exitCode = (await runOne(wanted, part, argument)) ? 0 : 1
else {
  process.stderr.write(`There is no part ${given}.\n\n${help}`)
  process.exitCode = 2
}
// A part may leave something open that would keep the process alive.
process.exit()
