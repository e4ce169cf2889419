// The wording of the modem's output: replies by ATV, ATQ, ATX and AT+CMEE, unsolicited lines, echo.

import type { Ending } from './farEnd.ts'
import type { Sim800 } from './modemState.ts'
import { settingOf } from './settings.ts'
import { startTimer } from './timer.ts'

/** The final result of a command: a token of ATV, or the number of a CME error. */
export type FinalResult =
  | 'OK'
  | 'ERROR'
  | 'NO CARRIER'
  | 'BUSY'
  | 'NO ANSWER'
  | 'NO DIALTONE'
  | { readonly cme: number }
  /** A message service error. */
  | { readonly cms: number }

/** V1.09 2.2.26 (ATV0). */
const resultNumbers: Readonly<Record<string, number>> = {
  OK: 0,
  'NO CARRIER': 3,
  ERROR: 4,
  'NO DIALTONE': 6,
  BUSY: 7,
  'NO ANSWER': 8,
}

/** V1.09 19.1: the errors that this modem can report. */
const cmeTexts: Readonly<Record<number, string>> = {
  3: 'operation not allowed',
  10: 'SIM not inserted',
  11: 'SIM PIN required',
  12: 'SIM PUK required',
  14: 'SIM busy',
  16: 'incorrect password',
  22: 'not found',
  27: 'invalid characters in dial string',
  50: 'incorrect parameters',
  100: 'unknown',
  // Not in V1.09; MC55 and others word it so.
  257: 'call barred',
  771: 'call setup in progress',
  797: 'CFUN is 0 or 4',
}

/** ATX: events that it does not report become NO CARRIER (V1.09 2.2.28). */
function asReported(modem: Sim800, result: Exclude<FinalResult, object>): string {
  const level = settingOf(modem.settings, 'X')
  if (result === 'BUSY' && (level === '0' || level === '1' || level === '2')) return 'NO CARRIER'
  if (result === 'NO DIALTONE' && (level === '0' || level === '1' || level === '3')) return 'NO CARRIER'
  return result
}

/** The bytes that a reader at another rate makes of a text. */
function garbled({ random }: Sim800, text: string): string {
  return [...text].map(() => String.fromCharCode(Math.floor(random() * 256))).join('')
}

function say(modem: Sim800, text: string): void {
  if (text === '' || modem.power !== 'on' || modem.hung || modem.deafFor > 0) return
  modem.effects.push({ kind: 'send', text: modem.fault.garbles ? garbled(modem, text) : text })
}

/** Asks for the text of a message (V1.09 4.2.6). */
export function sendPrompt(modem: Sim800): void {
  say(modem, '\r\n> ')
}

/** Echoes the typed bytes. */
export function echo(modem: Sim800, text: string): void {
  if (settingOf(modem.settings, 'E') === '1' || modem.fault.keepsEcho) say(modem, text)
}

function worded(modem: Sim800, line: string): string {
  return settingOf(modem.settings, 'V') === '1' ? `\r\n${line}\r\n` : `${line}\r\n`
}

/** A result in the form that ATV, ATQ, ATX and AT+CMEE set. */
function wordedResult(modem: Sim800, result: FinalResult): string {
  if (settingOf(modem.settings, 'Q') === '1') return ''
  if (typeof result === 'object' && 'cms' in result) return worded(modem, `+CMS ERROR: ${result.cms}`)
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

/** The token that ends a call is unsolicited, but worded as a result. */
function sayUrc(modem: Sim800, line: string): void {
  const text = isEndToken(line) ? wordedResult(modem, line) : worded(modem, line)
  say(modem, modem.fault.doublesUrcs ? text + text : text)
}

/** An unsolicited line or end token, now. */
export function sendUrc(modem: Sim800, line: string): void {
  const waits = modem.fault.urcInsideResponse || modem.fault.urcBeforeResponse
  if (!waits || modem.power !== 'on') {
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

type RegistrationName = '+CREG' | '+CGREG' | '+CEREG'

/** The value of a registration command: where calls are possible only over LTE, or not at all, AT+CREG says not registered. */
export function registrationFor({ fault, registration }: Sim800, name: RegistrationName): number {
  return name === '+CREG' && fault.calls !== undefined ? 0 : registration
}

/** `,"lac","ci"` where the setting is 2 and there is a cell. */
export function cellOf(modem: Sim800, setting: RegistrationName): string {
  return settingOf(modem.settings, setting) === '2' && registrationFor(modem, setting) === 1
    ? ',"1816","F9A1"'
    : ''
}

function sayResponse(modem: Sim800, lines: readonly string[], result: FinalResult): void {
  if (modem.fault.urcBeforeResponse && lines.length > 0) {
    for (const line of ['+CGEV: NW MODIFY 1,1', '+QIND: "csq",20,99']) sayUrc(modem, line)
    sendHeld(modem)
  }
  say(modem, lines.map(line => worded(modem, line)).join(''))
  const breaksIn = modem.fault.urcInsideResponse && lines.length > 0 && modem.held.length === 0
  if (breaksIn && settingOf(modem.settings, '+CREG') !== '0')
    sayUrc(modem, `+CREG: ${registrationFor(modem, '+CREG')}${cellOf(modem, '+CREG')}`)
  sendHeld(modem)
  say(modem, wordedResult(modem, result))
}

/** The reply that the fault shiftsReplies has kept back. */
export function sendShifted(modem: Sim800): void {
  const { shifted } = modem
  modem.shifted = undefined
  if (shifted) sayResponse(modem, shifted.lines, shifted.result)
}

/** A command's answer: its lines and its final result. */
export function sendResponse(modem: Sim800, lines: readonly string[], result: FinalResult): void {
  // A modem answers in order.
  sendShifted(modem)
  if (!modem.shifting) {
    sayResponse(modem, lines, result)
    return
  }
  modem.shifted = { lines, result }
  modem.effects.push(startTimer('shifted', 3000 * modem.latencies.scale))
}

/** Unsolicited lines after a delay. */
export function sendUrcLater(modem: Sim800, delayMs: number, lines: readonly string[]): void {
  const timer = `later:${modem.laterCount++}`
  modem.later.set(timer, lines)
  modem.effects.push(startTimer(timer, delayMs))
}
