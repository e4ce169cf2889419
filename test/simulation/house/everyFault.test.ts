// Deterministic simulation testing: enough seeds to meet every kind of fault and every state transition, without a violation.

import { transitions } from '@callgate/cloud/core/opening'
import { expect, it } from 'vitest'
import { answerWays } from './backgroundMet.ts'
import { backgroundFaults } from './backgroundPlan.ts'
import { gateMessageFaults } from './gateMessagePlan.ts'
import { runMany } from './manySeeds.ts'
import { faultKinds } from './plan.ts'
import { simCardFaults } from './simCardPlan.ts'

/** Enough seeds to meet every kind of fault. `pnpm hunt` runs new seeds for any length of time. */
const seeds = 416
/** The first of them: from here on this number of seeds meets the rare faults as well. */
const firstSeed = 577
/** The run takes less than a minute on a quiet machine, and many minutes on a busy one. */
const timeoutMs = 1_800_000

/** The least number of occurrences of each. */
type Least = Readonly<Record<string, number>>

const least = (times: number, names: readonly string[], of = ''): Least =>
  Object.fromEntries(names.map(name => [of + name, times]))

/** Faults that have an effect only during a call, or between two writes. */
const seldomFaults = [
  'gateway killed, journal forgotten',
  'chip: sleeps',
  'chip: hang_after_n',
  'chip: brownout_on_tx',
  'chip: late_ok',
  'chip: lost_all_end_urcs',
  'chip: reg_lost_mid_call',
  'chip: usb_unplug_reenumerate',
  'chip: clcc_always_empty',
  'chip: clcc_unanswered_once',
]
const rareFaults = ['chip: ath_slow_19s']
/** Too rare for so few seeds, so it has a seed of its own. */
const tornJournal = 'gateway killed, journal torn'

const faults: Least = {
  ...least(5, faultKinds),
  ...least(1, seldomFaults),
  ...least(1, rareFaults),
  ...least(0, [tornJournal]),
  ...least(1, backgroundFaults),
  ...least(10, ['press of another Space', 'Idempotency-Key repeated', 'writes share a commit']),
  ...least(1, ['database fails at SAVEPOINT', 'database fails at RELEASE', 'database fails at COMMIT']),
  ...least(3, [...simCardFaults, ...gateMessageFaults, ...answerWays]),
}

/** All changes of an opening's status that the cloud allows, and all first statuses. */
const openingMoves = [
  ...Object.entries(transitions).flatMap(([was, next]) => next.map(now => `${was} → ${now}`)),
  ...['initiated', 'completed', 'failed', 'timeout'].map(now => `nothing → ${now}`),
]

/** The changes of the opener's phase, each with its usual events. */
const openerMoves = [
  ...['hint', 'timePassed', 'modemReady'].map(by => `idle → reserving by ${by}`),
  'reserving → claiming by reserved',
  'reserving → idle by notReserved',
  'claiming → intending by grant',
  ...['grant', 'timePassed'].map(by => `claiming → idle by ${by}`),
  'claiming → reserving by grant',
  'intending → calling by intentKept',
  ...['intentRefused', 'timePassed'].map(by => `intending → idle by ${by}`),
  ...['idle', 'reserving'].map(phase => `calling → ${phase} by callEnded`),
]
const rareMoves = [
  'reserving → idle by reserved',
  'claiming → idle by stop',
  'claiming → reserving by timePassed',
]
/** Transitions that only thousands of seeds are sure to meet. */
const seldomMoves = [
  'intending → reserving by intentRefused',
  'intending → idle by intentKept',
  'intending → reserving by timePassed',
]
/** The opener checks the time at each event, so time may change its phase at any of these events. */
const byChance = [
  'idle → reserving',
  'claiming → idle',
  'claiming → reserving',
  'intending → idle',
  'intending → reserving',
]
  .flatMap(move => ['hint', 'grant', 'modemReady'].map(by => `${move} by ${by}`))
  .concat('intending → idle by stop', 'intending → reserving by intentKept')

const moves: Least = {
  ...least(5, openingMoves, 'opening: '),
  ...least(0, [...byChance, ...seldomMoves], 'opener: '),
  ...least(3, openerMoves, 'opener: '),
  ...least(1, rareMoves, 'opener: '),
}

/** Whatever occurred too seldom. */
const missing = (met: Least, wanted: Least) =>
  Object.entries(wanted)
    .filter(([name, times]) => (met[name] ?? 0) < times)
    .map(([name, times]) => `${name}: ${met[name] ?? 0} of ${times}`)

it('keeps every promise under every kind of fault', { timeout: timeoutMs }, async () => {
  const sum = await runMany(firstSeed, seeds)
  expect(sum.violations).toEqual([])
  expect(sum.seeds).toBe(seeds)
  expect(missing(sum.faults, faults)).toEqual([])
  expect(missing(sum.moves, moves)).toEqual([])
  // Every transition that occurs is listed above.
  expect(Object.keys(sum.moves).filter(move => !(move in moves))).toEqual([])
  expect(sum.calls).toBeGreaterThan(seeds)
  expect(sum.endings['failed number_in_use']).toBeGreaterThan(10)
})
