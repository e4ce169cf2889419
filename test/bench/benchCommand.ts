// The command `pnpm bench`: benchmarks, each beside a baseline (the floor) that is measured in the same run.

import { fleetParts } from './fleetParts.ts'
import { gatewayParts } from './gatewayParts.ts'
import { openingParts } from './openingParts.ts'
import type { BenchPart } from './part.ts'
import { serverParts } from './serverParts.ts'

const parts: Readonly<Record<string, BenchPart>> = {
  ...serverParts,
  ...openingParts,
  ...gatewayParts,
  ...fleetParts,
}

function helpOf([name, { argument, what }]: readonly [string, BenchPart]): string {
  const call = argument ? `${name} [<${argument.name}>]` : name
  const usual = argument?.usual === undefined ? '' : `, ${argument.usual} where it is left out`
  const more = argument ? `\n${' '.repeat(24)}<${argument.name}>: ${argument.what}${usual}` : ''
  return `  ${call.padEnd(21)} ${what}${more}`
}

const help = `Usage: pnpm bench [<part> [<argument>]]

Measures this machine, all parts or one of them. Each figure stands beside a floor: the same work with bare libraries, measured
in the same run.

${Object.entries(parts).map(helpOf).join('\n')}
  ${'--help'.padEnd(21)} prints this
`

const [wanted, argument] = process.argv.slice(2)
const chosen = wanted === undefined ? Object.values(parts) : [parts[wanted]]
if (wanted === '--help') process.stdout.write(help)
else
  for (const part of chosen) {
    if (!part) {
      process.stderr.write(`There is no part ${wanted}.\n\n${help}`)
      process.exitCode = 2
      break
    }
    const isKept = await part.run(text => process.stdout.write(`${text}\n`), argument)
    if (isKept === false) process.exitCode = 1
  }
// A part may leave something open that would keep the process alive.
process.exit()
