// One episode of a recovery test: a fault begins before or during a call, and the driver makes the modem ready again.

import { callProfile } from '@callgate/contract/call/callProfile'
import type { Trouble } from '@callgate/modem/modem'
import { createModem, type DialResult, type Modem } from '@callgate/modem/modem'
import type { ModelName } from '@callgate/simulator/core/model'
import type { CallFaultName, FarEndName } from '@callgate/simulator/presets'
import type { Simulator } from '@callgate/simulator/simulator'
import type { SimulatorState } from '@callgate/simulator/simulatorState'
import { lineTo, phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { type Recovery, recoveries } from './recoveryTable.ts'

export const strikes = ['before', 'during'] as const
/** When a fault begins: 3 s before a call, or while the call rings. */
export type Strike = (typeof strikes)[number]

export interface Episode {
  /** The time until the modem was permanently ready, from the fault, its end, or the verdict of the call, whichever was last. */
  readonly readyAfterMs: number
  readonly isReady: boolean
  /** All troubles that the status showed. */
  readonly troubles: readonly Trouble[]
  readonly hooksRun: number
  /** The result of a later call to a gate that rejects. */
  readonly lastReason: string | null
  /** How many calls the driver dialled. */
  readonly dials: number
  /** The simulator's state after that call. */
  readonly truth: SimulatorState
}

/** The far end of the first call: one holds the line, one rejects, one only rings. */
const farEnds: readonly FarEndName[] = ['answer_hold', 'reject_busy', 'ring_forever']
const lastGate = { phoneNumber: '+40722000002', farEnd: 'reject_busy' } as const
const profile = callProfile({ mode: 'reject' })

/** Long enough for the recovery ladder to be idle again. */
const healthyMs = 90_000
const intoCallMs = 7_000
const beforeCallMs = 3_000
/** How long a fault lasts that a person must remove. */
const lastingMs = 900_000
/** A modem that is ready for this long is permanently ready. */
const calmMs = 60_000

const isReady = (modem: Modem) => modem.status().state === 'ready'

function createParts(world: FakeWorld, seed: number, cure: Recovery['cure'], model: ModelName) {
  const simulator = usualSimulator({
    world,
    seed,
    network: 'normal',
    model,
    gates: [{ phoneNumber, farEnd: farEnds[seed % farEnds.length] ?? 'reject_busy' }, lastGate],
  })
  let hooksRun = 0
  const modem = createModem({
    world,
    baudRate: 115_200,
    hooks: cure === 'hook' ? ['pwrkey', 'reset', 'supply'] : [],
    async runHook() {
      hooksRun += 1
      simulator.restart()
      simulator.setFaults([])
      return true
    },
    openLine: lineTo(simulator),
  })
  return { simulator, modem, hooksRun: () => hooksRun }
}

/** Places a call. Null when the modem cannot be reserved. */
async function dial(world: FakeWorld, modem: Modem, to: string): Promise<DialResult | null> {
  let result: DialResult | null = null
  let isDone = false
  void modem.reserve().then(async reservation => {
    if (reservation.ok)
      result = await modem.dial({ phoneNumber: to, profile, mayDial: () => true, onProgress() {} })
    isDone = true
  })
  await world.until(() => isDone, 100_000)
  return result
}

/** Begins the fault, places a call during it, and removes the fault where a person must. */
async function runFault(
  world: FakeWorld,
  { modem, simulator }: { modem: Modem; simulator: Simulator },
  fault: CallFaultName,
  strike: Strike,
): Promise<DialResult | null> {
  const { also = [], cure, restarts } = recoveries[fault]
  const begin = () => {
    simulator.setFaults([fault, ...also])
    if (restarts) simulator.restart()
  }
  if (strike === 'before') {
    begin()
    await world.advance(beforeCallMs)
  } else world.after(intoCallMs, begin)
  const call = await dial(world, modem, phoneNumber)
  if (fault === 'hang_after_n') await world.until(() => simulator.state().modem.hung)
  if (cure !== 'takenAway') return call
  await world.advance(lastingMs)
  simulator.setFaults([])
  return call
}

/** Runs the episode. The same seed gives the same result. */
export async function episode(
  fault: CallFaultName,
  strike: Strike,
  seed: number,
  model: ModelName,
): Promise<Episode> {
  const { cure, withinMs } = recoveries[fault]
  const world = fakeWorld(seed, 1)
  const { hooksRun, modem, simulator } = createParts(world, seed, cure, model)
  modem.start()
  await world.until(() => isReady(modem))
  await world.advance(healthyMs)
  const troubles = new Set<Trouble>()
  let readyMs = 0
  modem.onStatus(({ state, trouble }) => {
    if (trouble !== null) troubles.add(trouble)
    if (state === 'ready') readyMs = world.monotonicMs()
  })
  const struckMs = world.monotonicMs()
  const first = await runFault(world, { modem, simulator }, fault, strike)
  const sinceMs = first || cure === 'takenAway' ? world.monotonicMs() : struckMs
  await world.advance(sinceMs + withinMs + calmMs - world.monotonicMs())
  const readyAfterMs = Math.max(0, readyMs - sinceMs)
  const wasReady = isReady(modem)
  simulator.setFaults([])
  const second = await dial(world, modem, lastGate.phoneNumber)
  const seen: Episode = {
    readyAfterMs,
    isReady: wasReady,
    troubles: [...troubles],
    hooksRun: hooksRun(),
    lastReason: second?.dialled ? second.verdict.reason : null,
    dials: [first, second].filter(result => result?.dialled).length,
    truth: simulator.state(),
  }
  await modem.close()
  simulator.stop()
  return seen
}
