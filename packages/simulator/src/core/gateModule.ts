// A gate module: its phone rings, it decides by the caller's number, its relays move and count. It knows no modem.

import type { Confirmation, ModuleBehaviour, Reaction } from './farEnd.ts'
import { drawMs, type Latencies, type Random } from './latency.ts'
import { startTimer, stopTimer, type TimerEffect } from './timer.ts'

export type GateModuleEvent =
  /** The phone rings; `callerNumber` is null when the caller hides it. */
  | { readonly kind: 'ring'; readonly callId: number; readonly callerNumber: string | null }
  /** The call is gone: the caller hung up, or the network gave up. */
  | { readonly kind: 'gone'; readonly callId: number }
  | { readonly kind: 'timer'; readonly timer: string }

export type GateModuleEffect =
  | TimerEffect
  | { readonly kind: 'answer' | 'reject' | 'release'; readonly callId: number }
  /** The relay of output 1 was operated, which opens the gate. */
  | { readonly kind: 'relay'; readonly callId: number }
  /** It confirms this to its caller. */
  | { readonly kind: 'confirm'; readonly to: string; readonly confirmation: Confirmation }

export interface GateModule {
  readonly phoneNumber: string
  /** The callers that it acts for, as programmed; null: everyone. */
  readonly callers: readonly string[] | null
  readonly random: Random
  readonly latencies: Latencies
  behaviour: ModuleBehaviour
  /** The call that rings or is held, and what the module is going to do with it. */
  call:
    | {
        readonly callId: number
        readonly callerNumber: string | null
        readonly reaction: Reaction
        phase: 'ringing' | 'answered'
      }
    | undefined
  relayOn: boolean
  /** How often the relay was operated. */
  relayCount: number
  /** How often output 2 was operated, which opens nothing. */
  otherRelayCount: number
  callsSeen: number
  /** Confirmations that are due, by their timer. */
  readonly due: Map<string, { readonly to: string; readonly confirmation: Confirmation }>
}

export function newGateModule(
  options: Pick<GateModule, 'phoneNumber' | 'callers' | 'random' | 'latencies' | 'behaviour'>,
): GateModule {
  return {
    ...options,
    call: undefined,
    relayOn: false,
    relayCount: 0,
    otherRelayCount: 0,
    callsSeen: 0,
    due: new Map(),
  }
}

const pulseMs = 500
const comparedDigits = 9
const ignored: Reaction = { reaction: 'ignore', firesRelay: false }
const lastDigits = (number: string) => number.replace(/\D/g, '').slice(-comparedDigits)

function knows({ callers, behaviour }: GateModule, callerNumber: string | null): boolean {
  if (callers === null) return true
  if (callerNumber === null) return false
  if (behaviour.compares !== 'last9') return callers.includes(callerNumber)
  return callers.some(caller => lastDigits(caller) === lastDigits(callerNumber))
}

/** What it is going to do for a caller; `callerNumber` is null when it is hidden. */
function reactionTo(gate: GateModule, callerNumber: string | null): Reaction {
  const { behaviour, relayOn } = gate
  if (callerNumber === null && behaviour.hidden) return behaviour.hidden
  if (!knows(gate, callerNumber)) return behaviour.strangers ?? ignored
  return relayOn && behaviour.relay === 'toggle' && behaviour.whenOn ? behaviour.whenOn : behaviour
}

function confirm(gate: GateModule, callId: number, to: string): readonly GateModuleEffect[] {
  const { confirmation } = gate.behaviour
  if (!confirmation) return []
  const timer = `confirm:${callId}`
  gate.due.set(timer, { to, confirmation })
  return [startTimer(timer, confirmation.afterMs * gate.latencies.scale)]
}

/** The relay of the call's output moves. */
function fireRelay(gate: GateModule): readonly GateModuleEffect[] {
  const { behaviour, call, latencies } = gate
  if (!call) return []
  if (call.reaction.output === 2) {
    gate.otherRelayCount += 1
    return []
  }
  gate.relayCount += 1
  const operated: readonly GateModuleEffect[] = [
    { kind: 'relay', callId: call.callId },
    ...(call.callerNumber === null ? [] : confirm(gate, call.callId, call.callerNumber)),
  ]
  if (behaviour.relay === 'toggle') {
    gate.relayOn = !gate.relayOn
    return operated
  }
  gate.relayOn = true
  return [...operated, startTimer('relay', (behaviour.pulseMs ?? pulseMs) * latencies.scale)]
}

function ring(gate: GateModule, callId: number, callerNumber: string | null): readonly GateModuleEffect[] {
  const { random, latencies } = gate
  const reaction = reactionTo(gate, callerNumber)
  gate.callsSeen += 1
  gate.call = { callId, callerNumber, reaction, phase: 'ringing' }
  if (reaction.reaction === 'ignore') return []
  const usualMs = drawMs(random, reaction.reaction === 'reject' ? latencies.rejectMs : latencies.answerMs)
  return [startTimer('react', reaction.ringMs === undefined ? usualMs : reaction.ringMs * latencies.scale)]
}

/** The relay moves now, or when the caller has stayed long enough; the call goes on. */
function fireInCall(gate: GateModule, { firesRelay, stayMs }: Reaction): readonly GateModuleEffect[] {
  if (!firesRelay) return []
  return stayMs === undefined ? fireRelay(gate) : [startTimer('stay', stayMs * gate.latencies.scale)]
}

/** The ring time is over: the module acts. For a caller who hung up before, nothing happens. */
function react(gate: GateModule): readonly GateModuleEffect[] {
  const { call, latencies } = gate
  if (call?.phase !== 'ringing') return []
  const { callId, reaction } = call
  if (reaction.reaction === 'ring') return fireInCall(gate, reaction)
  if (reaction.reaction === 'reject') {
    const relay = reaction.firesRelay ? fireRelay(gate) : []
    gate.call = undefined
    return [{ kind: 'reject', callId }, ...relay]
  }
  call.phase = 'answered'
  const hold = reaction.holdMs === undefined ? [] : [startTimer('release', reaction.holdMs * latencies.scale)]
  return [{ kind: 'answer', callId }, ...fireInCall(gate, reaction), ...hold]
}

function release(gate: GateModule): readonly GateModuleEffect[] {
  const { call } = gate
  gate.call = undefined
  return call ? [stopTimer('stay'), { kind: 'release', callId: call.callId }] : []
}

function fire(gate: GateModule, timer: string): readonly GateModuleEffect[] {
  if (timer === 'react') return react(gate)
  if (timer === 'stay') return fireRelay(gate)
  if (timer === 'release') return release(gate)
  if (timer === 'relay') {
    gate.relayOn = false
    return []
  }
  const due = gate.due.get(timer)
  gate.due.delete(timer)
  return due ? [{ kind: 'confirm', ...due }] : []
}

/** What the module does. Its memory changes in place. */
export function hearGateModule(gate: GateModule, event: GateModuleEvent): readonly GateModuleEffect[] {
  if (event.kind === 'ring') return ring(gate, event.callId, event.callerNumber)
  if (event.kind === 'timer') return fire(gate, event.timer)
  if (gate.call?.callId !== event.callId) return []
  gate.call = undefined
  return [stopTimer('react'), stopTimer('stay'), stopTimer('release')]
}
