// Lines from a SIM800: cleaned, and told apart into final results, unsolicited result codes, replies and echo.

import { type UssdLine, ussdOf } from './ussd.ts'

/** A line this long or longer was cut by the guard and means nothing. */
export const maxLineLength = 4096

/** One entry of the modem's list of calls (SIM800 AT manual V1.09 3.2.16, AT+CLCC). */
export interface ListedCall {
  readonly id: number
  /** 0 active, 1 held, 2 dialling, 3 alerting, 4 incoming, 5 waiting, 6 disconnected (only unsolicited). */
  readonly state: number
  readonly outgoing: boolean
  readonly voice: boolean
}

export type CallToken = 'BUSY' | 'NO CARRIER' | 'NO ANSWER' | 'NO DIALTONE'

/** `code` is null where the modem gave none (`ERROR`) or a text that is not in the manual. */
export interface ModemError {
  readonly code: number | null
  readonly text: string
}

/**
 * Unsolicited result codes, each with what the driver needs of it: V1.09, pages 350 to 352, and those of other families
 * (docs/families.md).
 */
export type Urc =
  | { readonly urc: 'restarted' }
  | { readonly urc: 'radioOn' }
  /** A part of the modem has started: calls, messages or the phone book can be used. */
  | { readonly urc: 'usable' }
  | { readonly urc: 'poweredDown'; readonly text: string }
  | { readonly urc: 'voltage'; readonly text: string }
  | { readonly urc: 'sim'; readonly state: string }
  | { readonly urc: 'registration'; readonly stat: number }
  /** `cause` where the line itself has one (`^DSCI` of some makers). */
  | { readonly urc: 'call'; readonly call: ListedCall; readonly cause: number | null }
  | { readonly urc: 'moRing' }
  /** `text` is what said so: `MO CONNECTED`, `VOICE CALL: BEGIN`. */
  | { readonly urc: 'connected'; readonly text: string }
  | { readonly urc: 'released'; readonly text: string }
  | { readonly urc: 'service'; readonly code: number }
  | { readonly urc: 'token'; readonly token: CallToken }
  /** Bytes that no modem means: the line garbled something that the modem said. */
  | { readonly urc: 'garbled' }
  /** Somebody rings this modem. */
  | { readonly urc: 'ring' }
  /** The number of who rings; empty when hidden. */
  | { readonly urc: 'caller'; readonly phoneNumber: string }
  /** A message (SMS) has come and lies in this place of the storage. */
  | { readonly urc: 'message'; readonly place: number }
  /** A message that was not stored (`AT+CNMI` 2,2), as `joinDelivered` gives it. */
  | { readonly urc: 'delivered'; readonly pdu: string }
  /** What the network answers to a USSD code. */
  | { readonly urc: 'ussd'; readonly line: UssdLine }

export type Line =
  | { readonly kind: 'empty' }
  | { readonly kind: 'echo' }
  | { readonly kind: 'ok' }
  | { readonly kind: 'error'; readonly error: ModemError }
  | { readonly kind: 'urc'; readonly urc: Urc }
  | { readonly kind: 'text' }

/** Without CR, NUL, other control characters and the 0xFF of a power-on (V1.09 1.4); at most the guard's length. */
export function cleanLine(raw: string): string {
  return raw
    .slice(0, maxLineLength)
    .replace(/[\x00-\x1f\x7f\xff]/g, '')
    .trim()
}

/** The texts of AT+CMEE=2 that decide something (V1.09 19.1; 3GPP TS 27.005 3.2.5); numbers are understood as well. */
const errorTexts: Readonly<Record<string, number>> = {
  'operation not allowed': 3,
  'operation not supported': 4,
  'sim not inserted': 10,
  'sim pin required': 11,
  'sim puk required': 12,
  'sim failure': 13,
  'sim busy': 14,
  'sim wrong': 15,
  'incorrect password': 16,
  'dial string too long': 26,
  'invalid characters in dial string': 27,
  'no network service': 30,
  'network timeout': 31,
  'network not allowed - emergency call only': 32,
  'network not allowed - emergency calls only': 32,
  'invalid memory index': 321,
  'call setup in progress': 771,
  'sim powered down': 772,
  'cfun state is 0 or 4': 797,
}

