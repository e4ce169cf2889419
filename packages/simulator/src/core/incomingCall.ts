// Calls to the modem: RING and +CLIP until somebody answers, refuses or gives up.

import { reportState } from './callReports.ts'
import type { ModemCall, Sim800 } from './modemState.ts'
import { settingOf } from './settings.ts'
import { startTimer, stopTimer } from './timer.ts'
import { sendUrc } from './wording.ts'

const ringEveryMs = 3000

/** Why a call cannot even ring; undefined when it can. */
function refusal(modem: Sim800): 'busy' | 'refused' | 'unreachable' | undefined {
  if (modem.power !== 'on' || modem.hung || modem.registration !== 1) return 'unreachable'
  // These faults make the calls collide on purpose.
  if (modem.fault.incomingOnDial || modem.fault.incomingWaitsAfterMs !== undefined) return undefined
  if (modem.calls.size > 0 || modem.running?.dial) return 'busy'
  return settingOf(modem.settings, '+GSMBUSY') === '1' ? 'refused' : undefined
}

/** The lowest free number of seven (V1.09 3.2.16); a data context takes the first. */
export function freeIndex({ calls, model }: Sim800): number {
  const taken = new Set([...calls.values()].map(({ index }) => index))
  const first = model.listsDataContext ? 2 : 1
  return [1, 2, 3, 4, 5, 6, 7].find(index => index >= first && !taken.has(index)) ?? 7
}

/** Somebody calls. */
export function receiveCall(modem: Sim800, callId: number, callerNumber: string): void {
  const outcome = refusal(modem)
  if (outcome) {
    modem.effects.push({ kind: 'incomingEnded', callId, outcome })
    return
  }
  const call: ModemCall = {
    callId,
    index: freeIndex(modem),
    direction: 'in',
    phoneNumber: callerNumber,
    state: modem.calls.size > 0 ? 5 : 4,
    answered: false,
    rings: 0,
  }
  modem.calls.set(callId, call)
  reportState(modem, call)
  ring(modem, callId)
}

function answer(modem: Sim800, call: ModemCall): void {
  call.state = 0
  call.answered = true
  call.activeAtMs = modem.nowMs
  modem.effects.push(stopTimer(`ring:${call.callId}`), { kind: 'answerIncoming', callId: call.callId })
  reportState(modem, call)
}

/** Rings once more; the modem answers by itself after as many rings as S0 says. */
export function ring(modem: Sim800, callId: number): void {
  const call = modem.calls.get(callId)
  if (call?.state !== 4) return
  call.rings += 1
  sendUrc(modem, settingOf(modem.settings, '+CRC') === '1' ? '+CRING: VOICE' : 'RING')
  if (settingOf(modem.settings, '+CLIP') === '1')
    sendUrc(
      modem,
      call.phoneNumber === '' ? '+CLIP: "",128,"",0,"",1' : `+CLIP: "${call.phoneNumber}",145,"",0,"",0`,
    )
  const automatic = Number(settingOf(modem.settings, 'S0'))
  if (automatic > 0 && call.rings >= automatic) answer(modem, call)
  else modem.effects.push(startTimer(`ring:${callId}`, ringEveryMs * modem.latencies.scale))
}

/** A call that waited rings when no other is left before it. */
export function ringWaiting(modem: Sim800): void {
  const calls = [...modem.calls.values()]
  const [first] = calls
  if (!first || calls.some(({ state }) => state !== 5)) return
  first.state = 4
  reportState(modem, first)
  ring(modem, first.callId)
}

/** ATA; false when nobody calls. */
export function answerCall(modem: Sim800): boolean {
  const call = [...modem.calls.values()].find(({ state }) => state === 4)
  if (call) answer(modem, call)
  return call !== undefined
}
