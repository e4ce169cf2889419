// Modem, network and gates joined: each one's effects become the others' events, its timers the world's.

import type { Timer, World } from '@callgate/world/world'
import type { CallLog } from './callLog.ts'
import type { FarEnd, ModuleBehaviour } from './core/farEnd.ts'
import {
  type GateModule,
  type GateModuleEffect,
  type GateModuleEvent,
  hearGateModule,
  newGateModule,
  type RelayMode,
} from './core/gateModule.ts'
import type { Latencies } from './core/latency.ts'
import type { ModemEffect, ModemEvent, Sim800, ViolationKind } from './core/modemState.ts'
import { hearNetwork, type Network, type NetworkEffect, type NetworkEvent } from './core/network.ts'
import { seededRandom } from './core/random.ts'
import { hearModem } from './core/sim800.ts'
import type { TimerEffect } from './core/timer.ts'
import type { Output } from './output.ts'
import { type FarEndName, farEnds } from './presets.ts'

export interface SimulatedGate {
  /** E.164, as it is dialled. */
  readonly phoneNumber: string
  readonly farEnd: FarEndName
  /** Whose calls it acts on; absent: everyone's. */
  readonly callers?: readonly string[]
  /** Absent: `pulse`. */
  readonly relay?: RelayMode
}

export interface Gate {
  farEnd: FarEndName
  readonly module: GateModule
}

export interface Violation {
  readonly atMs: number
  readonly violation: ViolationKind
  readonly text: string
}

export interface Parts {
  readonly world: World
  readonly seed: number
  readonly latencies: Latencies
  readonly modem: Sim800
  readonly network: Network
  readonly gates: Map<string, Gate>
  readonly calls: CallLog
  readonly output: Output
  /** By `owner/name`. */
  readonly timers: Map<string, Timer>
  /** What answers a number that is no gate; null: nobody. */
  unlistedFarEnd: FarEndName | null
  violationCount: number
  readonly violations: Violation[]
  stopped: boolean
}

export const maxGates = 1000
const maxViolations = 200
const noReaction: ModuleBehaviour = { reaction: 'ignore', firesRelay: false }

function behaviourOf(name: FarEndName): ModuleBehaviour {
  const farEnd: FarEnd = farEnds[name]
  return farEnd.way === 'rings' ? farEnd.module : noReaction
}

/** Gives a gate another far end; a call that it is in ends as it began. */
export function changeFarEnd(gate: Gate, farEnd: FarEndName): void {
  gate.farEnd = farEnd
  gate.module.behaviour = behaviourOf(farEnd)
}

/** Adds a gate or replaces the one of that number; false when there are too many. */
export function putGate(
  { gates, seed, latencies }: Parts,
  { phoneNumber, farEnd, callers, relay }: SimulatedGate,
): boolean {
  if (gates.size >= maxGates && !gates.has(phoneNumber)) return false
  const module = newGateModule({
    phoneNumber,
    callers: callers ?? null,
    relay: relay ?? 'pulse',
    random: seededRandom(seed, phoneNumber),
    latencies,
    behaviour: behaviourOf(farEnd),
  })
  gates.set(phoneNumber, { farEnd, module })
  return true
}

function setTimer(parts: Parts, owner: string, effect: TimerEffect, fire: (timer: string) => void): void {
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

/** Cancels every timer whose owner it is; every timer there is for an empty owner. */
export function stopTimers({ timers }: Parts, owner: string): void {
  for (const [key, timer] of timers) {
    if (!key.startsWith(owner)) continue
    timer.cancel()
    timers.delete(key)
  }
}

/** The far end behind a dialled number; a number that is no gate becomes one where `unlistedFarEnd` says so. */
function findFarEnd(parts: Parts, phoneNumber: string): FarEnd | undefined {
  if (!parts.gates.has(phoneNumber) && parts.unlistedFarEnd)
    putGate(parts, { phoneNumber, farEnd: parts.unlistedFarEnd })
  const gate = parts.gates.get(phoneNumber)
  return gate && farEnds[gate.farEnd]
}

/** Something happens to the modem, with all that follows from it. */
export function tellModem(parts: Parts, event: ModemEvent): void {
  if (parts.stopped) return
  for (const effect of hearModem(parts.modem, event)) followModem(parts, effect)
  parts.output.flush()
}

function followModem(parts: Parts, effect: ModemEffect): void {
  const { calls, modem, output, world } = parts
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
      break
    case 'refused':
      calls.note(effect.callId, effect.why === 'aborted' ? 'aborted' : 'refused', effect.why)
      break
    case 'place': {
      const { callId, phoneNumber, hidden } = effect
      const callerNumber = hidden ? null : modem.number
      const farEnd = findFarEnd(parts, phoneNumber)
      tellNetwork(parts, { kind: 'place', callId, phoneNumber, callerNumber, farEnd })
      break
    }
    case 'hangUp':
      calls.note(effect.callId, effect.why)
      tellNetwork(parts, { kind: 'hangUp', callId: effect.callId })
      break
    case 'attach':
    case 'detach':
      tellNetwork(parts, effect)
      break
    case 'violation':
      parts.violationCount += 1
      if (parts.violations.length >= maxViolations) parts.violations.shift()
      parts.violations.push({
        atMs: world.monotonicMs(),
        violation: effect.violation,
        text: effect.text,
      })
  }
}

function tellNetwork(parts: Parts, event: NetworkEvent): void {
  if (parts.stopped) return
  for (const effect of hearNetwork(parts.network, event)) followNetwork(parts, effect)
}

function followNetwork(parts: Parts, effect: NetworkEffect): void {
  switch (effect.kind) {
    case 'startTimer':
    case 'stopTimer':
      setTimer(parts, 'network', effect, timer => tellNetwork(parts, { kind: 'timer', timer }))
      break
    case 'registration':
      tellModem(parts, effect)
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

function tellGate(parts: Parts, phoneNumber: string, event: GateModuleEvent): void {
  const gate = parts.gates.get(phoneNumber)
  if (parts.stopped || !gate) return
  for (const effect of hearGateModule(gate.module, event)) followGate(parts, phoneNumber, effect)
}

function followGate(parts: Parts, phoneNumber: string, effect: GateModuleEffect): void {
  switch (effect.kind) {
    case 'startTimer':
    case 'stopTimer':
      setTimer(parts, phoneNumber, effect, timer => tellGate(parts, phoneNumber, { kind: 'timer', timer }))
      break
    case 'relay':
      parts.calls.relayFired(effect.callId)
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