const callTokens: ReadonlyMap<string, CallToken> = new Map([
  ['BUSY', 'BUSY'],
  ['NO CARRIER', 'NO CARRIER'],
  ['NO ANSWER', 'NO ANSWER'],
  ['NO DIALTONE', 'NO DIALTONE'],
  ['NO DIAL TONE', 'NO DIALTONE'],
])

const plainUrcs: ReadonlyMap<string, Urc> = new Map<string, Urc>([
  ['RDY', { urc: 'restarted' }],
  ['*ATREADY: 1', { urc: 'restarted' }],
  ['+CFUN: 1', { urc: 'radioOn' }],
  ['MO RING', { urc: 'moRing' }],
  ['MO CONNECTED', { urc: 'connected', text: 'MO CONNECTED' }],
  ['+CDRIND: 0', { urc: 'released', text: 'CDRIND 0' }],
  ['RING', { urc: 'ring' }],
  ...['Call Ready', 'SMS Ready', 'SMS DONE', 'PB DONE', '+QIND: SMS DONE', '+QIND: PB DONE'].map(
    (text): [string, Urc] => [text, { urc: 'usable' }],
  ),
  ['VOICE CALL: BEGIN', { urc: 'connected', text: 'VOICE CALL: BEGIN' }],
])

const listedCall = /^\+CLCC:\s*(\d{1,2}),(\d),(\d),(\d),(\d)(?:,.*)?$/

/** The call of a `+CLCC:` line, unsolicited or listed; number, type and name are optional and left out. */
export function listedCallOf(text: string): ListedCall | undefined {
  const match = listedCall.exec(text)
  if (!match) return undefined
  const [, id, direction, state, mode] = match
  return { id: Number(id), outgoing: direction === '0', state: Number(state), voice: mode === '0' }
}

/**
 * The voice calls among the lines of a list. Data contexts, which it may list too, occupy no line. `leftovers` are the ids
 * of incoming rows that are known to be no calls.
 */
export function voiceCallsIn(
  lines: readonly string[],
  leftovers: readonly number[] = [],
): readonly ListedCall[] {
  return lines
    .flatMap(line => listedCallOf(line) ?? [])
    .filter(({ id, outgoing, voice }) => voice && (outgoing || !leftovers.includes(id)))
}

/** `+QIND: "ccinfo",idx,dir,state,mode,…`: AT+CLCC's states, but -1 for the end (Quectel, S4 of docs/sim800.md). */
const callIndication = /^\+QIND: "ccinfo",(\d{1,2}),(\d),(-1|\d),(\d),.*$/

/** `^DSCI: id,dir,state,type,number,toa[,tone]` (Quectel, S4): states of its own, 3 connected, 7 alerting. */
const quectelCall = /^\^DSCI: (\d{1,2}),(\d),(\d),(\d),"?(?:\+?\d{2,20})?"?,\d{3}(?:,\d*)?$/
const quectelStates: Readonly<Record<string, number>> = { '3': 0, '7': 3 }

/**
 * The other dialect (S23) has AT+CLCC's columns and states, and the cause after the name: `^DSCI: 1,0,6,0,0,"…",129,,17`.
 * Some makers add more columns.
 */
const callWithCause =
  /^\^DSCI: (\d{1,2}),(\d),(\d),(\d),\d,"?[+\d*#]*"?,\d{3}(?:,[^,]*(?:,(\d{1,3})?(?:,.*)?)?)?$/

function indicatedCall(text: string): Urc | undefined {
  const call = listedCallOf(text)
  if (call) return { urc: 'call', call, cause: null }
  const withCause = callWithCause.exec(text)
  const match = withCause ?? quectelCall.exec(text) ?? callIndication.exec(text)
  if (!match) return undefined
  const [, id, direction, told = '', mode, cause] = match
  const isQuectel = !withCause && text.startsWith('^')
  const state = told === '-1' ? 6 : ((isQuectel ? quectelStates[told] : undefined) ?? Number(told))
  return {
    urc: 'call',
    call: { id: Number(id), outgoing: direction === '0', state, voice: mode === '0' },
    cause: cause === undefined || Number(cause) > 127 ? null : Number(cause),
  }
}

