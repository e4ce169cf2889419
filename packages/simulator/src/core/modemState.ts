// The modem's memory, the events that it receives and its effects.

import type { Command } from './commandLine.ts'
import type { Ending } from './farEnd.ts'
import type { ModemFault } from './fault.ts'
import type { Latencies, Random } from './latency.ts'
import type { ModemModel } from './model.ts'
import { newSettings, type Settings } from './settings.ts'
import type { ShortMessage } from './shortMessage.ts'
import type { Store } from './storages.ts'
import type { Submission } from './submission.ts'
import type { TimerEffect } from './timer.ts'
import type { FinalResult } from './wording.ts'

/** `+CREG`'s numbers: not searching, home, searching, denied. */
export type Registration = 0 | 1 | 2 | 3

/** A report of the network about a call. */
export type CallProgress =
  | { readonly kind: 'alerting' | 'answered' | 'forwarded' }
  /** The network does not let this SIM card call. */
  | { readonly kind: 'barred' }
  /** The far end is in another call and learns that a second one waits. */
  | { readonly kind: 'waiting' }
  | { readonly kind: 'ended'; readonly ending: Ending }

export type ModemEvent =
  | { readonly kind: 'bytes'; readonly text: string }
  | { readonly kind: 'timer'; readonly timer: string }
  | { readonly kind: 'call'; readonly callId: number; readonly progress: CallProgress }
  | { readonly kind: 'registration'; readonly registration: Registration }
  | { readonly kind: 'fault'; readonly fault: ModemFault }
  /** Somebody calls the modem; `callerNumber` is empty when it is hidden. */
  | { readonly kind: 'incoming'; readonly callId: number; readonly callerNumber: string }
  | { readonly kind: 'message'; readonly message: ShortMessage }
  /** The simulation begins: already on the network, or at power-on. */
  | { readonly kind: 'start'; readonly registered: boolean }
  | { readonly kind: 'restart' }
  | { readonly kind: 'powerOn' }
  | { readonly kind: 'powerOff' }

/** An act that a driver must never do; counted, so that a test can expect none. */
export type ViolationKind =
  | 'dial_during_call'
  | 'byte_during_dial'
  | 'bad_dial_string'
  | 'data_call'
  /** A second call to a far end that takes only one. */
  | 'second_dial'

export type ModemEffect =
  | TimerEffect
  | { readonly kind: 'stopAllTimers' }
  | { readonly kind: 'send'; readonly text: string }
  /** An ATD was read; it counts, whatever happens next. */
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
  | { readonly kind: 'answerIncoming'; readonly callId: number }
  /** A call to the modem never rang: the modem is busy, refuses all calls, or has no network. */
  | {
      readonly kind: 'incomingEnded'
      readonly callId: number
      readonly outcome: 'busy' | 'refused' | 'unreachable'
    }
  /** The network has taken a message. */
  | { readonly kind: 'submit'; readonly to: string; readonly text: string }
  /** The faults incomingOnDial and incomingWaitsAfterMs: a call comes in at this moment. */
  | { readonly kind: 'callIn' }
  /** The port disappears for a while. */
  | { readonly kind: 'reenumerate'; readonly outForMs: number }
  | { readonly kind: 'attach'; readonly reach: 'home' | 'searching' | 'denied' }
  /** It has been on the network for hours. */
  | { readonly kind: 'attached' }
  | { readonly kind: 'detach' }
  | { readonly kind: 'violation'; readonly violation: ViolationKind; readonly text: string }

/** `+CLCC`'s numbers: active, held, dialling, alerting, incoming, waiting. */
export interface ModemCall {
  readonly callId: number
  readonly index: number
  readonly direction: 'out' | 'in'
  /** Empty when an incoming caller hides it. */
  readonly phoneNumber: string
  state: 0 | 1 | 2 | 3 | 4 | 5
  /** Somebody has truly answered; state 0 alone may be a fault. */
  answered: boolean
  /** When ringing began and when it was reported as answered, by `nowMs`. */
  alertedAtMs?: number
  activeAtMs?: number
  /** The fault losesFirstList has taken effect. */
  hasLostList?: true
  /** How often an incoming call has rung. */
  rings: number
  /** The command that dialled it. */
  readonly attempt?: DialAttempt
}

