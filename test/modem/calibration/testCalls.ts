// Test calls of a calibration on the simulator: the reports of the modem's own code, and the movements of the gate.

import { callSigns } from '@callgate/cloud/core/callSigns'
import { observingProfile, type TestCall } from '@callgate/cloud/core/profileProposal'
import { type CallProfile, callProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict } from '@callgate/contract/call/verdict'
import { createModem, type DialResult, type Modem } from '@callgate/modem/modem'
import type { ModelName } from '@callgate/simulator/core/model'
import type { FarEndName, ModemFaultName } from '@callgate/simulator/presets'
import type { SimulatedGate } from '@callgate/simulator/simulatedGates'
import type { Simulator } from '@callgate/simulator/simulator'
import { lineTo, phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'

export interface TestHouse {
  readonly world: FakeWorld
  readonly simulator: Simulator
  readonly modem: Modem
}

export interface TestHouseOptions {
  readonly farEnd: FarEndName
  readonly seed: number
  readonly model?: ModelName
  readonly faults?: readonly ModemFaultName[]
  readonly gate?: Partial<SimulatedGate>
}

/** A ready modem, and one gate. */
export async function testHouse(options: TestHouseOptions): Promise<TestHouse> {
  const { farEnd, faults = [], gate = {}, model = 'sim800', seed } = options
  const world = fakeWorld(seed, 1)
  const gates = [{ ...gate, farEnd, phoneNumber }]
  const simulator = usualSimulator({ world, seed, network: 'normal', model, gates })
  const modem = createModem({ world, baudRate: 115_200, openLine: lineTo(simulator) })
  modem.start()
  await world.until(() => modem.status().state === 'ready', 300_000)
  simulator.setFaults(faults)
  return { world, simulator, modem }
}

/** One call under `profile`. */
export async function callGate({ modem, world }: TestHouse, profile: CallProfile) {
  await world.until(() => modem.status().state === 'ready', 300_000)
  let result: DialResult | undefined
  const reserved = modem.reserve().then(async reservation => {
    if (!reservation.ok) throw new Error(`not reserved: ${reservation.reason}`)
    result = await modem.dial({ phoneNumber, profile, mayDial: () => true, onProgress: () => {} })
  })
  await world.until(() => result !== undefined, 300_000)
  await reserved
  if (!result?.dialled) throw new Error(`not dialled: ${result?.why}`)
  return result
}

const unverified = callProfile({ mode: 'unverified' })

/** A test call, and the observation of a person at the gate who counts the seconds. */
export async function testCall(
  house: TestHouse,
  { isHidden = false, counts = true } = {},
): Promise<TestCall & { readonly verdict: CallVerdict }> {
  const { simulator, world } = house
  const before = simulator.state().gates[0]?.relayCount ?? 0
  let movedMs: number | undefined
  const dialledMs = world.monotonicMs()
  const watch = setMoved()
  const { evidence, verdict } = await callGate(house, observingProfile(unverified, isHidden))
  watch.cancel()
  await world.advance(30_000)
  function setMoved() {
    let timer = world.after(100, check)
    function check() {
      if ((simulator.state().gates[0]?.relayCount ?? 0) > before) movedMs ??= world.monotonicMs() - dialledMs
      timer = world.after(100, check)
    }
    return { cancel: () => timer.cancel() }
  }
  const hasMoved = (simulator.state().gates[0]?.relayCount ?? 0) > before
  return {
    signs: callSigns(verdict, evidence),
    hasMoved,
    movedAfterMs: !counts || movedMs === undefined ? null : Math.round(movedMs / 1_000) * 1_000,
    isHidden,
    verdict,
  }
}
