// The command `pnpm zones`: compares the rules of all time zones, and decisions in each of them, with Node's own.

import { allNames, changedZones, differences, reasonOf } from '@callgate/cloud/core/schedule/nodeRules.kit'
import { zoneRules } from '@callgate/contract/time/zoneRules'
import { fakeWorld } from '@callgate/world/fake'
import { fail, readOptions } from '../../commandLine.ts'
import { disagreement } from './zoneDecisions.ts'

const help = `Usage: pnpm zones [--step <hours>] [--decisions <number>] [--seed <number>]

Compares Callgate's rules of all time zones with those of this Node from 1970 to 2110: at both sides of every change, and
every few hours in between. Lists the zones that differ, with the release of the tz database that changed them; a
difference that no release explains is a fault. Then decides schedules around the changes, beside a slow checker that reads
the wall clock from Node.

  --step <hours>        how far apart the offsets are compared between the changes (24)
  --decisions <number>  how many decisions in each zone (2200, which are 1.3 million in all)
  --seed <number>       draws the schedules and instants (1)
  --help                prints this

Exit codes: 0 no fault found; 1 a fault was found, or the command line is wrong.
`
const options = readOptions(help, {
  step: { type: 'string', default: '24' },
  decisions: { type: 'string', default: '2200' },
  seed: { type: 'string', default: '1' },
})
const [step = 0, decisions = 0, seed = 0] = [options.step, options.decisions, options.seed].map(Number)
if (!(step >= 1)) fail('--step must be a number from 1.')
if (!Number.isSafeInteger(decisions) || decisions < 0) fail('--decisions must be a whole number from 0.')
if (!Number.isSafeInteger(seed) || seed < 0) fail('--seed must be a whole number from 0.')

const fromMs = 0
const toMs = Date.UTC(2110, 0)
const marginMs = 30 * 86_400_000
const nodeRelease = process.versions['tz'] ?? ''
const say = (text: string) => process.stdout.write(`${text}\n`)

say(`Callgate has tz ${zoneRules.version}, Node ${process.version} has ${nodeRelease}.`)
if (nodeRelease > zoneRules.version)
  fail('This Node is newer than the rules: update the package moment-timezone.')

let faults = 0
const explained = new Map<string, Set<string>>()
for (const name of allNames)
  for (const atMs of differences(name, fromMs, toMs, step * 3_600_000)) {
    const why = reasonOf(name, atMs, nodeRelease)
    if (why !== undefined) explained.set(why, (explained.get(why) ?? new Set()).add(name))
    else if (faults++ < 20) say(`${name} differs at ${new Date(atMs).toISOString()}`)
  }
for (const [why, names] of explained) say(`${why}: ${[...names].join(', ')}`)
if (faults > 0) fail(`${faults} differences that no release explains`)
say(`${allNames.length} names compared, every ${step} hours and at each change.`)

/** Where the rules of Node begin to differ in a zone. */
function sameUpTo(name: string): number {
  const starts = changedZones
    .filter(({ names, release }) => release > nodeRelease && names.includes(name))
    .map(({ from }) => Date.parse(from) - marginMs)
  return Math.min(toMs, ...starts)
}

const world = fakeWorld(seed)
for (const name of allNames) {
  const found = disagreement(world, name, { fromMs, toMs: sameUpTo(name), count: decisions })
  if (found !== undefined) fail(found)
}
say(`${decisions * allNames.length} decisions, all as the slow checker has them.`)
