// A gate module: its phone rings, it decides by the caller's number, its relay moves and counts. Knows no modem.

import type { ModuleBehaviour } from './farEnd.ts'
import { drawMs, type Latencies } from './latency.ts'
import type { Random } from './random.ts'
import { startTimer, stopTimer, type TimerEffect } from './timer.ts'

export type RelayMode = 'pulse' | 'toggle'

export type GateModuleEvent =
  /** The phone rings; `callerNumber` is null when the caller hides it. */
  | { readonly kind: 'ring'; readonly callId: number; readonly callerNumber: string | null }
  /** The call is gone: the caller hung up, or the network gave up. */
  | { readonly kind: 'gone'; readonly callId: number }
  | { readonly kind: 'timer'; readonly timer: string }

export type GateModuleEffect =
  | TimerEffect
  | { readonly kind: 'answer' | 'reject' | 'release'; readonly callId: number }
  | { readonly kind: 'relay'; readonly callId: number }

export interface GateModule {
  readonly phoneNumber: string
  /** Whose calls it acts on, as written (E.164); null: everyone's, hidden numbers too. */
  readonly callers: readonly string[] | null
  readonly relay: RelayMode
  readonly random: Random
  readonly latencies: Latencies
  behaviour: ModuleBehaviour
  /** The call that rings or is held, and how the module was set up when it came. */
  call:
    | { readonly callId: number; readonly behaviour: ModuleBehaviour; phase: 'ringing' | 'answered' }
    | undefined
  relayOn: boolean
  /** How often the relay was operated. */
  relayCount: number
  callsSeen: number
}

export function newGateModule(
  options: Pick<GateModule, 'phoneNumber' | 'callers' | 'relay' | 'random' | 'latencies' | 'behaviour'>,
): GateModule {
  return { ...options, call: undefined, relayOn: false, relayCount: 0, callsSeen: 0 }
}

const pulseMs = 500

function fireRelay(gate: GateModule, callId: number): readonly GateModuleEffect[] {
  gate.relayCount += 1
  const operated: GateModuleEffect = { kind: 'relay', callId }
  if (gate.relay === 'toggle') {
    gate.relayOn = !gate.relayOn
    return [operated]
  }
  gate.relayOn = true
  return [operated, startTimer('relay', pulseMs * gate.latencies.scale)]
}

function ring(gate: GateModule, callId: number, callerNumber: string | null): readonly GateModuleEffect[] {
  const { behaviour, callers, random, latencies } = gate
  gate.callsSeen += 1
  gate.call = { callId, behaviour, phase: 'ringing' }
  const served = callers === null || (callerNumber !== null && callers.includes(callerNumber))
  if (!served || behaviour.reaction === 'ignore') return []
  const usualMs = drawMs(random, behaviour.reaction === 'reject' ? latencies.rejectMs : latencies.answerMs)
  return [startTimer('react', behaviour.ringMs === undefined ? usualMs : behaviour.ringMs * latencies.scale)]
}

/** The ring time is over: rejects or answers, and operates the relay; a caller who hung up before gets nothing. */
function react(gate: GateModule): readonly GateModuleEffect[] {
  const { call, latencies } = gate
  if (call?.phase !== 'ringing') return []
  const { callId, behaviour } = call
  const relay = behaviour.firesRelay ? fireRelay(gate, callId) : []
  if (behaviour.reaction !== 'answer') {
    gate.call = undefined
    return [{ kind: 'reject', callId }, ...relay]
  }
  call.phase = 'answered'
  const hold =
    behaviour.holdMs === undefined ? [] : [startTimer('release', behaviour.holdMs * latencies.scale)]
  return [{ kind: 'answer', callId }, ...relay, ...hold]
}

function release(gate: GateModule): readonly GateModuleEffect[] {
  const { call } = gate
  gate.call = undefined
  return call ? [{ kind: 'release', callId: call.callId }] : []
}

/** What the module does. Its memory changes in place. */
export function hearGateModule(gate: GateModule, event: GateModuleEvent): readonly GateModuleEffect[] {
  if (event.kind === 'ring') return ring(gate, event.callId, event.callerNumber)
  if (event.kind === 'gone') {
    if (gate.call?.callId !== event.callId) return []
    gate.call = undefined
    return [stopTimer('react'), stopTimer('release')]
  }
  if (event.timer === 'react') return react(gate)
  if (event.timer === 'release') return release(gate)
  gate.relayOn = false
  return []
}
