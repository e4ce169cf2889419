// The modem's side of a call: reading ATD, placing it, and the lines that tell of its progress and its end.

import type { Command } from './commandLine.ts'
import type { Ending } from './farEnd.ts'
import { drawMs } from './latency.ts'
import {
  type CallProgress,
  type DialAttempt,
  type FinalResult,
  type ModemCall,
  type Sim800,
  sendUrc,
  sendUrcLater,
} from './modemState.ts'
import { settingOf } from './settings.ts'
import { startTimer } from './timer.ts'

const dialString = /^[TtPp]?([+0-9*#A-Ca-c]*)([iIgG]*)(;?)$/
const phoneNumber = /^\+?[1-9]\d{6,14}$/

/** `+CLCC`'s line for a call; `state` 6 exists only there. */
export function callLine(call: ModemCall, state: number = call.state): string {
  const type = call.phoneNumber.startsWith('+') ? 145 : 129
  return `+CLCC: ${call.index},0,${state},0,0,"${call.phoneNumber}",${type},""`
}

function reportState(modem: Sim800, call: ModemCall, also?: string): void {
  if (settingOf(modem.settings, '+CLCC') === '1') sendUrc(modem, callLine(call))
  if (also && settingOf(modem.settings, '+MORING') === '1') sendUrc(modem, also)
}

/** Takes an ATD as read: counts it, and what is wrong with it. */
export function beginDial(modem: Sim800, { text }: Command): DialAttempt {
  const callId = ++modem.callCount
  const [, digits = '', flags = '', semicolon = ''] = dialString.exec(text) ?? []
  const attempt: DialAttempt = {
    callId,
    phoneNumber: digits,
    hidden: flags.includes('I') || (settingOf(modem.settings, '+CLIR') === '1' && !flags.includes('i')),
    voice: semicolon === ';',
    valid: phoneNumber.test(digits),
  }
  modem.effects.push({ kind: 'dialled', callId, phoneNumber: digits, atdText: `ATD${text}` })
  const violate = (violation: 'dial_during_call' | 'bad_dial_string' | 'data_call') =>
    modem.effects.push({ kind: 'violation', violation, text: `ATD${text}` })
  if (modem.calls.size > 0) violate('dial_during_call')
  if (!attempt.valid) violate('bad_dial_string')
  else if (!attempt.voice) violate('data_call')
  return attempt
}

/** Why an ATD cannot be placed; undefined when it can. */
function refusal(modem: Sim800, attempt: DialAttempt): FinalResult | undefined {
  if (modem.fault.dialErrorCode !== undefined) return { cme: modem.fault.dialErrorCode }
  if (settingOf(modem.settings, '+CFUN') !== '1') return { cme: 797 }
  if (modem.sim === 'absent') return { cme: 10 }
  if (modem.sim === 'locked') return { cme: 11 }
  if (modem.sim === 'blocked') return { cme: 12 }
  if (!attempt.valid) return { cme: 27 }
  if (modem.registration !== 1) return 'NO DIALTONE'
  if (!attempt.voice) return 'NO CARRIER'
  if ([...modem.calls.values()].some(({ state }) => state === 2 || state === 3)) return { cme: 771 }
  return modem.calls.size >= 7 ? { cme: 3 } : undefined
}

/** Places the call, or says why not. An active call is silently held, as a SIM800 does. */
export function placeCall(modem: Sim800, attempt: DialAttempt): FinalResult {
  const { callId } = attempt
  const refused = refusal(modem, attempt)
  if (refused !== undefined) {
    modem.effects.push({
      kind: 'refused',
      callId,
      why: typeof refused === 'object' ? `cme_${refused.cme}` : refused,
    })
    return refused
  }
  const { random, latencies, fault } = modem
  for (const call of modem.calls.values()) {
    if (call.state !== 0) continue
    call.state = 1
    reportState(modem, call)
  }
  const taken = new Set([...modem.calls.values()].map(({ index }) => index))
  const index = [1, 2, 3, 4, 5, 6, 7].find(free => !taken.has(free)) ?? 7
  modem.calls.set(callId, { callId, index, phoneNumber: attempt.phoneNumber, state: 2 })
  modem.effects.push(
    { kind: 'place', callId, phoneNumber: attempt.phoneNumber, hidden: attempt.hidden },
    startTimer(`dialling:${callId}`, drawMs(random, latencies.diallingUrcMs)),
  )
  if (fault.brownoutAfterMs !== undefined)
    modem.effects.push(startTimer('undervoltage', fault.brownoutAfterMs * latencies.scale))
  return 'OK'
}

/** `+CLCC` state 2, unless the call is further by now. */
export function reportDialling(modem: Sim800, callId: number): void {
  const call = modem.calls.get(callId)
  if (call?.state === 2) reportState(modem, call)
}

/** The end's two signals, in an order that only the seed knows. */
function reportEnd(modem: Sim800, call: ModemCall, { token }: Ending): void {
  const { fault, random, latencies } = modem
  const lines: string[] = []
  if (settingOf(modem.settings, '+CLCC') === '1' && !fault.losesClcc6) lines.push(callLine(call, 6))
  if (settingOf(modem.settings, '+CDRIND') === '1' && !fault.losesClcc6) lines.push('+CDRIND: 0')
  const tokenFirst = random() < 0.5
  const gapMs = drawMs(random, latencies.endGapMs)
  const tokens = fault.losesEndToken ? [] : [token]
  for (const line of tokenFirst ? tokens : lines) sendUrc(modem, line)
  sendUrcLater(modem, gapMs, tokenFirst ? lines : tokens)
}

/** What the network says about a call becomes lines for whoever listens. */
export function followCall(modem: Sim800, callId: number, progress: CallProgress): void {
  const call = modem.calls.get(callId)
  if (!call) return
  switch (progress.kind) {
    case 'alerting':
      if (modem.fault.hidesAlerting) return
      call.state = 3
      reportState(modem, call, 'MO RING')
      break
    case 'answered':
      call.state = 0
      reportState(modem, call, 'MO CONNECTED')
      break
    case 'forwarded':
      if (settingOf(modem.settings, '+CSSN').startsWith('1')) sendUrc(modem, '+CSSI: 2')
      return
    case 'ended':
      modem.calls.delete(callId)
      modem.causeOfEnd = progress.ending.cause
      reportEnd(modem, call, progress.ending)
  }
}

/** Ends every call from our side; `+CLCC` 6 comes before or after the OK, as the seed has it. */
export function hangUpCalls(modem: Sim800, why: 'hung_up' | 'aborted' | 'power_lost'): void {
  for (const call of modem.calls.values()) {
    modem.effects.push({ kind: 'hangUp', callId: call.callId, why })
    modem.causeOfEnd = 16
    if (why === 'power_lost' || settingOf(modem.settings, '+CLCC') !== '1' || modem.fault.losesClcc6) continue
    if (modem.random() < 0.5) sendUrc(modem, callLine(call, 6))
    else sendUrcLater(modem, drawMs(modem.random, modem.latencies.endGapMs), [callLine(call, 6)])
  }
  modem.calls.clear()
}
