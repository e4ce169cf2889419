// Planted bugs that seeds of the house have to find: some of its own, and some that another judge finds in its way.

import { cloudBugs } from './cloudBugs.ts'
import { gatewayBugs } from './gatewayBugs.ts'
import type { PlantedBug } from './plant.ts'
import { wireBugs } from './wireBugs.ts'

const ofOthers = [...cloudBugs, ...gatewayBugs, ...wireBugs]

/** The bug of that name, for the seeds to find. */
function inTheHouse(name: string, breaks: string, fromSeed: number): PlantedBug {
  const bug = ofOthers.find(one => one.name === name)
  if (!bug) throw new Error(`there is no bug "${name}"`)
  return { ...bug, name: `${name} (house)`, judge: 'seeds', breaks, fromSeed }
}

export const houseBugs: readonly PlantedBug[] = [
  inTheHouse('a permission is asked at the press only', 'P3', 6),
  inTheHouse('a boot is taken up without a challenge', 'G2', 1),
  inTheHouse('no cool-down', 'P5', 5),
  inTheHouse('late truth is refused', 'A3', 1),
  inTheHouse('ack before commit', 'A3', 172),
  inTheHouse('a terminal state is left', 'A3', 11),
  inTheHouse('whoever joined is counted', 'A6', 1),
  // The violation of both begins with the other: a call that was not granted.
  inTheHouse('an unsigned grant is accepted', 'A1', 1),
  {
    name: 'the 90 s begin anew with each start of the cloud',
    file: 'cloud/src/openingEnds.ts',
    find: 'const since = byWallMs < 0 ? oldestMs : Math.min(byWallMs, oldestMs)',
    replace: 'const since = 0',
    why: 'a server that is restarted again and again keeps everybody waiting',
    judge: 'seeds',
    breaks: 'A2',
    fromSeed: 55,
  },
  {
    name: 'the age of a press is the cloud’s own word',
    file: 'cloud/src/openingClock.ts',
    find: 'return Math.max(furthestMs, byGatewayMs)',
    replace: 'return furthestMs',
    why: 'a machine that stood still calls when nobody stands at the gate any more',
    judge: 'seeds',
    breaks: 'P2',
    fromSeed: 119,
  },
  {
    name: 'whoever joined never ends',
    file: 'cloud/src/openingRows.ts',
    find: 'for (const joiner of tooLate)',
    replace: 'for (const joiner of tooLate.slice(tooLate.length))',
    why: 'the second one to press waits for ever, on any wire',
    judge: 'seeds',
    breaks: 'A6',
  },
  {
    name: 'an opening taken for forgotten is settled',
    file: 'cloud/src/gatewayBoots.ts',
    find: 'isSettled: false,',
    replace: 'isSettled: true,',
    why: 'what the gateway saw is refused when a late beat of a boot that has ended looked like a newer one',
    judge: 'seeds',
    breaks: 'A6',
  },
  {
    name: 'the call does not wait for the journal',
    file: 'gateway/src/openings.ts',
    find: 'void journal.intend(openingId).then(kept => {',
    replace: "tell({ type: 'intentKept', openingId })\n      void journal.intend(openingId).then(kept => {",
    why: 'after a power cut nobody knows of the call, in any house whose disk is slower than its modem',
    judge: 'seeds',
    breaks: 'P8',
  },
  {
    name: 'an ATD that nobody answered leaves the line free',
    file: 'modem/src/callRun.ts',
    find: "await at.ask(commands.hangUp)\n    return isLost() ? 'lost' : 'held'",
    replace: "await at.ask(commands.hangUp)\n    return isLost() ? 'lost' : 'free'",
    why: 'the modem wakes and calls after its gateway has told the end and claims the next opening',
    judge: 'seeds',
    breaks: 'P6',
    fromSeed: 25,
  },
  {
    name: 'a press that joins is not written down',
    file: 'cloud/src/exchange.ts',
    find: 'await insertOpening(tx, { ...row, joinedOpeningId: decision.leader.id })',
    replace: 'void tx',
    why: 'somebody was told of an opening of which there is no record',
    judge: 'seeds',
    breaks: 'A1',
  },
]
