// The command `pnpm interleavings`: model checking within larger bounds than those of the tests.

import { fail, readOptions } from '../commandLine.ts'
import { nearestOnly, walkedByCommand } from './bounds.ts'
import { type Explored, explore } from './explore.ts'
import { exitCodeOf, reportOf } from './walkReport.ts'

const help = `Usage: pnpm interleavings [--states <number>]

Model checking: walks breadth-first through all orders of events between the cores of cloud and gateway, while messages
are lost, repeated and late. In each state it checks the promises. At the end it checks that every state can reach an end.

The walks are complete for two openings with two gateways without restarts, on one number and on two, and for two openings
with one gateway that may restart. With two gateways and restarts of both sides there are too many states: it walks only
through the nearest ones, and does not check whether they can reach an end.

  --states <number>  the most states of each walk, the nearest first (2000000: some minutes and 2 GB each)
  --help             prints this

Exit codes: 0 no promise was broken; 1 a promise was broken (the events that lead to it are printed), or the command line
is wrong; 2 a walk that must be complete was not, because --states is too low.
`
const { states: given } = readOptions(help, { states: { type: 'string', default: '2000000' } })
if (!/^[1-9]\d{0,8}$/.test(given)) fail('--states must be a whole number from 1 to 999999999.')
const mostStates = Number(given)
const walks: (Explored & { isToBeWhole: boolean })[] = []
for (const [name, bounds] of Object.entries({ ...walkedByCommand, ...nearestOnly })) {
  const explored = explore({ ...bounds, mostStates })
  process.stdout.write(`${reportOf(name, explored)}\n`)
  walks.push({ ...explored, isToBeWhole: name in walkedByCommand })
}
process.exit(exitCodeOf(walks))
