// One episode: a fault strikes a modem that was well, before a call or during one, and the driver gets it back.

import { callProfile } from '@callgate/contract/call/callProfile'
import type { Trouble } from '@callgate/modem/modem'
import { createModem, type DialResult, type Modem } from '@callgate/modem/modem'
import type { FamilyName } from '@callgate/simulator/core/family'
import type { FarEndName, ModemFaultName } from '@callgate/simulator/presets'
import type { Simulator } from '@callgate/simulator/simulator'
import type { SimulatorState } from '@callgate/simulator/simulatorState'
import { lineTo, phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { type Recovery, recoveries } from './recoveryTable.ts'

export const strikes = ['before', 'during'] as const
/** When a fault strikes: 3 s before a call is wanted, or while it rings. */
export type Strike = (typeof strikes)[number]

export interface Episode {
  /** From the fault, its end, or the verdict of the call under it, whichever was last, until it was ready for good. */
  readonly readyAfterMs: number
  readonly isReady: boolean
  /** All that the status told a person to see to. */
  readonly troubles: readonly Trouble[]
  readonly hooksRun: number
  /** What became of a call to a gate that rejects, placed when all was well again. */
  readonly lastReason: string | null
  /** How often the driver was asked to dial, and did. */
  readonly dials: number
  /** After that call. */
  readonly truth: SimulatorState
}

/** One of them answers the first call: a gate that holds the line, one that rejects, and one that only rings. */
const farEnds: readonly FarEndName[] = ['answer_hold', 'reject_busy', 'ring_forever']
const lastGate = { phoneNumber: '+40722000002', farEnd: 'reject_busy' } as const
const profile = callProfile({ mode: 'reject' })

/** Long enough for the ladder to be at rest. */
const healthyMs = 90_000
const intoCallMs = 7_000
const beforeCallMs = 3_000
/** How long a fault stays that has to be taken away. */
const lastingMs = 900_000
/** Ready for so long, it is ready for good. */
const calmMs = 60_000

const isReady = (modem: Modem) => modem.status().state === 'ready'

function createParts(world: FakeWorld, seed: number, cure: Recovery['cure'], family: FamilyName) {
  const simulator = usualSimulator({
    world,
    seed,
    network: 'normal',
    family,
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

/** Places a call if the modem lets itself be reserved; null if not. */
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

/** Brings the fault on, waits for the call under it, and for the fault's end where it has to be taken away. */
async function suffer(
  world: FakeWorld,
  { modem, simulator }: { modem: Modem; simulator: Simulator },
  fault: ModemFaultName,
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

/** The same for the same seed. */
export async function episode(
  fault: ModemFaultName,
  strike: Strike,
  seed: number,
  family: FamilyName,
): Promise<Episode> {
  const { cure, withinMs } = recoveries[fault]
  const world = fakeWorld(seed)
  const { hooksRun, modem, simulator } = createParts(world, seed, cure, family)
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
  const first = await suffer(world, { modem, simulator }, fault, strike)
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
