// Modem, network and gates joined: the effects of each become events of the others, and its timers are the world's.

import { isoTime, type Timer, type World } from '@callgate/world/world'
import type { CallLog } from './callLog.ts'
import type { Confirmation, FarEnd } from './core/farEnd.ts'
import { type GateModuleEffect, type GateModuleEvent, hearGateModule } from './core/gateModule.ts'
import type { ModemEffect, ModemEvent, Sim800, ViolationKind } from './core/modemState.ts'
import { hearNetwork, type Network, type NetworkEffect, type NetworkEvent } from './core/network.ts'
import { partsOf, type ShortMessage } from './core/shortMessage.ts'
import { hearModem } from './core/sim800.ts'
import type { TimerEffect } from './core/timer.ts'
import type { IncomingLog } from './incomingLog.ts'
import type { Output } from './output.ts'
import { type FarEndName, isFarEndName, isFaultName, type ModemFaultName, presetOfCode } from './presets.ts'
import { farEndBehind, type SimulatedGates } from './simulatedGates.ts'

/** An act of the driver that is never allowed. */
export interface Violation {
  /** Monotonic milliseconds. */
  readonly atMs: number
  readonly violation: ViolationKind
  readonly text: string
}

export interface SimulatorParts {
  readonly world: World
  readonly modem: Sim800
  readonly network: Network
  readonly gates: SimulatedGates
  readonly calls: CallLog
  readonly incoming: IncomingLog
  readonly output: Output
  /** By `owner/name`. */
  readonly timers: Map<string, Timer>
  /** A dialled number's last digits choose a preset. */
  readonly heedsCodes: boolean
  /** The port is to disappear for a while. */
  readonly reenumerate: (outForMs: number) => void
  /** A dialled number has selected a fault. */
  readonly setFaults: (faults: readonly ModemFaultName[]) => void
  /** An ATD was read. */
  readonly dialled: (callId: number) => void
  /** The driver did something that is never allowed. */
  readonly violated: (violation: Violation) => void
  /** Every message that the network took, oldest first. */
  /** The number of messages that were sent to the modem. It gives the parts of each their reference. */
  messagesIn: number
  readonly messagesOut: { readonly to: string; readonly text: string }[]
  /** The far end of a number that is no gate; null: nobody. */
  unlistedFarEnd: FarEndName | null
  violationCount: number
  readonly violations: Violation[]
  stopped: boolean
}

const maxViolations = 200
/** The default caller of an incoming call, and how long that caller waits. */
const stranger = '+40733333333'
const usualPatienceMs = 25_000

function setTimer(parts: SimulatorParts, owner: string, effect: TimerEffect, fire: (timer: string) => void) {
  const key = `${owner}/${effect.timer}`
  parts.timers.get(key)?.cancel()
  parts.timers.delete(key)
  if (effect.kind === 'stopTimer') return
  const timer = parts.world.after(effect.delayMs, () => {
    parts.timers.delete(key)
    fire(effect.timer)
  })
  parts.timers.set(key, timer)
}

/** Cancels every timer of that owner; with an empty owner, all timers. */
export function stopTimers({ timers }: SimulatorParts, owner: string): void {
  for (const [key, timer] of timers) {
    if (!key.startsWith(owner)) continue
    timer.cancel()
    timers.delete(key)
  }
}

function violate(parts: SimulatorParts, violation: ViolationKind, text: string): void {
  parts.violationCount += 1
  if (parts.violations.length >= maxViolations) parts.violations.shift()
  const found = { atMs: parts.world.monotonicMs(), violation, text }
  parts.violations.push(found)
  parts.violated(found)
}

/** A number that is no gate may select a preset by its last digits, before the ATD is carried out. */
function heedCode(parts: SimulatorParts, phoneNumber: string): void {
  const preset = parts.heedsCodes && !parts.gates.get(phoneNumber) ? presetOfCode(phoneNumber) : undefined
  if (preset === undefined) return
  if (isFarEndName(preset)) parts.gates.put({ phoneNumber, farEnd: preset })
  else if (isFaultName(preset)) {
    parts.gates.put({ phoneNumber, farEnd: 'reject_busy' })
    parts.setFaults([preset])
  }
}