/** An ATD between its CR and its final result. */
export interface DialAttempt {
  readonly callId: number
  readonly phoneNumber: string
  readonly hidden: boolean
  readonly voice: boolean
  readonly valid: boolean
  readonly fromPhoneBook: boolean
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
  readonly model: ModemModel
  /** The time of the current event, in monotonic milliseconds. */
  nowMs: number
  fault: ModemFault
  power: 'off' | 'booting' | 'on'
  hung: boolean
  /** How many `AT` it still needs to find its rate (the fault autobaud). */
  deafFor: number
  /** The fault shiftsReplies, until a restart; and the reply that is kept back. */
  shifting: boolean
  shifted: { readonly lines: readonly string[]; readonly result: FinalResult } | undefined
  /** The fault nulFlood, until the modem gets power again. */
  flooding: boolean
  /** Commanded by AT+COPS=2. */
  deregistered: boolean
  /** How AT+COPS names operators: `0` long, `1` short, `2` by number. */
  operatorFormat: string
  sim: 'starting' | 'ready' | 'locked' | 'blocked' | 'absent'
  pinTries: number
  /** The PIN was given since power came. */
  pinGiven: boolean
  callReady: boolean
  registration: Registration
  /** The command line as typed so far. */
  input: string
  /** The bytes that came while a command ran. */
  waiting: string
  lastLine: string
  running: Running | undefined
  /** Bytes that came during a dial, where silence is required, until they turn out to be an ATH. */
  interruption: string | undefined
  readonly calls: Map<number, ModemCall>
  callCount: number
  lineCount: number
  causeOfEnd: number
  /** The value set by AT+CCLK, and the time of setting it. */
  clock: { readonly zone: string; readonly setMs: number; readonly atMs: number } | undefined
  /** Until when a USSD session is open, monotonic milliseconds. */
  ussdUntilMs: number
  /** From when on a menu of the network waits for a choice, in monotonic milliseconds; infinite: there is none. */
  menuFromMs: number
  /** The message that is typed after AT+CMGS; undefined: none is. */
  prompt: string | undefined
  /** Its addressee, in text mode, and the messages that the network has not taken yet. */
  promptFor: string
  submitted: Submission | undefined
  /** The parts of messages that the network does not have completely yet, by their place. */
  readonly submittedParts: Map<string, Map<number, string>>
  messagesSent: number
  /** Chosen by AT+CPMS. */
  storages: readonly string[]
  /** By AT+CGDCONT: type and name, by their id. */
  readonly contexts: Map<string, string>
  /** It is starting, and finds its rate by itself: nothing announces the start (V1.09 1.4). */
  startsQuietly: boolean
  /** Unsolicited lines that wait for their timer. */
  readonly later: Map<string, readonly string[]>
  laterCount: number
  /** Unsolicited lines that wait for a response to break into (the fault urcInsideResponse). */
  held: string[]
  /** The messages on the SIM and in the modem, by their place; they survive everything. */
  readonly messages: Readonly<Record<Store, Map<number, ShortMessage>>>
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
  readonly model: ModemModel
  readonly fault: ModemFault
}): Sim800 {
  const { number, seed, random, latencies, model, fault } = options
  return {
    number,
    imei: imeiOf(seed),
    random,
    latencies,
    settings: newSettings(model.factory),
    model,
    nowMs: 0,
    fault,
    power: 'off',
    hung: false,
    deafFor: 0,
    shifting: false,
    shifted: undefined,
    flooding: false,
    deregistered: false,
    operatorFormat: '0',
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
    clock: undefined,
    ussdUntilMs: 0,
    menuFromMs: Number.POSITIVE_INFINITY,
    prompt: undefined,
    promptFor: '',
    submitted: undefined,
    submittedParts: new Map(),
    messagesSent: 0,
    storages: ['SM', 'SM', 'SM'],
    contexts: new Map([['1', '"IP",""']]),
    startsQuietly: false,
    later: new Map(),
    laterCount: 0,
    held: [],
    messages: { SM: new Map(), ME: new Map() },
    effects: [],
  }
}
