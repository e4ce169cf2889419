// A scenario file: how the simulator is set up and what happens to it when, as JSON that a person writes.

import type { World } from '@callgate/world/world'
import { type Action, faultsReader, gateReader, namedAction, presetReader } from './actions.ts'
import { type FamilyName, familyNames } from './core/family.ts'
import type { NetworkName } from './core/latency.ts'
import {
  flag,
  isObject,
  listOf,
  objectOf,
  optional,
  phoneNumber,
  type Reader,
  type ReadResult,
  read,
  text,
  together,
  wholeNumber,
  word,
} from './fields.ts'
import { isFaultName, type ModemFaultName, type PresetName } from './presets.ts'
import type { SimulatedGate } from './simulatedGates.ts'
import type { Simulator } from './simulator.ts'

/** When the step is due: a time after the start, or after the n-th ATD was read. */
export interface Step {
  readonly onCall?: number
  readonly afterMs: number
  readonly action: Action
}

export interface Scenario {
  /** A note for people who read the file. */
  readonly description?: string
  readonly seed?: number
  readonly network?: NetworkName
  readonly family?: FamilyName
  readonly registered?: boolean
  readonly number?: string
  readonly baud?: number
  readonly split?: boolean
  readonly codes?: boolean
  readonly preset?: PresetName
  readonly faults?: readonly ModemFaultName[]
  readonly gates?: readonly SimulatedGate[]
  readonly steps?: readonly Step[]
}

const dayMs = 86_400_000

const when: Reader<{ atMs?: number; onCall?: number; afterMs?: number }> = objectOf<{
  atMs?: number
  onCall?: number
  afterMs?: number
}>({
  atMs: optional(wholeNumber(0, dayMs)),
  onCall: optional(wholeNumber(1, 10_000)),
  afterMs: optional(wholeNumber(0, dayMs)),
})

const step: Reader<Step> = (value, path, problems) => {
  if (!isObject(value)) {
    problems.push(`${path} must be an object`)
    return undefined
  }
  const { atMs, onCall, afterMs, ...rest } = value
  const given = Object.entries({ atMs, onCall, afterMs }).filter(([, time]) => time !== undefined)
  const due = when(Object.fromEntries(given), path, problems)
  const action = namedAction(rest, path, problems)
  if (rest['do'] === 'preset' && rest['phoneNumber'] !== undefined && isFaultName(String(rest['preset'])))
    problems.push(`${path}.phoneNumber goes with a far end: ${rest['preset']} is a fault of the modem`)
  if ((atMs === undefined) === (onCall === undefined))
    problems.push(`${path} must have atMs, or onCall with afterMs or without, and not both`)
  else if (atMs !== undefined && afterMs !== undefined)
    problems.push(`${path}.afterMs goes with onCall, not with atMs`)
  if (!due || !action) return undefined
  return due.onCall === undefined
    ? { afterMs: due.atMs ?? 0, action }
    : { onCall: due.onCall, afterMs: due.afterMs ?? 0, action }
}

/** Numbers that two gates have; the later gate would silently replace the other. */
function repeated(gates: readonly SimulatedGate[]): readonly string[] {
  const numbers = gates.map(({ phoneNumber: number }) => number)
  return [...new Set(numbers.filter((number, place) => numbers.indexOf(number) < place))]
}

const fields: Reader<Scenario> = objectOf<Scenario>({
  description: optional(text(2000)),
  seed: optional(wholeNumber(0, 2 ** 32 - 1)),
  network: optional(word('normal', 'fast')),
  family: optional(word(...familyNames)),
  registered: optional(flag),
  number: optional(phoneNumber),
  baud: optional(wholeNumber(300, 4_000_000)),
  split: optional(flag),
  codes: optional(flag),
  preset: optional(presetReader),
  faults: optional(faultsReader),
  gates: optional(listOf(gateReader, 1000)),
  steps: optional(listOf(step, 10_000)),
})

const scenario: Reader<Scenario> = together(fields, ({ gates = [] }) => {
  const twice = repeated(gates)
  return { gates: twice.length > 0 && `have two of one number: ${twice.join(', ')}` }
})

/** Reads a scenario file's text; the message has a line for each thing that is wrong. */
export function readScenario(json: string): ReadResult<Scenario> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return { ok: false, message: `it is no JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  return read(scenario, value)
}

/** Carries out the steps, each at its time. One that is not possible (an unknown gate) is logged and left out. */
export function playSteps(world: World, simulator: Simulator, steps: readonly Step[]): void {
  function schedule({ afterMs, action }: Step, place: number): void {
    world.after(afterMs, () => {
      const result = action(simulator)
      if (!result.ok)
        world.log.error('a step of the scenario failed', {
          step: place,
          code: result.code,
          why: result.message,
        })
    })
  }
  steps.forEach((next, place) => {
    if (next.onCall === undefined) schedule(next, place)
  })
  simulator.onDial(callId => {
    steps.forEach((next, place) => {
      if (next.onCall === callId) schedule(next, place)
    })
  })
}
