// A gate module: its phone rings, it decides by the caller's number, its relays move and count; it does not know the modem.

import type { Confirmation, ModuleBehaviour, Reaction } from './farEnd.ts'
import { drawMs, type Latencies, type Random } from './latency.ts'
import { type Listening, obeyed } from './listening.ts'
import { startTimer, stopTimer, type TimerEffect } from './timer.ts'

export type GateModuleEvent =
  /** The phone rings; `callerNumber` is null when the caller hides it. */
  | { readonly kind: 'ring'; readonly callId: number; readonly callerNumber: string | null }
  /** A message has come. */
  | { readonly kind: 'heard'; readonly from: string; readonly text: string }
  /** The call is gone: the caller hung up, or the network gave up. */
  | { readonly kind: 'gone'; readonly callId: number }
  | { readonly kind: 'timer'; readonly timer: string }

export type GateModuleEffect =
  | TimerEffect
  | { readonly kind: 'answer' | 'reject' | 'release'; readonly callId: number }
  /** The relay of output 1 was operated, which opens the gate. */
  | { readonly kind: 'relay'; readonly callId: number }
  /** It confirms the operation to its caller. */
  | { readonly kind: 'confirm'; readonly to: string; readonly confirmation: Confirmation }
  /** It answers a message. */
  | { readonly kind: 'reply'; readonly to: string; readonly text: string }

export interface GateModule {
  readonly phoneNumber: string
  /** The programmed callers; null: everyone. */
  callers: readonly string[] | null
  /** The messages that it obeys; absent: none. */
  readonly listens?: Listening | undefined
  readonly random: Random
  readonly latencies: Latencies
  behaviour: ModuleBehaviour
  /** The call that rings or is held, and the module's planned reaction. */
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
  /** Answers to messages that are due, by their timer. */
  readonly replies: Map<string, { readonly to: string; readonly text: string }>
  /** Confirmations that are due, by their timer. */
  readonly due: Map<string, { readonly to: string; readonly confirmation: Confirmation }>
}

export function newGateModule(
  options: Pick<GateModule, 'phoneNumber' | 'callers' | 'listens' | 'random' | 'latencies' | 'behaviour'>,
): GateModule {
  return {
    ...options,
    call: undefined,
    relayOn: false,
    relayCount: 0,
    otherRelayCount: 0,
    callsSeen: 0,
    replies: new Map(),
    due: new Map(),
  }
}

const pulseMs = 500
const usualReplyMs = 4_000
const comparedDigits = 9
const ignored: Reaction = { reaction: 'ignore', firesRelay: false }
const lastDigits = (number: string) => number.replace(/\D/g, '').slice(-comparedDigits)

function knows({ callers, behaviour }: GateModule, callerNumber: string | null): boolean {
  if (callers === null) return true
  if (callerNumber === null) return false
  if (behaviour.compares !== 'last9') return callers.includes(callerNumber)
  return callers.some(caller => lastDigits(caller) === lastDigits(callerNumber))
}

/** Its reaction to a caller; `callerNumber` is null when it is hidden. */
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

/** The ring time is over: the module reacts. For a caller who hung up before, nothing happens. */
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
  const reply = gate.replies.get(timer)
  gate.replies.delete(timer)
  if (reply) return [{ kind: 'reply', ...reply }]
  const due = gate.due.get(timer)
  gate.due.delete(timer)
  return due ? [{ kind: 'confirm', ...due }] : []
}

/** Carries out the message, and answers it after a while. */
function obey(gate: GateModule, from: string, text: string): readonly GateModuleEffect[] {
  const done = gate.listens && obeyed(gate.listens, from, text)
  if (!done) return []
  if (done.letIn !== undefined && gate.callers !== null && !gate.callers.includes(done.letIn))
    gate.callers = [...gate.callers, done.letIn]
  if (done.reply === null) return []
  const timer = `reply:${gate.replies.size}`
  gate.replies.set(timer, { to: from, text: done.reply })
  return [startTimer(timer, (gate.listens?.answersAfterMs ?? usualReplyMs) * gate.latencies.scale)]
}

/** The module's reaction to an event. Its memory changes in place. */
export function hearGateModule(gate: GateModule, event: GateModuleEvent): readonly GateModuleEffect[] {
  if (event.kind === 'heard') return obey(gate, event.from, event.text)
  if (event.kind === 'ring') return ring(gate, event.callId, event.callerNumber)
  if (event.kind === 'timer') return fire(gate, event.timer)
  if (gate.call?.callId !== event.callId) return []
  gate.call = undefined
  return [stopTimer('react'), stopTimer('stay'), stopTimer('release')]
}
