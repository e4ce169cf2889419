// Quirks: what differs between families of modems, as data; docs/families.md says where each fact is from.

import { commands, otherCommands } from './commands.ts'
import type { CallSenses } from './core/callTracker.ts'
import type { Command } from './core/dialogue.ts'

export interface Quirks {
  readonly family: 'SIM800' | 'SIM7600' | 'A767x' | 'EC25' | 'unknown'
  /** Switched on at every start. Without these reports the driver sees less of a call. */
  readonly callReports: readonly Command[]
  /** How a call is ended, tried in this order. */
  readonly hangUps: readonly Command[]
  /** How often the calls are listed while one runs; null where asking hides its signs. */
  readonly pollMs: number | null
  /** Keeps the modem awake: one that sleeps loses the first byte of a command. */
  readonly noSleep: Command
  /** The question for the remaining tries of the SIM card's PIN. */
  readonly pinTries: Command
  /** The time from a restart to the first answer, or to the return of the USB port; milliseconds. */
  readonly bootMs: number
  /** It also uses LTE, where it can be registered for data alone, and for calls over LTE alone. */
  readonly usesLte: boolean
  readonly senses: CallSenses
}

interface QuirkRow extends Quirks {
  readonly model: RegExp
}

const wholeSenses: CallSenses = { activeIsAnswer: true, rejectIsSeen: true, earlyEndIgnoredMs: 0 }

/** From manuals and published traces, not verified on our own hardware; correct it here where hardware differs. */
const rows: readonly QuirkRow[] = [
  {
    family: 'SIM800',
    model: /SIM[89]\d\d/,
    callReports: [commands.callReports, commands.ringingReports, commands.releaseReports],
    hangUps: [commands.hangUp, commands.hangUpFallback, commands.hangUpVoice, commands.releaseCall],
    pollMs: 1_000,
    noSleep: commands.noSleep,
    pinTries: commands.pinTries,
    bootMs: 4_000,
    usesLte: false,
    senses: wholeSenses,
  },
  {
    // SIM767x and SIM70xx have other chips and are not of this family.
    family: 'SIM7600',
    model: /SIM7[5689]00/,
    callReports: [otherCommands.hangUpByAth, commands.callReports],
    hangUps: [commands.hangUpFallback, commands.hangUp],
    pollMs: 2_000,
    noSleep: commands.noSleep,
    pinTries: commands.pinTries,
    bootMs: 20_000,
    usesLte: true,
    senses: wholeSenses,
  },
  {
    // On circuit-switched fall-back it reports an answer at the first ringing, an early NO CARRIER that ends nothing, and no
    // reject.
    family: 'A767x',
    model: /A76\d\d/,
    callReports: [otherCommands.hangUpByAth, commands.callReports],
    hangUps: [commands.hangUpFallback, commands.hangUp],
    pollMs: null,
    noSleep: commands.noSleep,
    pinTries: commands.pinTries,
    bootMs: 15_000,
    usesLte: true,
    senses: { activeIsAnswer: false, rejectIsSeen: false, earlyEndIgnoredMs: 40_000 },
  },
  {
    family: 'EC25',
    model: /\bE[CGPM]\d\d/,
    callReports: [otherCommands.hangUpByAth, otherCommands.callIndications, otherCommands.callStates],
    hangUps: [commands.hangUpFallback, commands.hangUp],
    pollMs: 1_000,
    noSleep: otherCommands.noSleep,
    pinTries: otherCommands.pinTries,
    bootMs: 20_000,
    usesLte: true,
    senses: wholeSenses,
  },
]

/**
 * An unknown modem, used by the commands of the standard (3GPP TS 27.007). Its start shows which of them it lacks. Its signs give
 * no more confidence than `assumed`.
 */
const unknownModel: Quirks = {
  family: 'unknown',
  callReports: [otherCommands.hangUpByAth, commands.callReports],
  hangUps: [commands.hangUpFallback, commands.hangUp],
  pollMs: 1_000,
  noSleep: commands.noSleep,
  pinTries: commands.pinTries,
  bootMs: 20_000,
  usesLte: true,
  senses: { ...wholeSenses, rejectIsSeen: false },
}

/** The quirks of a model as `AT+CGMM` names it. */
export function quirksOf(model: string | null): Quirks {
  return rows.find(row => model !== null && row.model.test(model)) ?? unknownModel
}
