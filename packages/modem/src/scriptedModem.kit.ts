// A scripted SIM800 for the driver's tests: fixed answers, a script of what follows an ATD, and a driver on it.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { World } from '@callgate/world/world'
import { readLine } from './core/lines.ts'
import { type MemoryLine, memoryLine } from './memoryLine.kit.ts'
import { createModem, type DialResult, type ModemOptions, type Reservation } from './modem.ts'

/** `[delayMs, text]`: sent that long after ATD was written. `|` separates lines. After `(listed)`: only AT+CLCC shows it. */
export type Script = readonly (readonly [number, string])[]

export interface ScriptedModem {
  readonly line: MemoryLine
  /** Replies by command, with `|` between lines; null: no answer. They may be changed at any time. */
  readonly replies: Map<string, string | null>
  /** The lines that follow the next ATD. */
  script: Script
  /** The lines that AT+CLCC lists. */
  listed: string
  /** Answers nothing. */
  isOff: boolean
}

const replies: readonly (readonly [string, string])[] = [
  ['AT+CGMM', 'SIMCOM_SIM800L|OK'],
  ['AT+CGMR', 'Revision:1418B04SIM800L24|OK'],
  ['AT+GSN', '867200030000001|OK'],
  ['AT+IPR?', '+IPR: 115200|OK'],
  ['AT+CPIN?', '+CPIN: READY|OK'],
  ['AT+CFUN?', '+CFUN: 1|OK'],
  ['AT+CLIR?', '+CLIR: 0,4|OK'],
  ['AT+CCALR?', '+CCALR: 1|OK'],
  ['AT+CREG?', '+CREG: 2,1,"1816","F9A1"|OK'],
  ['AT+COPS?', '+COPS: 0,0,"ORANGE"|OK'],
  ['AT+CSQ', '+CSQ: 20,0|OK'],
  ['AT+CBC', '+CBC: 0,95,4123|OK'],
  ['AT+CEER', '+CEER: Cause:17|OK'],
  ['AT+CFUN=1,1', 'OK'],
]

/** What AT+CLCC lists of a call that `^DSCI` or `+QIND` reports. */
function listedAs(text: string): string {
  const line = readLine(text)
  const state = line.kind === 'urc' && line.urc.urc === 'call' ? line.urc.call.state : 6
  return state === 6 ? '' : `${clcc(state)}|`
}

export function scriptedModem(world: World): ScriptedModem {
  const say = (text: string) =>
    line.say(text.replace(/[^|]+\|?/g, part => `\r\n${part.replace('|', '')}\r\n`))

  /** Sends the script's lines in time; a call that `+CLCC` reports is listed as well. */
  function play(script: Script): void {
    for (const [delayMs, text] of script)
      world.after(delayMs, () => {
        const [, shown] = /^\(listed\) ?(.*)$/.exec(text) ?? []
        if (shown !== undefined) {
          modem.listed = shown === '' ? '' : `${shown}|`
          return
        }
        const told = [...text.matchAll(/\+CLCC: 1,0,(\d)[^|]*/g)].at(-1)
        if (told) modem.listed = told[1] === '6' ? '' : `${told[0]}|`
        else if (/^(?:\^DSCI|\+QIND)/.test(text)) modem.listed = listedAs(text)
        say(text)
      })
  }

  const line = memoryLine(text => {
    if (modem.isOff) return
    if (text.startsWith('ATD')) return play(modem.script)
    if (text === 'AT+CLCC' && !modem.replies.has(text))
      return void world.after(10, () => say(`${modem.listed}OK`))
    const reply = modem.replies.has(text) ? modem.replies.get(text) : text.startsWith('AT') ? 'OK' : null
    if (text === 'ATH' && reply !== null) modem.listed = ''
    if (reply) world.after(10, () => say(reply))
  })
  const modem: ScriptedModem = { line, replies: new Map(replies), script: [], listed: '', isOff: false }
  return modem
}

export const phoneNumber = '+40721000456'

/** A calibrated gate: it rejects after 0.5 to 8 s of ringing. */
export const learnedProfile: CallProfile = {
  mode: 'reject',
  callerId: 'show',
  setupTimeoutMs: 25_000,
  maxRingMs: 30_000,
  ringHangupMs: 12_000,
  ringTimeMs: null,
  reactMinMs: 500,
  reactMaxMs: 8_000,
  holdMs: 3_000,
  answerNotAfterMs: 15_000,
  silentAlerting: false,
  rejectDiverts: false,
  coolDownMs: 5_000,
  learned: true,
  discriminating: true,
}

export const clcc = (state: number) => `+CLCC: 1,0,${state},0,0,"${phoneNumber}",145,""`
export const dialling: Script = [
  [200, 'OK'],
  [350, clcc(2)],
]
/** Ringing from 5 s on. */
export const ringing: Script = [...dialling, [5_000, `${clcc(3)}|MO RING`]]

/** A world whose time the test moves. */
interface MovedWorld extends World {
  until(fact: () => boolean, withinMs?: number): Promise<void>
}

/** A driver that has just begun to set up its scripted modem; `changed` are replies of the modem. */
export function startedModem(
  world: World,
  options: Partial<ModemOptions> = {},
  changed: Readonly<Record<string, string | null>> = {},
) {
  const far = scriptedModem(world)
  for (const [command, reply] of Object.entries(changed)) far.replies.set(command, reply)
  const modem = createModem({ world, openLine: far.line.openLine, ...options })
  modem.start()
  return { far, modem, written: far.line.written }
}

/** A driver in fake time that has set its scripted modem up. */
export async function readyModem<Moved extends MovedWorld>(
  world: Moved,
  options: Partial<ModemOptions> = {},
  changed: Readonly<Record<string, string>> = {},
) {
  const { far, modem, written } = startedModem(world, options, changed)
  await world.until(() => modem.status().state === 'ready', 30_000)
  const phases: string[] = []

  /** A reservation, which may take some time after a call. */
  async function reserve(): Promise<Reservation> {
    let reservation: Reservation | undefined
    void modem.reserve().then(given => (reservation = given))
    await world.until(() => reservation !== undefined)
    return reservation ?? { ok: false, reason: 'modem_not_ready' }
  }

  async function dial(over: Partial<CallProfile> = {}, mayDial = () => true): Promise<DialResult> {
    const reservation = await reserve()
    if (!reservation.ok) throw new Error(reservation.reason)
    return dialReserved(over, mayDial)
  }

  async function dialReserved(over: Partial<CallProfile> = {}, mayDial = () => true): Promise<DialResult> {
    let result: DialResult | undefined
    const onProgress = (phase: string) => void phases.push(phase)
    void modem
      .dial({ phoneNumber, profile: { ...learnedProfile, ...over }, mayDial, onProgress })
      .then(given => (result = given))
    await world.until(() => result !== undefined, 90_000)
    if (!result) throw new Error('no result')
    return result
  }

  async function verdict(over: Partial<CallProfile> = {}) {
    const result = await dial(over)
    if (!result.dialled) throw new Error(result.why)
    return result.verdict
  }
  const sinceDial = () => written.slice(written.findIndex(text => text.startsWith('ATD')) + 1)
  return { world, far, modem, reserve, dial, dialReserved, verdict, phases, written, sinceDial }
}