/** The number as the network reads it: 00 is +, and a national number is that of a gate in the same country. */
function reachedNumber({ gates }: SimulatorParts, dialled: string): string {
  if (dialled.startsWith('00')) return `+${dialled.slice(2)}`
  if (!/^0\d{6,}$/.test(dialled)) return dialled
  const gate = gates.states().find(({ phoneNumber }) => phoneNumber.endsWith(dialled.slice(1)))
  return gate?.phoneNumber ?? dialled
}

/** The far end behind a dialled number; a number that is no gate becomes one where `unlistedFarEnd` says so. */
function findFarEnd(parts: SimulatorParts, phoneNumber: string): FarEnd | undefined {
  const { gates, unlistedFarEnd } = parts
  if (!gates.get(phoneNumber) && unlistedFarEnd) gates.put({ phoneNumber, farEnd: unlistedFarEnd })
  const gate = gates.get(phoneNumber)
  const farEnd = gate && farEndBehind(gate)
  if (farEnd?.way === 'rings' && farEnd.onlyOneCall && gate && gate.module.callsSeen > 0)
    violate(parts, 'second_dial', phoneNumber)
  return farEnd
}

/** Calls the modem; without a caller, from a default number with the usual patience. */
export function callIn(parts: SimulatorParts, callerNumber = stranger, patienceMs = usualPatienceMs): void {
  const callId = parts.incoming.begin(callerNumber)
  tellNetwork(parts, { kind: 'callIn', callId, callerNumber, patienceMs })
}

/** Sends a message (SMS) to the modem, a long one in parts. */
export function sendMessage(parts: SimulatorParts, from: string, text: string): void {
  parts.messagesIn += 1
  for (const part of partsOf(text, parts.messagesIn % 256)) deliver(parts, { from, ...part })
}

function deliver(parts: SimulatorParts, message: Omit<ShortMessage, 'sentAt' | 'isRead'>): void {
  const [, year = '', month, day, time] =
    /^(..)-(..)-(..)T(.{8})/.exec(isoTime(parts.world.nowMs()).slice(2)) ?? []
  const sentAt = `${year}/${month}/${day},${time}+00`
  tellNetwork(parts, { kind: 'message', message: { ...message, sentAt, isRead: false } })
}

/** An event for the modem, with all its effects. */
export function tellModem(parts: SimulatorParts, event: ModemEvent): void {
  if (parts.stopped) return
  parts.modem.nowMs = parts.world.monotonicMs()
  for (const effect of hearModem(parts.modem, event)) followModem(parts, effect)
  parts.output.flush()
}

function followModem(parts: SimulatorParts, effect: ModemEffect): void {
  const { calls, incoming, modem, output } = parts
  switch (effect.kind) {
    case 'startTimer':
    case 'stopTimer':
      setTimer(parts, 'modem', effect, timer => tellModem(parts, { kind: 'timer', timer }))
      break
    case 'stopAllTimers':
      stopTimers(parts, 'modem/')
      break
    case 'send':
      output.add(effect.text)
      break
    case 'dialled':
      calls.begin(effect)
      heedCode(parts, effect.phoneNumber)
      parts.dialled(effect.callId)
      break
    case 'refused':
      calls.note(effect.callId, effect.why === 'aborted' ? 'aborted' : 'refused', effect.why)
      break
    case 'place': {
      const { callId, phoneNumber, hidden } = effect
      const callerNumber = hidden ? null : modem.number
      const reached = reachedNumber(parts, phoneNumber)
      const farEnd = findFarEnd(parts, reached)
      tellNetwork(parts, { kind: 'place', callId, phoneNumber: reached, callerNumber, farEnd })
      break
    }
    case 'hangUp':
      calls.note(effect.callId, effect.why)
      incoming.note(effect.callId, effect.why === 'power_lost' ? 'power_lost' : 'hung_up')
      tellNetwork(parts, { kind: 'hangUp', callId: effect.callId })
      break
    case 'incomingEnded':
      incoming.note(effect.callId, effect.outcome)
      tellNetwork(parts, { kind: 'hangUp', callId: effect.callId })
      break
    case 'answerIncoming':
      incoming.note(effect.callId, 'answered')
      tellNetwork(parts, effect)
      break
    case 'callIn':
      callIn(parts)
      break
    case 'submit':
      parts.messagesOut.push({ to: effect.to, text: effect.text })
      tellGate(parts, reachedNumber(parts, effect.to), {
        kind: 'heard',
        from: modem.number,
        text: effect.text,
      })
      break
    case 'reenumerate':
      parts.reenumerate(effect.outForMs)
      break
    case 'attach':
    case 'attached':
    case 'detach':
      tellNetwork(parts, effect)
      break
    case 'violation':
      violate(parts, effect.violation, effect.text)
  }
}

