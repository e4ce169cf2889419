// A scenario file: the set-up of the simulator and its timed steps, as JSON that a person writes.

import type { World } from '@callgate/world/world'
import Type, { type Static } from 'typebox'
import { type Action, actions, faults, gate, preset, wrongInGate } from './actions.ts'
import { modelNames } from './core/model.ts'
import {
  checker,
  flag,
  listOf,
  objectOf,
  oneByField,
  phoneNumber,
  type ReadResult,
  text,
  wholeNumber,
  word,
} from './fields.ts'
import { isFaultName, type ModemFaultName } from './presets.ts'
import type { SimulatedGate } from './simulatedGates.ts'
import type { Simulator } from './simulator.ts'

/** When the step is due: a time after the start, or after the n-th ATD was read. */
export interface Step {
  readonly onCall?: number
  readonly afterMs: number
  readonly action: Action
}

const dayMs = 86_400_000

const times = {
  atMs: Type.Optional(wholeNumber(0, dayMs)),
  onCall: Type.Optional(wholeNumber(1, 10_000)),
  afterMs: Type.Optional(wholeNumber(0, dayMs)),
}

/** A step in the form of the file: the name of its action in `do`, and the action's fields beside it. */
interface WrittenStep {
  readonly do: string
  readonly atMs?: number
  readonly onCall?: number
  readonly afterMs?: number
  readonly [field: string]: unknown
}

const step = oneByField<WrittenStep>(
  'do',
  Object.fromEntries(Object.entries(actions).map(([name, { fields }]) => [name, { ...times, ...fields }])),
)

const written = objectOf({
  /** A note for people who read the file. */
  description: Type.Optional(text(2000)),
  seed: Type.Optional(wholeNumber(0, 2 ** 32 - 1)),
  network: Type.Optional(word('normal', 'fast')),
  model: Type.Optional(word(...modelNames)),
  registered: Type.Optional(flag),
  number: Type.Optional(phoneNumber),
  baud: Type.Optional(wholeNumber(300, 4_000_000)),
  split: Type.Optional(flag),
  codes: Type.Optional(flag),
  preset: Type.Optional(preset),
  faults: Type.Optional(faults),
  gates: Type.Optional(listOf(gate, 1000)),
  steps: Type.Optional(listOf(step, 10_000)),
})

/** The parsed file: the set-up in its written form, and the steps. */
export interface Scenario extends Omit<Static<typeof written>, 'faults' | 'gates' | 'steps'> {
  readonly faults?: readonly ModemFaultName[]
  readonly gates?: readonly SimulatedGate[]
  readonly steps?: readonly Step[]
}

/** Numbers that two gates share; the later gate would silently replace the other. */
function repeated(gates: readonly SimulatedGate[]): readonly string[] {
  const numbers = gates.map(({ phoneNumber: number }) => number)
  return [...new Set(numbers.filter((number, place) => numbers.indexOf(number) < place))]
}

function wrongInStep(step: WrittenStep, at: string): readonly string[] {
  const { afterMs, atMs, do: name, onCall, ...body } = step
  const { phoneNumber: number, preset: chosen } = body
  const isOfModem = name === 'preset' && number !== undefined && isFaultName(String(chosen))
  return [
    ...(isOfModem ? [`${at}.phoneNumber goes with a far end: ${chosen} is a fault of the modem`] : []),
    ...((atMs === undefined) === (onCall === undefined)
      ? [`${at} must have atMs, or onCall with afterMs or without, and not both`]
      : []),
    ...(atMs !== undefined && onCall === undefined && afterMs !== undefined
      ? [`${at}.afterMs goes with onCall, not with atMs`]
      : []),
    ...(actions[name]?.wrong(body, `${at}.`) ?? []),
  ]
}

const check = checker(written, ({ gates = [], steps = [] }) => {
  const twice = repeated(gates)
  return [
    ...gates.flatMap((each, place) => wrongInGate(each, `gates[${place}].`)),
    ...(twice.length > 0 ? [`gates have two of one number: ${twice.join(', ')}`] : []),
    ...steps.flatMap((each, place) => wrongInStep(each, `steps[${place}]`)),
  ]
})

function stepOf({ afterMs = 0, atMs = 0, do: name, onCall, ...body }: WrittenStep): Step {
  const perform = actions[name]?.perform
  if (!perform) throw new Error(`the schema let the action ${name} in`)
  const action: Action = simulator => perform(simulator, body)
  return onCall === undefined ? { afterMs: atMs, action } : { onCall, afterMs, action }
}

/** Reads a scenario file's text; the message has a line for each problem. */
export function readScenario(json: string): ReadResult<Scenario> {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return { ok: false, message: `it is no JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
  const read = check(value)
  if (!read.ok) return read
  const { steps = [], ...others } = read.value
  return { ok: true, value: { ...others, steps: steps.map(stepOf) } }
}

/** Carries out the steps, each at its time. An impossible one (an unknown gate) is logged and skipped. */
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
