// The gates behind the network: the settings of each, and its module with the relay that counts.

import { seededRandom } from '@callgate/world/random'
import type { Confirmation, Ending, FarEnd, ModuleBehaviour, RelayMode } from './core/farEnd.ts'
import { type GateModule, newGateModule } from './core/gateModule.ts'
import type { Latencies } from './core/latency.ts'
import type { Listening } from './core/listening.ts'
import { type FarEndName, farEndOf } from './presets.ts'

export interface SimulatedGate {
  /** E.164, as it is dialled. */
  readonly phoneNumber: string
  readonly farEnd: FarEndName
  /** The programmed callers; absent: everyone. */
  readonly callers?: readonly string[]
  /** The fields below replace those of the far end; durations are those of a normal network. */
  readonly relay?: RelayMode
  readonly pulseMs?: number
  readonly ringMs?: number
  /** How long the module stays on the line after it has answered. */
  readonly holdMs?: number
  /** How long the caller must stay after the answer, or in the ringing, before the relay moves. */
  readonly stayMs?: number
  /** The reaction to a caller who is not in `callers`. */
  readonly strangers?: 'ignore' | 'reject'
  readonly confirmation?: Confirmation
  /** The reaction to messages; absent: none. */
  readonly listens?: Listening
  /** The signs that the caller gets when the module rejects. */
  readonly rejectsWith?: Ending
  /** The network ends the ringing after this time. */
  readonly ringLimitMs?: number
  /** The network's tokens for a call that it gives up, whether it rang or not. */
  readonly givesUpWith?: Ending
  /** A voicemail answers after this time of ringing, if the far end has one. */
  readonly voicemailAfterMs?: number
}

export interface Gate {
  farEnd: FarEndName
  readonly setUp: SimulatedGate
  readonly module: GateModule
}

export interface GateState {
  readonly phoneNumber: string
  readonly farEnd: FarEndName
  readonly callers: readonly string[] | null
  readonly relay: RelayMode
  readonly relayOn: boolean
  /** How often the relay was operated: verdicts are compared with this. */
  readonly relayCount: number
  /** How often output 2 was operated, which opens nothing. */
  readonly otherRelayCount: number
  readonly callsSeen: number
}

export interface SimulatedGates {
  /** Adds a gate or replaces the one of that number; false when there are too many. */
  put(gate: SimulatedGate): boolean
  get(phoneNumber: string): Gate | undefined
  /** Gives one gate, or all, another far end. A running call keeps the old one. */
  change(farEnd: FarEndName, phoneNumber: string | undefined): boolean
  states(): readonly GateState[]
}

export const maxGates = 1000

/** The far end of the gate, with the gate's own settings. */
export function farEndBehind({ farEnd: name, setUp }: Pick<Gate, 'farEnd' | 'setUp'>): FarEnd {
  const farEnd: FarEnd = farEndOf(name)
  const { givesUpWith, rejectsWith, ringLimitMs, voicemailAfterMs } = setUp
  if (farEnd.way !== 'rings')
    return farEnd.way === 'refused' && givesUpWith ? { ...farEnd, ending: givesUpWith } : farEnd
  const { voicemail } = farEnd
  return {
    ...farEnd,
    ...(rejectsWith && { rejection: rejectsWith }),
    ...(ringLimitMs !== undefined && { ringLimitMs }),
    ...(givesUpWith && { givesUpWith }),
    ...(voicemail &&
      voicemailAfterMs !== undefined && { voicemail: { ...voicemail, afterMs: voicemailAfterMs } }),
  }
}

function behaviourOf(name: FarEndName, setUp: SimulatedGate): ModuleBehaviour {
  const farEnd: FarEnd = farEndOf(name)
  const { relay, pulseMs, ringMs, holdMs, stayMs, strangers, confirmation } = setUp
  return {
    ...(farEnd.way === 'rings' ? farEnd.module : { reaction: 'ignore', firesRelay: false }),
    ...(relay === undefined ? {} : { relay }),
    ...(pulseMs === undefined ? {} : { pulseMs }),
    ...(ringMs === undefined ? {} : { ringMs }),
    ...(holdMs === undefined ? {} : { holdMs }),
    ...(stayMs === undefined ? {} : { stayMs }),
    ...(strangers === undefined ? {} : { strangers: { reaction: strangers, firesRelay: false } }),
    ...(confirmation === undefined ? {} : { confirmation }),
  }
}

function stateOf({ farEnd, module }: Gate): GateState {
  const { behaviour, callers, callsSeen, otherRelayCount, phoneNumber, relayCount, relayOn } = module
  const relay = behaviour.relay ?? 'pulse'
  return { phoneNumber, farEnd, callers, relay, relayOn, relayCount, otherRelayCount, callsSeen }
}

export function createGates(seed: number, latencies: Latencies): SimulatedGates {
  const gates = new Map<string, Gate>()

  function turn(gate: Gate, farEnd: FarEndName): void {
    gate.farEnd = farEnd
    gate.module.behaviour = behaviourOf(farEnd, gate.setUp)
  }

  return {
    put(setUp) {
      const { phoneNumber, farEnd, callers, listens } = setUp
      if (gates.size >= maxGates && !gates.has(phoneNumber)) return false
      const module = newGateModule({
        phoneNumber,
        callers: callers ?? null,
        listens,
        random: seededRandom(seed, phoneNumber),
        latencies,
        behaviour: behaviourOf(farEnd, setUp),
      })
      gates.set(phoneNumber, { farEnd, setUp, module })
      return true
    },
    get: phoneNumber => gates.get(phoneNumber),
    change(farEnd, phoneNumber) {
      if (phoneNumber === undefined) for (const gate of gates.values()) turn(gate, farEnd)
      const gate = phoneNumber === undefined ? undefined : gates.get(phoneNumber)
      if (gate) turn(gate, farEnd)
      return phoneNumber === undefined || gate !== undefined
    },
    states: () => [...gates.values()].map(stateOf),
  }
}