function tellNetwork(parts: SimulatorParts, event: NetworkEvent): void {
  if (parts.stopped) return
  for (const effect of hearNetwork(parts.network, event)) followNetwork(parts, effect)
}

function followNetwork(parts: SimulatorParts, effect: NetworkEffect): void {
  switch (effect.kind) {
    case 'startTimer':
    case 'stopTimer':
      setTimer(parts, 'network', effect, timer => tellNetwork(parts, { kind: 'timer', timer }))
      break
    case 'registration':
    case 'incoming':
    case 'message':
      tellModem(parts, effect)
      break
    case 'incomingGone':
      parts.incoming.note(effect.callId, 'gave_up')
      break
    case 'progress': {
      const { callId, progress } = effect
      if (progress.kind === 'alerting') parts.calls.note(callId, 'ringing')
      else if (progress.kind === 'answered') parts.calls.note(callId, 'answered')
      else if (progress.kind === 'ended') parts.calls.note(callId, 'network_ended')
      tellModem(parts, { kind: 'call', callId, progress })
      break
    }
    case 'ring':
    case 'gone':
      tellGate(parts, effect.phoneNumber, effect)
  }
}

function tellGate(parts: SimulatorParts, phoneNumber: string, event: GateModuleEvent): void {
  const gate = parts.gates.get(phoneNumber)
  if (parts.stopped || !gate) return
  for (const effect of hearGateModule(gate.module, event)) followGate(parts, phoneNumber, effect)
}

function confirm(parts: SimulatorParts, phoneNumber: string, to: string, { by, text }: Confirmation): void {
  if (to !== parts.modem.number) return
  if (by === 'sms') sendMessage(parts, phoneNumber, text ?? 'Gate opened')
  else callIn(parts, phoneNumber)
}

/** The answer of a gate to a message, in the form that it uses. */
function reply(parts: SimulatorParts, phoneNumber: string, to: string, text: string): void {
  if (to !== parts.modem.number) return
  const answers = parts.gates.get(phoneNumber)?.module.listens?.answers
  const of = { from: answers === 'fromOtherNumber' ? stranger : phoneNumber, text }
  if (answers === 'ucs2') deliver(parts, of)
  else if (answers !== 'parts') deliver(parts, { ...of, isPlain: true })
  else {
    // The second part comes first.
    const half = Math.ceil(text.length / 2)
    const reference = 7
    deliver(parts, { ...of, text: text.slice(half), part: { reference, count: 2, place: 2 } })
    deliver(parts, { ...of, text: text.slice(0, half), part: { reference, count: 2, place: 1 } })
  }
}

function followGate(parts: SimulatorParts, phoneNumber: string, effect: GateModuleEffect): void {
  switch (effect.kind) {
    case 'startTimer':
    case 'stopTimer':
      setTimer(parts, phoneNumber, effect, timer => tellGate(parts, phoneNumber, { kind: 'timer', timer }))
      break
    case 'relay':
      parts.calls.relayFired(effect.callId)
      break
    case 'confirm':
      confirm(parts, phoneNumber, effect.to, effect.confirmation)
      break
    case 'reply':
      reply(parts, phoneNumber, effect.to, effect.text)
      break
    case 'answer':
      tellNetwork(parts, { kind: 'answer', callId: effect.callId })
      break
    case 'reject':
    case 'release':
      parts.calls.note(effect.callId, effect.kind === 'reject' ? 'rejected' : 'released')
      tellNetwork(parts, { kind: effect.kind, callId: effect.callId })
  }
}
