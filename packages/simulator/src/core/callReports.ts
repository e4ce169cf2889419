// The lines that report a call: +CLCC, the additions of a SIM800, and the lines of other models.

import { asSaid } from './characterSet.ts'
import type { Ending } from './farEnd.ts'
import { drawMs } from './latency.ts'
import type { ModemCall, Sim800 } from './modemState.ts'
import { settingOf } from './settings.ts'
import { sendUrc, sendUrcLater } from './wording.ts'

/** `+CLCC`'s numbers; 6, disconnected, is only ever unsolicited. */
type ReportedState = ModemCall['state'] | 6

const directionOf = ({ direction }: ModemCall) => (direction === 'out' ? 0 : 1)

function typeOf({ phoneNumber }: ModemCall): number {
  if (phoneNumber === '') return 128
  return phoneNumber.startsWith('+') ? 145 : 129
}

/** `+CLCC`'s line for a call. */
export function callLine(modem: Sim800, call: ModemCall, state: ReportedState = call.state): string {
  return `+CLCC: ${call.index},${directionOf(call)},${state},0,0,"${asSaid(modem, call.phoneNumber)}",${typeOf(call)},""`
}

/** Who has answered, where AT+COLP=1 (V1.09 3.2.21). */
export function connectedLine(call: ModemCall): string {
  return `+COLP: "${call.phoneNumber}",${typeOf(call)}`
}

/** Quectel's own numbering of states, in `^DSCI`: 3 connected, 7 alerting, the rest as in `+CLCC`. */
const dsciStates: Readonly<Record<ReportedState, number>> = { 0: 3, 1: 1, 2: 2, 3: 7, 4: 4, 5: 5, 6: 6 }

function callInfoLines(modem: Sim800, call: ModemCall, state: ReportedState): string[] {
  const { index, phoneNumber } = call
  const lines: string[] = []
  if (settingOf(modem.settings, '+QINDCFG').startsWith('"ccinfo",1'))
    lines.push(
      `+QIND: "ccinfo",${index},${directionOf(call)},${state === 6 ? -1 : state},0,0,"${phoneNumber}",${typeOf(call)}`,
    )
  if (settingOf(modem.settings, '^DSCI') === '1')
    lines.push(`^DSCI: ${index},${directionOf(call)},${dsciStates[state]},0,${phoneNumber},${typeOf(call)}`)
  return lines
}

function voiceCallLines({ model, nowMs }: Sim800, call: ModemCall, state: ReportedState): string[] {
  if (state === 0) return ['VOICE CALL: BEGIN']
  if (state !== 6) return []
  if (call.activeAtMs === undefined) return [model.voiceCallEnd]
  const seconds = Math.round((nowMs - call.activeAtMs) / 1000)
  return [`${model.voiceCallEnd}: ${String(seconds).padStart(6, '0')}`]
}

function moRingLines({ settings }: Sim800, call: ModemCall, state: ReportedState): string[] {
  if (state === 6) return settingOf(settings, '+CDRIND') === '1' ? ['+CDRIND: 0'] : []
  if (call.direction === 'in' || settingOf(settings, '+MORING') !== '1') return []
  if (state === 3) return ['MO RING']
  return state === 0 ? ['MO CONNECTED'] : []
}

/** Every line, in the order of the traces in packages/modem/docs/sim800.md. */
function linesOf(modem: Sim800, call: ModemCall, state: ReportedState): readonly string[] {
  const { model } = modem
  const isListed = model.listRange !== null && settingOf(modem.settings, '+CLCC') === '1'
  const listed = isListed ? [callLine(modem, call, state)] : []
  switch (model.callSigns) {
    case 'moRing':
      return [...listed, ...moRingLines(modem, call, state)]
    case 'none':
      return listed
    case 'callInfo':
      return callInfoLines(modem, call, state)
    case 'voiceCall': {
      const signs = voiceCallLines(modem, call, state)
      if (state !== 0) return [...listed, ...signs]
      return [...signs, ...listed, ...(model.chatters ? [`+COLP: "${call.phoneNumber}",145,"",0`] : [])]
    }
  }
}

/** Reports the present state of a call. */
export function reportState(modem: Sim800, call: ModemCall): void {
  for (const line of linesOf(modem, call, call.state)) sendUrc(modem, line)
}

/** Reports the end of a call: its lines and its token, in an order drawn from the seed. */
export function reportEnd(modem: Sim800, call: ModemCall, token: Ending['token']): void {
  const { fault, random, latencies } = modem
  const lines = fault.losesClcc6 ? [] : linesOf(modem, call, 6)
  const tokens = fault.losesEndToken ? [] : [token]
  const tokenFirst = random() < 0.5
  const gapMs = drawMs(random, fault.endGapMs ?? latencies.endGapMs)
  for (const line of tokenFirst ? tokens : lines) sendUrc(modem, line)
  sendUrcLater(modem, gapMs, tokenFirst ? lines : tokens)
}

/** Reports the end of a call that we hung up: before or after the OK, as the seed draws; modems on LTE add a token. */
export function reportHungUp(modem: Sim800, call: ModemCall): void {
  if (modem.fault.losesClcc6) return
  const lines = [...linesOf(modem, call, 6)]
  if (modem.model.lte && !modem.fault.losesEndToken) lines.push('NO CARRIER')
  if (modem.random() < 0.5) for (const line of lines) sendUrc(modem, line)
  else sendUrcLater(modem, drawMs(modem.random, modem.latencies.endGapMs), lines)
}
