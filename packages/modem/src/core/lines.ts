// Lines from a SIM800: cleaned, and told apart into final results, unsolicited result codes, replies and echo.

import { fieldsOf, informationOf, numberOf } from './fields.ts'
import { type UssdLine, ussdOf } from './ussdLine.ts'

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
 * Unsolicited result codes, each with the fields that the driver needs: V1.09, pages 350 to 352, and those of other families
 * (docs/families.md).
 */
export type Urc =
  | { readonly urc: 'restarted' }
  | { readonly urc: 'radioOn' }
  /** A part of the modem has started: calls, messages or the phone book are available. */
  | { readonly urc: 'usable' }
  | { readonly urc: 'poweredDown'; readonly text: string }
  | { readonly urc: 'voltage'; readonly text: string }
  | { readonly urc: 'sim'; readonly state: string }
  | { readonly urc: 'registration'; readonly stat: number }
  /** `cause` where the line itself has one (`^DSCI` of some makers). */
  | { readonly urc: 'call'; readonly call: ListedCall; readonly cause: number | null }
  | { readonly urc: 'moRing' }
  /** `text` is the line that reported it: `MO CONNECTED`, `VOICE CALL: BEGIN`. */
  | { readonly urc: 'connected'; readonly text: string }
  | { readonly urc: 'released'; readonly text: string }
  | { readonly urc: 'service'; readonly code: number }
  | { readonly urc: 'token'; readonly token: CallToken }
  /** Bytes that no modem sends: they replaced something that the modem said. */
  | { readonly urc: 'garbled' }
  /** Somebody rings this modem. */
  | { readonly urc: 'ring' }
  /** The caller's number; empty when hidden. */
  | { readonly urc: 'caller'; readonly phoneNumber: string }
  /** A message (SMS) has arrived in this place of the storage. */
  | { readonly urc: 'message'; readonly place: number }
  /** A message that was not stored (`AT+CNMI` 2,2), as `joinDelivered` gives it. */
  | { readonly urc: 'delivered'; readonly pdu: string }
  /** The network's answer to a USSD code. `isEarly`: it came before the OK of the code, so it may answer something else. */
  | { readonly urc: 'ussd'; readonly line: UssdLine; readonly isEarly?: true }

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

/** The texts of AT+CMEE=2 on which something depends (V1.09 19.1; 3GPP TS 27.005 3.2.5); numbers are understood as well. */
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

/** In capital letters, with one blank behind a colon. */
const plainUrcs: ReadonlyMap<string, Urc> = new Map<string, Urc>([
  ['RDY', { urc: 'restarted' }],
  ['*ATREADY: 1', { urc: 'restarted' }],
  ['+CFUN: 1', { urc: 'radioOn' }],
  ['MO RING', { urc: 'moRing' }],
  ['MO CONNECTED', { urc: 'connected', text: 'MO CONNECTED' }],
  ['+CDRIND: 0', { urc: 'released', text: 'CDRIND 0' }],
  ['RING', { urc: 'ring' }],
  ...['CALL READY', 'SMS READY', 'SMS DONE', 'PB DONE', '+QIND: SMS DONE', '+QIND: PB DONE'].map(
    (text): [string, Urc] => [text, { urc: 'usable' }],
  ),
  ['VOICE CALL: BEGIN', { urc: 'connected', text: 'VOICE CALL: BEGIN' }],
])

/** Read behind the fifth comma; it may be cut. */
const numberInRow = /^[^:]*:(?:[^,]*,){5} *"?[+\d*#]/

/**
 * The call of a `+CLCC:` line, unsolicited or listed; number, type and name are optional. Modems list calls over LTE as data,
 * too; a data connection has no number.
 */
