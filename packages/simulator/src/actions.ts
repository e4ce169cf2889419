// The actions on the simulator that a person, a test or a scenario may request, by name and read from JSON.

import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { listeningBrands } from './core/listening.ts'
import {
  checker,
  dialledNumber,
  listOf,
  objectOf,
  phoneNumber,
  type ReadResult,
  sender,
  text,
  wholeNumber,
  word,
} from './fields.ts'
import { allFaultNames, allPresetNames, farEndNames } from './presets.ts'
import type { SimulatedGate } from './simulatedGates.ts'
import type { Result, Simulator } from './simulator.ts'

export type Action = (simulator: Simulator) => Result

const milliseconds = wholeNumber(0, 3_600_000)

export const preset = word(...allPresetNames)
export const faults = listOf(word(...allFaultNames), 20)

const confirmation = objectOf({
  by: word('sms', 'call'),
  afterMs: milliseconds,
  text: Type.Optional(text(70)),
})

const listens = objectOf({
  brand: word(...listeningBrands),
  password: text(8),
  admins: Type.Optional(listOf(phoneNumber, 10)),
  answersAfterMs: Type.Optional(milliseconds),
  answers: Type.Optional(word('ucs2', 'parts', 'fromOtherNumber', 'never')),
})

/** Cause 0: no cause is reported. */
const ending = objectOf({ token: word('BUSY', 'NO CARRIER', 'NO ANSWER'), cause: wholeNumber(0, 127) })

const gateFields = {
  phoneNumber: dialledNumber,
  farEnd: word(...farEndNames),
  callers: Type.Optional(listOf(phoneNumber, 1000)),
  relay: Type.Optional(word('pulse', 'toggle')),
  pulseMs: Type.Optional(milliseconds),
  ringMs: Type.Optional(milliseconds),
  holdMs: Type.Optional(milliseconds),
  stayMs: Type.Optional(milliseconds),
  strangers: Type.Optional(word('ignore', 'reject')),
  confirmation: Type.Optional(confirmation),
  listens: Type.Optional(listens),
  rejectsWith: Type.Optional(ending),
  ringLimitMs: Type.Optional(milliseconds),
  givesUpWith: Type.Optional(ending),
  voicemailAfterMs: Type.Optional(milliseconds),
} satisfies Record<keyof SimulatedGate, TSchema>
export const gate = objectOf(gateFields)

/** A conflict between fields of a gate. `at` is the path before their names. */
export function wrongInGate(
  { callers, confirmation: told, pulseMs, relay, strangers }: SimulatedGate,
  at = '',
): string[] {
  const isAlone = strangers !== undefined && callers === undefined
  const isUnused = pulseMs !== undefined && relay === 'toggle'
  const isMute = told?.by === 'call' && told.text !== undefined
  return [
    ...(isAlone ? [`${at}strangers goes with callers: without it nobody is one`] : []),
    ...(isUnused ? [`${at}pulseMs goes with relay pulse: one that toggles stays`] : []),
    ...(isMute ? [`${at}confirmation.text goes with by sms: a call says nothing`] : []),
  ]
}

/** An action as JSON names it. */
export interface ActionKind {
  readonly fields: TProperties
  /** A conflict between fields; `at` is the path before their names. */
  wrong(body: unknown, at?: string): readonly string[]
  perform(simulator: Simulator, body: unknown): Result
}

function kind<Fields extends TProperties>(
  fields: Fields,
  perform: (simulator: Simulator, body: Static<TObject<Fields>>) => Result,
  wrong: (body: Static<TObject<Fields>>, at?: string) => readonly string[] = () => [],
): ActionKind {
  // Both receive only values that have passed the schema of `fields`.
  type Body = Static<TObject<Fields>>
  return {
    fields,
    wrong: (body, at) => wrong(body as Body, at),
    perform: (simulator, body) => perform(simulator, body as Body),
  }
}

/** An action that cannot fail. */
function sure<Fields extends TProperties>(
  fields: Fields,
  perform: (simulator: Simulator, body: Static<TObject<Fields>>) => void,
): ActionKind {
  return kind(fields, (simulator, body) => {
    perform(simulator, body)
    return { ok: true }
  })
}

/** By the name in a scenario, and in `POST /<name>`. */
export const actions: Readonly<Record<string, ActionKind>> = {
  preset: kind({ preset, phoneNumber: Type.Optional(dialledNumber) }, (simulator, body) =>
    simulator.setPreset(body.preset, body.phoneNumber),
  ),
  faults: sure({ faults }, (simulator, body) => simulator.setFaults(body.faults)),
  gates: kind(gateFields, (simulator, body) => simulator.addGate(body), wrongInGate),
  call: sure(
    {
      callerNumber: Type.Optional(
        Type.String({
          pattern: '^(\\+?[0-9]{3,15})?$',
          description: 'text like +40722000001, or empty for a hidden number',
        }),
      ),
      patienceMs: Type.Optional(milliseconds),
    },
    (simulator, { callerNumber, patienceMs }) => simulator.callIn(callerNumber, patienceMs),
  ),
  message: sure({ from: sender, text: text(670) }, (simulator, { from, text: body }) =>
    simulator.sendMessage(from, body),
  ),
  restart: sure({}, simulator => simulator.restart()),
  unplug: sure({}, simulator => simulator.unplug()),
  plug: sure({}, simulator => simulator.plug()),
}

/** Reads the fields of an action. */
export function actionReader(action: ActionKind): (body: unknown) => ReadResult<Action> {
  const check = checker(objectOf(action.fields), action.wrong)
  return body => {
    const read = check(body)
    return read.ok ? { ok: true, value: simulator => action.perform(simulator, read.value) } : read
  }
}
