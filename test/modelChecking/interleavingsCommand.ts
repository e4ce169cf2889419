// The command `pnpm interleavings`: larger bounds than the tests walk through, whole or as many states as it is told.

import { fail, readOptions } from '../commandLine.ts'
import { nearestOnly, walkedByCommand } from './bounds.ts'
import { type Explored, explore } from './explore.ts'
import { exitCodeOf, told } from './telling.ts'

const help = `Usage: pnpm interleavings [--states <number>]

Walks through the orders in which the cores of cloud and gateway can meet, with messages lost, repeated and late. Two
openings and two gateways, on one number and on two, are walked whole where nothing starts anew; so are two openings with
one gateway that may restart. With two gateways and restarts of both sides there are too many states: only the nearest
are walked, and whether each of them can come to an end is not judged.

  --states <number>  so many states of each at most, the nearest first (2000000, some minutes and 2 GB each)
  --help             this

Exits with 1 if a promise was broken, and says how it came to that; with 2 if what is to be walked whole was not.
`
const { states: given } = readOptions(help, { states: { type: 'string', default: '2000000' } })
if (!/^[1-9]\d{0,8}$/.test(given)) fail('--states must be a whole number from 1 to 999999999.')
const mostStates = Number(given)
const walks: (Explored & { isToBeWhole: boolean })[] = []
for (const [name, bounds] of Object.entries({ ...walkedByCommand, ...nearestOnly })) {
  const explored = explore({ ...bounds, mostStates })
  process.stdout.write(`${told(name, explored)}\n`)
  walks.push({ ...explored, isToBeWhole: name in walkedByCommand })
}
process.exit(exitCodeOf(walks))