function errorOf(text: string): ModemError | undefined {
  if (text === 'ERROR') return { code: null, text }
  const match = /^\+CM[ES] ERROR:\s*(.+)$/.exec(text)
  if (!match) return undefined
  // Not tested: a match without its group; every match has it.
  const detail = match[1] ?? ''
  if (/^\d{1,5}$/.test(detail)) return { code: Number(detail), text }
  return { code: errorTexts[detail.toLowerCase()] ?? null, text: text.slice(0, 80) }
}

function urcOf(text: string): Urc | undefined {
  const plain = plainUrcs.get(text)
  if (plain) return plain
  const token = callTokens.get(text)
  if (token) return { urc: 'token', token }
  const call = indicatedCall(text)
  if (call) return call
  if (/^VOICE CALL: ?END\b/.test(text)) return { urc: 'released', text: 'VOICE CALL: END' }
  if (/^\+CRING: /.test(text)) return { urc: 'ring' }
  const caller = /^\+CLIP: "(\+?\d{0,20})",/.exec(text)
  // Not tested: a match without its group; every match has it.
  if (caller) return { urc: 'caller', phoneNumber: caller[1] ?? '' }
  // A call that ended before anybody took it (SIM7600).
  const missed = /^MISSED_CALL: ?[\d:APM]{4,8} (\+?\d{0,20})$/.exec(text)
  // Not tested: a match without its group; every match has it.
  if (missed) return { urc: 'caller', phoneNumber: missed[1] ?? '' }
  const message = /^\+CMTI: "\w{2}",(\d{1,3})$/.exec(text)
  if (message) return { urc: 'message', place: Number(message[1]) }
  const delivered = /^\+CMT: .* ([0-9A-Fa-f]{20,400})$/.exec(text)
  // Not tested: a match without its group; every match has it.
  if (delivered) return { urc: 'delivered', pdu: delivered[1] ?? '' }
  if (
    /^(?:(?:UNDER|OVER)-VOLTAGE(?: WARN+ING)?|NORMAL) POWER DOWN$|^POWERED DOWN$|^CHARGE-ONLY MODE$/.test(
      text,
    )
  )
    return { urc: 'poweredDown', text }
  if (/^(?:UNDER|OVER)-VOLTAGE WARN+ING$/.test(text)) return { urc: 'voltage', text }
  const sim = /^\+CPIN: ([A-Z0-9 -]{2,20})$/.exec(text)
  // Not tested: a match without its group; every match has it.
  if (sim) return { urc: 'sim', state: sim[1] ?? '' }
  // The answer to AT+CREG? has two leading integers, the unsolicited line one.
  const registered = /^\+CREG: (\d|10)(?:,".*)?$/.exec(text)
  if (registered) return { urc: 'registration', stat: Number(registered[1]) }
  const ussd = ussdOf(text)
  if (ussd) return { urc: 'ussd', line: ussd }
  const service = /^\+CSSI: (\d{1,2})(?:,.*)?$/.exec(text)
  if (service) return { urc: 'service', code: Number(service[1]) }
  return undefined
}

/** A line that is neither ASCII nor the beginning of an answer; names inside answers, as of operators, may have any letters. */
const garbled = /^(?![+^*]).*[\x80-\xfe]/

/** What a cleaned line is by itself. `text` may be a line of the reply that is waited for; else it is noise. */
export function readLine(text: string): Line {
  if (text === '') return { kind: 'empty' }
  if (garbled.test(text)) return { kind: 'urc', urc: { urc: 'garbled' } }
  if (text.length >= maxLineLength) return { kind: 'text' }
  if (text === 'OK') return { kind: 'ok' }
  // No line of the modem begins with AT, and an echo may come late.
  if (/^AT/i.test(text)) return { kind: 'echo' }
  const error = errorOf(text)
  if (error) return { kind: 'error', error }
  const urc = urcOf(text)
  return urc ? { kind: 'urc', urc } : { kind: 'text' }
}
