// Mutants that seeds of the house have to find: some of its own, and some that other tests catch as well.

import { bootMutants } from './bootMutants.ts'
import { cloudMutants } from './cloudMutants.ts'
import { gatewayMutants } from './gatewayMutants.ts'
import { type Mutant, seeds } from './mutant.ts'
import { wireMutants } from './wireMutants.ts'

const ofOthers = [...bootMutants, ...cloudMutants, ...gatewayMutants, ...wireMutants]

/** The mutant of that name, for the seeds to find as well: it has to break the same promise there, or the given one. */
function inTheHouse(name: string, fromSeed: number, breaks?: string): Mutant {
  const mutant = ofOthers.find(one => one.name === name)
  if (!mutant) throw new Error(`there is no mutant "${name}"`)
  return { ...mutant, name: `${name} (house)`, test: seeds, fromSeed, breaks: breaks ?? mutant.breaks }
}

export const houseMutants: readonly Mutant[] = [
  inTheHouse('a permission is asked at the press only', 6),
  inTheHouse('a boot is taken up without a challenge', 1),
  inTheHouse('no cool-down', 49),
  inTheHouse('late truth is refused', 1),
  inTheHouse('ack before commit', 172),
  // Here it ends a second time, by a report other than the true one.
  inTheHouse('a terminal state is left', 69, 'A3'),
  inTheHouse('whoever joined is counted', 1),
  inTheHouse('an unsigned grant is accepted', 1),
  {
    name: 'a number that another Space calls is free (house)',
    file: 'cloud/src/opening/grants.ts',
    find: 'if (!(await this.#takeNumber(tx, { nowMs, opening, permit })))',
    replace: "if (!(await this.#takeNumber(tx, { nowMs, opening, permit })) && opening.id === '')",
    why: 'two Spaces with one number call it at once, and the gate opens and closes',
    test: seeds,
    breaks: 'P5',
    fromSeed: 8,
  },
  {
    name: 'a Space that calls again and again keeps the number (house)',
    file: 'cloud/src/gate/core/numberLock.ts',
    find: '    isNear(nowMs, since, foreignHeldAtMostMs) &&\n',
    replace: '',
    why: 'whoever knows the number of a gate keeps its owners from opening it',
    test: seeds,
    breaks: 'L2',
    fromSeed: 558,
  },
  {
    name: 'the wall clock alone ends what an Idempotency-Key was answered (house)',
    file: 'cloud/src/http/keptAnswers.ts',
    find: 'return servedFor(query, keptMs).where(dated =>',
    replace: 'return query.where(dated =>',
    why: 'a machine gets its time after the first presses, and a request that is repeated opens again',
    test: seeds,
    breaks: 'P1',
    fromSeed: 9,
  },
  {
    name: 'a gate that nobody verified rang in vain, and it counts as not opened',
    file: 'modem/src/core/callVerdict.ts',
    find: "if (conclusion.opened !== 'no' || conclude(trace, { ...profile, mode: 'ring' }).opened === 'no')\n    return conclusion",
    replace: 'return conclusion',
    why: 'no cool-down holds, and the next press rings a gate that is moving',
    test: seeds,
    breaks: 'P5',
    fromSeed: 4_615,
  },
  {
    name: 'a restart frees the number of a call that rings',
    file: 'cloud/src/opening/openingEnds.ts',
    find: 'else if (row.joinedOpeningId === null) this.#acceptAgain(row, this.#sinceCalledMs(row, world.nowMs()))',
    replace: `else if (row.joinedOpeningId === null) this.#acceptAgain(row, this.#sinceCalledMs(row, world.nowMs()))
      if (row.status !== 'connected') continue
      const { id } = row
      await this.#parts.database.write(tx => tx('openings').where({ id }).update({ lockedNumber: null }))`,
    why: 'another gateway calls while the gate still rings, whatever the wall clock says',
    test: seeds,
    breaks: 'P5',
    fromSeed: 7,
  },
  {
    name: 'after a restart the wall clock frees the number of a call that rings',
    file: 'cloud/src/opening/openingEnds.ts',
    find: '      heldSince: now,\n',
    replace: "      ...(row.status !== 'connected' && { heldSince: now }),\n",
    why: 'another gateway calls while the gate still rings, where the clock was set while the cloud was down',
    test: seeds,
    breaks: 'P5',
    fromSeed: 7,
  },
  {
    name: 'the 90 s begin anew with each start of the cloud',
    file: 'cloud/src/opening/openingEnds.ts',
    find: 'const since = Math.min(sinceCalledMs, terminalWithinMs - terminalAfterRestartMs)',
    replace: 'const since = 0',
    why: 'a server that is restarted again and again keeps everybody waiting',
    test: seeds,
    breaks: 'A2',
    fromSeed: 55,
  },
  {
    name: 'the age of a press is the cloud’s own word',
    file: 'cloud/src/opening/openingClock.ts',
    find: 'return Math.max(furthestMs, byGatewayMs)',
    replace: 'return furthestMs',
    why: 'a machine that stalled calls when nobody stands at the gate any more',
    test: seeds,
    breaks: 'P2',
    fromSeed: 343,
  },
  {
    name: 'whoever joined never ends',
    file: 'cloud/src/opening/endOpening.ts',
    find: 'for (const joiner of tooLate)',
    replace: 'for (const joiner of tooLate.slice(tooLate.length))',
    why: 'the second one to press waits for ever, on any wire',
    test: seeds,
    breaks: 'A6',
  },
  {
    name: 'an opening taken for forgotten is settled',
    file: 'cloud/src/opening/core/openingEnd.ts',
    find: 'journalLost: { isSettled: false,',
    replace: 'journalLost: { isSettled: true,',
    why: 'what the gateway saw is refused when a late beat of a boot that has ended looked like a newer one',
    test: seeds,
    breaks: 'A6',
  },
  {
    name: 'the call does not wait for the journal',
    file: 'gateway/src/openings.ts',
    find: 'void journal.intend(openingId).then(kept => {',
    replace:
      "this.tell({ type: 'intentKept', openingId })\n    void journal.intend(openingId).then(kept => {",
    why: 'after a power cut nobody knows of the call, in any house whose disk is slower than its modem',
    test: seeds,
    breaks: 'P8',
  },
  {
    name: 'an ATD that nobody answered leaves the line free',
    file: 'modem/src/callRun.ts',
    find: "await line.ask(commands.hangUp)\n    return recorder.isLost ? 'lost' : 'held'",
    replace: "await line.ask(commands.hangUp)\n    return recorder.isLost ? 'lost' : 'free'",
    why: 'the modem wakes and calls after its gateway has told the end and claims the next opening',
    test: seeds,
    breaks: 'P6',
    fromSeed: 295,
  },
  {
    name: 'a press that joins is not written down',
    file: 'cloud/src/opening/presses.ts',
    find: 'return insertOpening(tx, { ...row, joinedOpeningId: decision.leader.id })',
    replace: 'return Promise.resolve()',
    why: 'somebody was told of an opening of which there is no record',
    test: seeds,
    breaks: 'A1',
  },
]
