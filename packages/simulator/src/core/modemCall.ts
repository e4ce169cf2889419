// The modem's side of a call that it dials: reading ATD, placing it, following it to its end.

import { reportEnd, reportHungUp, reportState } from './callReports.ts'
import type { Command } from './commandLine.ts'
import type { Ending } from './farEnd.ts'
import { freeIndex, ringWaiting } from './incomingCall.ts'
import { drawMs, ringLimitMs } from './latency.ts'
import type { CallProgress, DialAttempt, ModemCall, Sim800 } from './modemState.ts'
import { answerUssd, losesUssdOk } from './otherAnswers.ts'
import { settingOf } from './settings.ts'
import { losesRead } from './shortMessage.ts'
import { startTimer, stopTimer } from './timer.ts'
import { type FinalResult, sendUrc } from './wording.ts'

/** Blanks, and punctuation that people write between digits, are ignored (V.250 6.3.1). */
const dialString = /^[TtPp]?([+0-9*#A-Ca-c ().-]*)([iIgG]*) *(;?)$/
const isUssd = ({ phoneNumber }: DialAttempt) => /^[*#][\d*#]*#$/.test(phoneNumber)
const phoneNumber = /^\+?[1-9]\d{6,14}$/
const maxCalls = 7

/** An ATD was read: counts it, and any violation in it. `ATD>`, which uses the phone book, dials nothing here. */
export function beginDial(modem: Sim800, { text }: Command): DialAttempt {
  const callId = ++modem.callCount
  const [, written = '', flags = '', semicolon = ''] = dialString.exec(text) ?? []
  const digits = written.replace(/[ ().-]/g, '')
  const attempt: DialAttempt = {
    callId,
    phoneNumber: digits,
    hidden: flags.includes('I') || (settingOf(modem.settings, '+CLIR') === '1' && !flags.includes('i')),
    voice: semicolon === ';',
    valid: digits !== '',
    fromPhoneBook: text.startsWith('>'),
  }
  modem.effects.push({ kind: 'dialled', callId, phoneNumber: digits, atdText: `ATD${text}` })
  const violate = (violation: 'dial_during_call' | 'bad_dial_string' | 'data_call') =>
    modem.effects.push({ kind: 'violation', violation, text: `ATD${text}` })
  if (modem.calls.size > 0) violate('dial_during_call')
  // The chip accepts national, emergency and service numbers, and blanks: the driver has to avoid them.
  if (!phoneNumber.test(written)) violate('bad_dial_string')
  else if (!attempt.voice) violate('data_call')
  if (modem.fault.incomingOnDial) modem.effects.push({ kind: 'callIn' })
  return attempt
}

/** Why an ATD cannot be placed; undefined when it can. No source says that a ringing call refuses it with 771. */
function refusal(modem: Sim800, attempt: DialAttempt): FinalResult | undefined {
  if (modem.fault.dialErrorCode !== undefined) return { cme: modem.fault.dialErrorCode }
  if (settingOf(modem.settings, '+CFUN') !== '1') return { cme: 797 }
  if (modem.sim === 'absent') return { cme: 10 }
  if (modem.sim === 'locked') return { cme: 11 }
  if (modem.sim === 'blocked') return { cme: 12 }
  if (attempt.fromPhoneBook) return { cme: 22 }
  if (!attempt.valid) return { cme: 27 }
  if (modem.registration !== 1) return 'NO DIALTONE'
  if (modem.fault.calls === 'none' || (modem.fault.calls && !modem.model.lte))
    return modem.model.lte ? modem.model.lte.dialsInVain : 'NO DIALTONE'
  if (isUssd(attempt)) return undefined
  if (!attempt.voice) return 'NO CARRIER'
  if (modem.fault.ussdHoldsCalls && modem.nowMs < modem.ussdUntilMs) return 'NO CARRIER'
  if ([...modem.calls.values()].some(({ state }) => state > 1)) return { cme: 771 }
  return modem.calls.size >= maxCalls ? { cme: 3 } : undefined
}

function startTroubles({ fault, latencies, effects }: Sim800, callId: number): void {
  const { scale } = latencies
  const troubles: [timer: string, afterMs: number | undefined][] = [
    ['undervoltage', fault.brownoutAfterMs],
    ['coverageLost', fault.coverageLostAfterMs],
    ['unplugged', fault.unpluggedAfterMs],
    [`earlyEnd:${callId}`, fault.earlyNoCarrierMs],
    [`callIn:${callId}`, fault.incomingWaitsAfterMs],
  ]
  for (const [timer, afterMs] of troubles)
    if (afterMs !== undefined) effects.push(startTimer(timer, afterMs * scale))
}

const placing = ({ callId, hidden, phoneNumber }: DialAttempt) =>
  ({ kind: 'place', callId, phoneNumber, hidden }) as const

/** The modem has fallen back (the fault fallBackMs): the network begins with the call, if it is still wanted. */
export function placeAfterFallBack(modem: Sim800, callId: number): void {
  const attempt = modem.calls.get(callId)?.attempt
  if (attempt) modem.effects.push(placing(attempt))
}

/** Places the call, or says why not. An active call is silently put on hold, as a SIM800 does. */
export function placeCall(modem: Sim800, attempt: DialAttempt): FinalResult {
  const { callId } = attempt
  const refused = refusal(modem, attempt)
  if (refused !== undefined) {
    const why = typeof refused === 'object' && 'cme' in refused ? `cme_${refused.cme}` : String(refused)
    modem.effects.push({ kind: 'refused', callId, why })
    return refused
  }
  if (isUssd(attempt)) {
    modem.effects.push({ kind: 'refused', callId, why: 'ussd' })
    answerUssd(modem)
    return 'OK'
  }
  for (const call of modem.calls.values()) {
    if (call.state !== 0) continue
    call.state = 1
    reportState(modem, call)
  }
  modem.calls.set(callId, {
    callId,
    index: freeIndex(modem),
    direction: 'out',
    phoneNumber: attempt.phoneNumber,
    state: 2,
    answered: false,
    rings: 0,
    attempt,
  })
  const { fallBackMs } = modem.fault
  modem.effects.push(
    fallBackMs === undefined
      ? placing(attempt)
      : startTimer(`place:${callId}`, fallBackMs * modem.latencies.scale),
    startTimer(`dialling:${callId}`, drawMs(modem.random, modem.latencies.diallingUrcMs)),
  )
  startTroubles(modem, callId)
  return 'OK'
}

/** Reports `+CLCC` state 2, unless the call has gone further already. */
export function reportDialling(modem: Sim800, callId: number): void {
  const call = modem.calls.get(callId)
  if (call?.state !== 2) return
  if (modem.model.chatters) sendUrc(modem, '+CGEV: NW ACT 8,10')
  reportState(modem, call)
}

/** The fault earlyNoCarrierMs: a token without a meaning. */
export function reportEarlyEnd(modem: Sim800, callId: number): void {
  if (modem.calls.get(callId)?.state === 2) sendUrc(modem, 'NO CARRIER')
}

function becomeActive(modem: Sim800, call: ModemCall): void {
  if (call.state === 0) return
  call.state = 0
  call.activeAtMs = modem.nowMs
  reportState(modem, call)
}

function becomeAlerting(modem: Sim800, call: ModemCall): void {
  call.alertedAtMs = modem.nowMs
  if (modem.fault.hidesAlerting) return
  call.state = 3
  reportState(modem, call)
  if (modem.fault.falseActive) becomeActive(modem, call)
}

/** How long a rejection stays unseen by the fault falseActive: until the network would have given up ringing. */
function hiddenForMs({ fault, nowMs }: Sim800, call: ModemCall, { cause }: Ending): number {
  const isHidden =
    (fault.falseActive || fault.hidesReject) && !call.answered && (cause === 17 || cause === 21)
  return isHidden && call.alertedAtMs !== undefined ? ringLimitMs - (nowMs - call.alertedAtMs) : 0
}

function finish(modem: Sim800, call: ModemCall, { token, cause }: Ending): void {
  const looksAnswered = modem.fault.falseActive && !call.answered && call.activeAtMs !== undefined
  modem.calls.delete(call.callId)
  modem.effects.push(stopTimer(`ring:${call.callId}`), stopTimer(`hiddenEnd:${call.callId}`))
  modem.causeOfEnd = looksAnswered ? 16 : cause
  reportEnd(modem, call, looksAnswered ? 'NO CARRIER' : token)
  ringWaiting(modem)
}

/** The fault incomingWaitsAfterMs: somebody calls while this call goes on. */
export function callInDuring(modem: Sim800, callId: number): void {
  if (modem.calls.has(callId)) modem.effects.push({ kind: 'callIn' })
}

/** The rejection that the fault falseActive has hidden shows as an end like any other. */
export function finishHidden(modem: Sim800, callId: number): void {
  const call = modem.calls.get(callId)
  if (call) finish(modem, call, { token: 'NO CARRIER', cause: 16 })
}

/** +CSSI (V1.09 3.2.54; 3GPP TS 27.007 7.17). */
const serviceCodes = { forwarded: 2, waiting: 3, barred: 5 } as const

/** Turns the network's report about a call into lines. */
export function followCall(modem: Sim800, callId: number, progress: CallProgress): void {
  const call = modem.calls.get(callId)
  if (!call) return
  const tellsServices = settingOf(modem.settings, '+CSSN').startsWith('1')
  switch (progress.kind) {
    case 'alerting':
      becomeAlerting(modem, call)
      break
    case 'answered':
      call.answered = true
      becomeActive(modem, call)
      break
    case 'forwarded':
    case 'waiting':
    case 'barred':
      if (tellsServices) sendUrc(modem, `+CSSI: ${serviceCodes[progress.kind]}`)
      break
    case 'ended': {
      const hiddenMs = hiddenForMs(modem, call, progress.ending)
      if (hiddenMs > 0) modem.effects.push(startTimer(`hiddenEnd:${callId}`, hiddenMs))
      else finish(modem, call, progress.ending)
    }
  }
}

/** Hangs up the calls that the command selects. */
export function hangUpCalls(
  modem: Sim800,
  why: 'hung_up' | 'aborted' | 'power_lost',
  isMeant: (call: ModemCall) => boolean = () => true,
): void {
  for (const call of [...modem.calls.values()].filter(isMeant)) {
    const { callId } = call
    modem.calls.delete(callId)
    modem.effects.push(
      { kind: 'hangUp', callId, why },
      stopTimer(`ring:${callId}`),
      stopTimer(`hiddenEnd:${callId}`),
      stopTimer(`earlyEnd:${callId}`),
    )
    modem.causeOfEnd = 16
    if (why !== 'power_lost') reportHungUp(modem, call)
  }
  if (why !== 'power_lost') ringWaiting(modem)
}

/** The fault losesFirstList: this question stays unanswered. */
function losesList({ calls, fault }: Sim800, { form, name }: Command): boolean {
  const call = [...calls.values()].find(({ hasLostList }) => !hasLostList)
  if (!fault.losesFirstList || name !== '+CLCC' || form !== 'run' || !call) return false
  call.hasLostList = true
  return true
}

/** This command stays unanswered, by a fault; it may have been carried out. */
export const losesAnswer = (modem: Sim800, command: Command): boolean =>
  losesList(modem, command) || losesUssdOk(modem, command) || losesRead(modem, command)