export function listedCallOf(text: string): ListedCall | undefined {
  const [id, direction, state, mode, isMulti] = fieldsOf(text, '+CLCC').map((field, place) =>
    numberOf(field, place === 0 ? 2 : 1),
  )
  if (id === undefined || direction === undefined || state === undefined || mode === undefined)
    return undefined
  if (isMulti === undefined) return undefined
  const voice = mode === 0 || (mode === 1 && numberInRow.test(text))
  return { id, outgoing: direction === 0, state, voice }
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

const quectelStates: ReadonlyMap<number, number> = new Map([
  [3, 0],
  [7, 3],
])
const isNumber = (field: string | undefined) => field !== undefined && /^[+\d*#]*$/.test(field)
const isType = (field: string | undefined) => field !== undefined && /^\d{3}$/.test(field)

function callOf(columns: readonly (string | undefined)[], cause: number | undefined): Urc | undefined {
  const [id, direction, state, mode] = columns.map((field, place) => numberOf(field, place === 0 ? 2 : 1))
  if (id === undefined || direction === undefined || state === undefined || mode === undefined)
    return undefined
  const call = { id, outgoing: direction === 0, state, voice: mode === 0 }
  return { urc: 'call', call, cause: cause === undefined || cause > 127 ? null : cause }
}

/** `+QIND: "ccinfo",idx,dir,state,mode,…`: AT+CLCC's states, but -1 for the end (Quectel, S4 of docs/sim800.md). */
function indicatedCall([what, id, direction, state, ...rest]: readonly string[]): Urc | undefined {
  // The columns up to the mode; another one may follow and be cut.
  if (what !== 'ccinfo' || rest.length < 2) return undefined
  return callOf([id, direction, state === '-1' ? '6' : state, rest[0]], undefined)
}

/**
 * `^DSCI: id,dir,state,type,number,toa[,tone]` (Quectel, S4) has states of its own, 3 connected, 7 alerting. The other dialect (S23) has
 * AT+CLCC's columns and states, and the cause after the name: `^DSCI: 1,0,6,0,0,"…",129,,17`. Some makers add more columns.
 */
function describedCall(fields: readonly string[]): Urc | undefined {
  const [id, direction, state, mode, fifth, sixth, seventh] = fields
  if (numberOf(fifth, 1) !== undefined && isNumber(sixth) && isType(seventh))
    return callOf([id, direction, state, mode], numberOf(fields[8], 3))
  const isQuectel = fields.length <= 7 && isNumber(fifth) && isType(sixth)
  const told = numberOf(state, 1) ?? -1
  return isQuectel
    ? callOf([id, direction, String(quectelStates.get(told) ?? told), mode], undefined)
    : undefined
}

function errorOf(text: string): ModemError | undefined {
  if (text === 'ERROR') return { code: null, text }
  const match = /^\+CM[ES] ERROR *: *(.+)$/i.exec(text)
  if (!match) return undefined
  // Not tested: a match without its group; every match has it.
  const detail = match[1] ?? ''
  if (/^\d{1,5}$/.test(detail)) return { code: Number(detail), text }
  return { code: errorTexts[detail.toLowerCase()] ?? null, text: text.slice(0, 80) }
}

/** What a line with a name says, by its fields. */
const namedUrcs: ReadonlyMap<string, (fields: readonly string[]) => Urc | undefined> = new Map([
  ['+QIND', indicatedCall],
  ['^DSCI', describedCall],
  ['+CRING', ([type]) => (type === undefined ? undefined : { urc: 'ring' })],
  [
    '+CLIP',
    // The answer to AT+CLIP? has two digits.
    ([phoneNumber = '-', type]) =>
      type !== undefined && /^(?:\+?\d{2,20})?$/.test(phoneNumber)
        ? { urc: 'caller', phoneNumber }
        : undefined,
  ],
  [
    '+CMTI',
    ([, place]) => {
      const number = numberOf(place, 3)
      return number === undefined ? undefined : { urc: 'message', place: number }
    },
  ],
  [
    '+CPIN',
    ([state = '']) =>
      /^[A-Z0-9 -]{2,20}$/i.test(state) ? { urc: 'sim', state: state.toUpperCase() } : undefined,
  ],
  [
    '+CREG',
    // The answer to AT+CREG? has two leading integers, the unsolicited line one.
    ([stat, cell]) =>
      /^(?:\d|10)$/.test(stat ?? '') && (cell === undefined || cell.length > 2)
        ? { urc: 'registration', stat: Number(stat) }
        : undefined,
  ],
  [
    '+CSSI',
    ([code]) => {
      const number = numberOf(code, 2)
      return number === undefined ? undefined : { urc: 'service', code: number }
    },
  ],
] satisfies [string, (fields: readonly string[]) => Urc | undefined][])

const plainly = (text: string) => text.trim().toUpperCase().replace(/ *: */, ': ')

function urcOf(text: string): Urc | undefined {
  const plain = plainUrcs.get(plainly(text))
  if (plain) return plain
  const token = callTokens.get(text)
  if (token) return { urc: 'token', token }
  const call = listedCallOf(text)
  if (call) return { urc: 'call', call, cause: null }
  if (/^VOICE CALL *: *END\b/i.test(text)) return { urc: 'released', text: 'VOICE CALL: END' }
  // A call that ended before anybody took it (SIM7600).
  const missed = /^MISSED_CALL *: *[\d:APM]{4,8} (\+?\d{0,20})$/i.exec(text)
  // Not tested: a match without its group; every match has it.
  if (missed) return { urc: 'caller', phoneNumber: missed[1] ?? '' }
  const delivered = /^\+CMT *:.* ([0-9A-F]{20,400})$/i.exec(text)
  // Not tested: a match without its group; every match has it.
  if (delivered) return { urc: 'delivered', pdu: delivered[1] ?? '' }
  if (
    /^(?:(?:UNDER|OVER)-VOLTAGE(?: WARN+ING)?|NORMAL) POWER DOWN$|^POWERED DOWN$|^CHARGE-ONLY MODE$/i.test(
      text,
    )
  )
    return { urc: 'poweredDown', text }
  if (/^(?:UNDER|OVER)-VOLTAGE WARN+ING$/i.test(text)) return { urc: 'voltage', text }
  const ussd = ussdOf(text)
  if (ussd) return { urc: 'ussd', line: ussd }
  const information = informationOf(text)
  return information && namedUrcs.get(information.name)?.(information.fields)
}

/**
 * A line that is neither ASCII nor the beginning of an answer; names inside answers, such as those of operators, may have any
 * letters.
 */
const garbled = /^(?![+^*]).*[\x80-\xfe]/

/** The kind of a cleaned line taken by itself. `text` may be a line of the awaited reply; otherwise it is noise. */
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
