// The modem's memory, the events it hears and the effects it has, and how it words what it says.

import type { Command } from './commandLine.ts'
import type { Ending } from './farEnd.ts'
import type { ModemFault } from './fault.ts'
import type { Latencies } from './latency.ts'
import type { Random } from './random.ts'
import { newSettings, type Settings, settingOf } from './settings.ts'
import { startTimer, type TimerEffect } from './timer.ts'

/** `+CREG`'s numbers: not searching, home, searching, denied. */
export type Registration = 0 | 1 | 2 | 3

/** What the network tells the modem about a call. */
export type CallProgress =
  | { readonly kind: 'alerting' }
  | { readonly kind: 'answered' }
  | { readonly kind: 'forwarded' }
  | { readonly kind: 'ended'; readonly ending: Ending }

export type ModemEvent =
  | { readonly kind: 'bytes'; readonly text: string }
  | { readonly kind: 'timer'; readonly timer: string }
  | { readonly kind: 'call'; readonly callId: number; readonly progress: CallProgress }
  | { readonly kind: 'registration'; readonly registration: Registration }
  | { readonly kind: 'fault'; readonly fault: ModemFault }
  | { readonly kind: 'startRegistered' }
  | { readonly kind: 'powerOn' }
  | { readonly kind: 'powerOff' }

/** What a driver must never do; counted, so that a test can ask for none. */
export type ViolationKind = 'dial_during_call' | 'byte_during_dial' | 'bad_dial_string' | 'data_call'

export type ModemEffect =
  | TimerEffect
  | { readonly kind: 'stopAllTimers' }
  | { readonly kind: 'send'; readonly text: string }
  /** An ATD was read; whatever becomes of it, it counts. */
  | {
      readonly kind: 'dialled'
      readonly callId: number
      readonly phoneNumber: string
      readonly atdText: string
    }
  | { readonly kind: 'refused'; readonly callId: number; readonly why: string }
  | {
      readonly kind: 'place'
      readonly callId: number
      readonly phoneNumber: string
      readonly hidden: boolean
    }
  | { readonly kind: 'hangUp'; readonly callId: number; readonly why: 'hung_up' | 'aborted' | 'power_lost' }
  | { readonly kind: 'attach'; readonly reach: 'home' | 'searching' | 'denied' }
  | { readonly kind: 'detach' }
  | { readonly kind: 'violation'; readonly violation: ViolationKind; readonly text: string }

/** `+CLCC`'s numbers: active, held, dialling, alerting. */
export interface ModemCall {
  readonly callId: number
  readonly index: number
  readonly phoneNumber: string
  state: 0 | 1 | 2 | 3
}

/** An ATD between its CR and its final result. */
export interface DialAttempt {
  readonly callId: number
  readonly phoneNumber: string
  readonly hidden: boolean
  readonly voice: boolean
  readonly valid: boolean
}

/** A command line that is being carried out. */
export interface Running {
  readonly commands: readonly Command[]
  at: number
  readonly lines: string[]
  dial: DialAttempt | undefined
}

export interface Sim800 {
  readonly number: string
  readonly imei: string
  readonly random: Random
  readonly latencies: Latencies
  readonly settings: Settings
  fault: ModemFault
  power: 'off' | 'booting' | 'on'
  hung: boolean
  sim: 'starting' | 'ready' | 'locked' | 'blocked' | 'absent'
  pinTries: number
  /** The PIN was given since power came. */
  pinGiven: boolean
  callReady: boolean
  registration: Registration
  /** The command line as typed so far. */
  input: string
  /** What came while a command ran. */
  waiting: string
  lastLine: string
  running: Running | undefined
  /** What came in place of silence during a dial, until it has turned out to be an ATH. */
  interruption: string | undefined
  readonly calls: Map<number, ModemCall>
  callCount: number
  lineCount: number
  causeOfEnd: number
  /** Unsolicited lines that wait for their timer. */
  readonly later: Map<string, readonly string[]>
  laterCount: number
  /** Unsolicited lines that wait for a response to break into (the fault urcInsideResponse). */
  held: string[]
  effects: ModemEffect[]
}

/** 556 characters, SIM800 AT manual V1.09 1.4.4. */
export const inputBufferSize = 556

/** IMEI: a SIM800's type allocation code, six digits of the seed, and the check digit (Luhn). */
function imeiOf(seed: number): string {
  const body = `86998803${String(Math.abs(Math.trunc(seed)) % 1_000_000).padStart(6, '0')}`
  const sum = [...body].reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 1 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return body + String((10 - (sum % 10)) % 10)
}

export function newSim800(options: {
  readonly number: string
  readonly seed: number
  readonly random: Random
  readonly latencies: Latencies
  readonly fault: ModemFault
}): Sim800 {
  const { number, seed, random, latencies, fault } = options
  return {
    number,
    imei: imeiOf(seed),
    random,
    latencies,
    settings: newSettings(),
    fault,
    power: 'off',
    hung: false,
    sim: 'starting',
    pinTries: 3,
    pinGiven: false,
    callReady: false,
    registration: 0,
    input: '',
    waiting: '',
    lastLine: '',
    running: undefined,
    interruption: undefined,
    calls: new Map(),
    callCount: 0,
    lineCount: 0,
    causeOfEnd: 0,
    later: new Map(),
    laterCount: 0,
    held: [],
    effects: [],
  }
}

