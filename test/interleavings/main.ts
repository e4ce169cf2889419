// The command `pnpm interleavings`: everything at once, as many states as it is told, the nearest first.

import { parseArgs } from 'node:util'
import { everything } from './bounds.ts'
import { explore } from './explore.ts'

const { values } = parseArgs({ options: { states: { type: 'string', default: '1000000' } } })
const mostStates = Number(values.states)
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
