// The command `pnpm interleavings`: everything at once, as many states as it is told, the nearest first.

import { fail, readOptions } from '../commandLine.ts'
import { everything } from './bounds.ts'
import { explore } from './explore.ts'

const help = `Usage: pnpm interleavings [--states <number>]

Walks through every order in which the cores of cloud and gateway can meet: two openings, two gateways, messages lost,
repeated and late, and restarts of either side. Exits with 1 if a promise was broken, and says how it came to that.

  --states <number>  so many states of each bound at most, the nearest first (2000000, some minutes and 2 GB each)
  --help             this
`
const { states: given } = readOptions(help, { states: { type: 'string', default: '2000000' } })
if (!/^[1-9]\d{0,8}$/.test(given)) fail('--states must be a whole number from 1 to 999999999.')
const mostStates = Number(given)
const say = (text: string) => process.stdout.write(`${text}\n`)
let isBroken = false
for (const [name, bounds] of Object.entries(everything)) {
  const { dialled, ends, isWhole, states, steps, violation } = explore({ ...bounds, mostStates })
  say(
    `${name}: ${states} states${isWhole ? ', which are all' : ''}, ${steps} steps, ${ends} ends, ${dialled} dialled`,
  )
  if (!violation) continue
  isBroken = true
  say(`${violation.what}\n  ${violation.path.join('\n  ')}`)
}
process.exit(isBroken ? 1 : 0)