/** The final result of a command: a token of ATV, or the number of a CME error. */
export type FinalResult =
  | 'OK'
  | 'ERROR'
  | 'NO CARRIER'
  | 'BUSY'
  | 'NO ANSWER'
  | 'NO DIALTONE'
  | { readonly cme: number }

/** V1.09 2.2.26 (ATV0). */
const resultNumbers: Readonly<Record<string, number>> = {
  OK: 0,
  'NO CARRIER': 3,
  ERROR: 4,
  'NO DIALTONE': 6,
  BUSY: 7,
  'NO ANSWER': 8,
}

/** V1.09 19.1, those that this modem says. */
const cmeTexts: Readonly<Record<number, string>> = {
  3: 'operation not allowed',
  10: 'SIM not inserted',
  11: 'SIM PIN required',
  12: 'SIM PUK required',
  14: 'SIM busy',
  16: 'incorrect password',
  27: 'invalid characters in dial string',
  50: 'incorrect parameters',
  100: 'unknown',
  771: 'call setup in progress',
  797: 'CFUN is 0 or 4',
}

/** ATX: what is not reported is NO CARRIER (V1.09 2.2.28). */
function asReported(modem: Sim800, result: Exclude<FinalResult, { cme: number }>): string {
  const level = settingOf(modem.settings, 'X')
  if (result === 'BUSY' && (level === '0' || level === '1' || level === '2')) return 'NO CARRIER'
  if (result === 'NO DIALTONE' && (level === '0' || level === '1' || level === '3')) return 'NO CARRIER'
  return result
}

function say(modem: Sim800, text: string): void {
  if (text === '' || modem.power !== 'on' || modem.hung) return
  modem.effects.push({ kind: 'send', text })
}

/** Sends back what was typed. */
export function echo(modem: Sim800, text: string): void {
  if (settingOf(modem.settings, 'E') === '1' || modem.fault.keepsEcho) say(modem, text)
}

function worded(modem: Sim800, line: string): string {
  return settingOf(modem.settings, 'V') === '1' ? `\r\n${line}\r\n` : `${line}\r\n`
}

/** A result as ATV, ATQ, ATX and AT+CMEE want it. */
function wordedResult(modem: Sim800, result: FinalResult): string {
  if (settingOf(modem.settings, 'Q') === '1') return ''
  if (typeof result === 'object') {
    const mode = settingOf(modem.settings, '+CMEE')
    if (mode !== '0')
      return worded(modem, `+CME ERROR: ${mode === '2' ? (cmeTexts[result.cme] ?? 'unknown') : result.cme}`)
  }
  const token = typeof result === 'object' ? 'ERROR' : asReported(modem, result)
  return settingOf(modem.settings, 'V') === '1' ? `\r\n${token}\r\n` : `${resultNumbers[token] ?? 4}\r`
}

const endTokens: ReadonlySet<string> = new Set<Ending['token']>(['BUSY', 'NO CARRIER', 'NO ANSWER'])

function isEndToken(line: string): line is Ending['token'] {
  return endTokens.has(line)
}

/** The token that ends a call is unsolicited, yet worded as a result. */
function sayUrc(modem: Sim800, line: string): void {
  const text = isEndToken(line) ? wordedResult(modem, line) : worded(modem, line)
  say(modem, modem.fault.doublesUrcs ? text + text : text)
}

/** An unsolicited line or end token, now. */
export function sendUrc(modem: Sim800, line: string): void {
  if (!modem.fault.urcInsideResponse || modem.power !== 'on') {
    sayUrc(modem, line)
    return
  }
  modem.held.push(line)
  modem.effects.push(startTimer('held', 300 * modem.latencies.scale))
}

/** The unsolicited lines that waited for a response to break into. */
export function sendHeld(modem: Sim800): void {
  for (const line of modem.held.splice(0)) sayUrc(modem, line)
}

/** `,"lac","ci"` where the setting is 2 and a cell is there to tell of. */
export function cellOf(modem: Sim800, setting: '+CREG' | '+CGREG'): string {
  return settingOf(modem.settings, setting) === '2' && modem.registration === 1 ? ',"1816","F9A1"' : ''
}

/** A command's answer: its lines and its final result. */
export function sendResponse(modem: Sim800, lines: readonly string[], result: FinalResult): void {
  say(modem, lines.map(line => worded(modem, line)).join(''))
  const breaksIn = modem.fault.urcInsideResponse && lines.length > 0 && modem.held.length === 0
  if (breaksIn && settingOf(modem.settings, '+CREG') !== '0')
    sayUrc(modem, `+CREG: ${modem.registration}${cellOf(modem, '+CREG')}`)
  sendHeld(modem)
  say(modem, wordedResult(modem, result))
}

/** Unsolicited lines after a delay. */
export function sendUrcLater(modem: Sim800, delayMs: number, lines: readonly string[]): void {
  const timer = `later:${modem.laterCount++}`
  modem.later.set(timer, lines)
  modem.effects.push(startTimer(timer, delayMs))
}
