// What a person, a test or a scenario may do to the simulator, read from JSON: the actions of simulator.ts by name.

import type { Confirmation, Ending } from './core/farEnd.ts'
import {
  dialledNumber,
  isObject,
  listOf,
  objectOf,
  optional,
  phoneNumber,
  type Reader,
  required,
  text,
  together,
  wholeNumber,
  word,
} from './fields.ts'
import { farEndNames, faultNames, type ModemFaultName, type PresetName, presetNames } from './presets.ts'
import type { SimulatedGate } from './simulatedGates.ts'
import type { Result, Simulator } from './simulator.ts'

export type Action = (simulator: Simulator) => Result

const milliseconds = wholeNumber(0, 3_600_000)
const farEnd = word(...farEndNames)

export const presetReader: Reader<PresetName> = word(...presetNames)
export const faultsReader: Reader<readonly ModemFaultName[]> = listOf(word(...faultNames), 20)

const confirmation: Reader<Confirmation> = together(
  objectOf<Confirmation>({
    by: required(word('sms', 'call')),
    afterMs: required(milliseconds),
    text: optional(text(70)),
  }),
  ({ by, text: said }) => ({
    text: by === 'call' && said !== undefined && 'goes with by sms: a call says nothing',
  }),
)

/** Cause 0: no cause is reported. */
const ending: Reader<Ending> = objectOf<Ending>({
  token: required(word('BUSY', 'NO CARRIER', 'NO ANSWER')),
  cause: required(wholeNumber(0, 127)),
})

export const gateReader: Reader<SimulatedGate> = together(
  objectOf<SimulatedGate>({
    phoneNumber: required(dialledNumber),
    farEnd: required(farEnd),
    callers: optional(listOf(phoneNumber, 1000)),
    relay: optional(word('pulse', 'toggle')),
    pulseMs: optional(milliseconds),
    ringMs: optional(milliseconds),
    stayMs: optional(milliseconds),
    strangers: optional(word('ignore', 'reject')),
    confirmation: optional(confirmation),
    rejectsWith: optional(ending),
    ringLimitMs: optional(milliseconds),
    givesUpWith: optional(ending),
    voicemailAfterMs: optional(milliseconds),
  }),
  ({ callers, pulseMs, relay, strangers }) => ({
    strangers:
      strangers !== undefined && callers === undefined && 'goes with callers: without it nobody is one',
    pulseMs: pulseMs !== undefined && relay === 'toggle' && 'goes with relay pulse: one that toggles stays',
  }),
)

function action<T>(reader: Reader<T>, perform: (simulator: Simulator, body: T) => Result): Reader<Action> {
  return (value, path, problems) => {
    const body = reader(value, path, problems)
    return body === undefined ? undefined : simulator => perform(simulator, body)
  }
}

function simple(perform: (simulator: Simulator) => void): Reader<Action> {
  return action(objectOf<object>({}), simulator => {
    perform(simulator)
    return { ok: true }
  })
}

/** By the name that a scenario calls them, and `POST /<name>`. */
const actions: Readonly<Record<string, Reader<Action>>> = {
  preset: action(
    objectOf<{ preset: PresetName; phoneNumber?: string }>({
      preset: required(presetReader),
      phoneNumber: optional(dialledNumber),
    }),
    (simulator, { preset, phoneNumber: number }) => simulator.setPreset(preset, number),
  ),
  faults: action(
    objectOf<{ faults: readonly ModemFaultName[] }>({ faults: required(faultsReader) }),
    (simulator, { faults }) => {
      simulator.setFaults(faults)
      return { ok: true }
    },
  ),
  gates: action(gateReader, (simulator, gate) => simulator.addGate(gate)),
  call: action(
    objectOf<{ callerNumber?: string; patienceMs?: number }>({
      callerNumber: optional((value, path, problems) =>
        value === '' ? '' : phoneNumber(value, path, problems),
      ),
      patienceMs: optional(milliseconds),
    }),
    (simulator, { callerNumber, patienceMs }) => {
      simulator.callIn(callerNumber, patienceMs)
      return { ok: true }
    },
  ),
  message: action(
    objectOf<{ from: string; text: string }>({ from: required(phoneNumber), text: required(text(70)) }),
    (simulator, { from, text: body }) => {
      simulator.sendMessage(from, body)
      return { ok: true }
    },
  ),
  restart: simple(simulator => simulator.restart()),
  unplug: simple(simulator => simulator.unplug()),
  plug: simple(simulator => simulator.plug()),
}

export const actionNames: readonly string[] = Object.keys(actions)

/** The reader of an action's fields; undefined for an unknown name. */
export function actionReader(name: string): Reader<Action> | undefined {
  return Object.hasOwn(actions, name) ? actions[name] : undefined
}

/** One action of a scenario, its name in `do` beside its fields. */
export const namedAction: Reader<Action> = (value, path, problems) => {
  if (!isObject(value)) {
    problems.push(`${path} must be an object`)
    return undefined
  }
  const { do: name, ...body } = value
  const reader = typeof name === 'string' ? actionReader(name) : undefined
  if (reader) return reader(body, path, problems)
  problems.push(`${path}.do must be one of ${actionNames.join(', ')}`)
  return undefined
}
