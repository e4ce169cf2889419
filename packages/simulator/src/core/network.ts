// The network: takes a modem or not, carries a call to its far end, rings, forwards, gives up, and tells both sides.

import type { Ending, FarEnd } from './farEnd.ts'
import { drawMs, type Latencies } from './latency.ts'
import type { CallProgress, Registration } from './modemState.ts'
import type { Random } from './random.ts'
import { startTimer, stopTimer, type TimerEffect } from './timer.ts'

export type NetworkEvent =
  | { readonly kind: 'attach'; readonly reach: 'home' | 'searching' | 'denied' }
  | { readonly kind: 'detach' }
  | {
      readonly kind: 'place'
      readonly callId: number
      readonly phoneNumber: string
      /** Null when it is hidden. */
      readonly callerNumber: string | null
      /** Absent: nobody has that number. */
      readonly farEnd: FarEnd | undefined
    }
  | { readonly kind: 'hangUp'; readonly callId: number }
  | { readonly kind: 'answer' | 'reject' | 'release'; readonly callId: number }
  | { readonly kind: 'timer'; readonly timer: string }

export type NetworkEffect =
  | TimerEffect
  | { readonly kind: 'registration'; readonly registration: Registration }
  | { readonly kind: 'progress'; readonly callId: number; readonly progress: CallProgress }
  | {
      readonly kind: 'ring'
      readonly callId: number
      readonly phoneNumber: string
      readonly callerNumber: string | null
    }
  | { readonly kind: 'gone'; readonly callId: number; readonly phoneNumber: string }

interface NetworkCall {
  readonly callId: number
  readonly phoneNumber: string
  readonly callerNumber: string | null
  readonly farEnd: FarEnd
  /** The gate's phone rings or is off the hook for this call. */
  atGate: boolean
}

export interface Network {
  readonly random: Random
  readonly latencies: Latencies
  readonly calls: Map<number, NetworkCall>
  reach: 'home' | 'searching' | 'denied'
}

export function newNetwork(random: Random, latencies: Latencies): Network {
  return { random, latencies, calls: new Map(), reach: 'home' }
}

/** Ringing ends by itself after so long, however quick the network is otherwise. */
const ringLimitMs = 60_000

const busy: FarEnd = {
  summary: 'on the line with somebody else',
  way: 'refused',
  afterMs: 2000,
  ending: { token: 'BUSY', cause: 17 },
}

const nobody: FarEnd = {
  summary: 'nobody has this number',
  way: 'refused',
  afterMs: 2500,
  ending: { token: 'NO CARRIER', cause: 1 },
}

const released: Ending = { token: 'NO CARRIER', cause: 16 }
const networkLost: Ending = { token: 'NO CARRIER', cause: 127 }

/** The timers that a call may have, in the order of its life. */
const phases = ['setUp', 'ringLimit', 'forward', 'voicemail'] as const

function endCall(network: Network, call: NetworkCall, ending: Ending | undefined): readonly NetworkEffect[] {
  const { callId, phoneNumber } = call
  network.calls.delete(callId)
  const effects: NetworkEffect[] = phases.map(phase => stopTimer(`${phase}:${callId}`))
  if (ending) effects.push({ kind: 'progress', callId, progress: { kind: 'ended', ending } })
  if (call.atGate) effects.push({ kind: 'gone', callId, phoneNumber })
  return effects
}

function place(
  network: Network,
  { callId, phoneNumber, callerNumber, farEnd }: NetworkEvent & { kind: 'place' },
): readonly NetworkEffect[] {
  const { random, latencies, calls } = network
  const taken = [...calls.values()].some(call => call.phoneNumber === phoneNumber)
  const reached = taken ? busy : (farEnd ?? nobody)
  calls.set(callId, { callId, phoneNumber, callerNumber, farEnd: reached, atGate: false })
  const usualMs = drawMs(random, latencies.alertingMs)
  const jitter = 0.9 + 0.2 * random()
  return [
    startTimer(
      `setUp:${callId}`,
      reached.way === 'refused' ? reached.afterMs * jitter * latencies.scale : usualMs,
    ),
  ]
}

function finishSetUp(network: Network, call: NetworkCall): readonly NetworkEffect[] {
  const { callId, phoneNumber, callerNumber, farEnd } = call
  if (farEnd.way === 'refused') return endCall(network, call, farEnd.ending)
  const { scale } = network.latencies
  call.atGate = true
  const effects: NetworkEffect[] = [
    { kind: 'progress', callId, progress: { kind: 'alerting' } },
    { kind: 'ring', callId, phoneNumber, callerNumber },
    startTimer(
      `ringLimit:${callId}`,
      farEnd.ringLimitMs === undefined ? ringLimitMs : farEnd.ringLimitMs * scale,
    ),
  ]
  if (farEnd.voicemail) effects.push(startTimer(`forward:${callId}`, farEnd.voicemail.afterMs * scale))
  return effects
}

function forward(network: Network, call: NetworkCall): readonly NetworkEffect[] {
  const { callId, phoneNumber, farEnd } = call
  if (farEnd.way !== 'rings' || !farEnd.voicemail) return []
  call.atGate = false
  return [
    stopTimer(`ringLimit:${callId}`),
    { kind: 'gone', callId, phoneNumber },
    { kind: 'progress', callId, progress: { kind: 'forwarded' } },
    { kind: 'progress', callId, progress: { kind: 'answered' } },
    startTimer(`voicemail:${callId}`, farEnd.voicemail.speaksMs * network.latencies.scale),
  ]
}

function fire(network: Network, timer: string): readonly NetworkEffect[] {
  if (timer === 'register') return [{ kind: 'registration', registration: network.reach === 'home' ? 1 : 3 }]
  const [phase, callId] = timer.split(':')
  const call = network.calls.get(Number(callId))
  if (!call) return []
  if (phase === 'setUp') return finishSetUp(network, call)
  if (phase === 'forward') return forward(network, call)
  return endCall(network, call, phase === 'ringLimit' ? { token: 'NO ANSWER', cause: 19 } : released)
}

function dropCalls(network: Network, ending: Ending | undefined): readonly NetworkEffect[] {
  return [...network.calls.values()].flatMap(call => endCall(network, call, ending))
}

function attach(network: Network, reach: Network['reach']): readonly NetworkEffect[] {
  network.reach = reach
  const searching: readonly NetworkEffect[] = [
    ...dropCalls(network, networkLost),
    { kind: 'registration', registration: 2 },
  ]
  if (reach === 'searching') return [...searching, stopTimer('register')]
  return [...searching, startTimer('register', drawMs(network.random, network.latencies.registerMs))]
}

/** What the gate module did with the call. */
function followGate(network: Network, call: NetworkCall, kind: 'answer' | 'reject' | 'release') {
  const { callId, farEnd } = call
  if (kind === 'answer') {
    const answered: readonly NetworkEffect[] = [
      stopTimer(`ringLimit:${callId}`),
      stopTimer(`forward:${callId}`),
      { kind: 'progress', callId, progress: { kind: 'answered' } },
    ]
    return answered
  }
  call.atGate = false
  return endCall(network, call, kind === 'reject' && farEnd.way === 'rings' ? farEnd.rejection : released)
}

/** What follows in the network. Its memory changes in place. */
export function hearNetwork(network: Network, event: NetworkEvent): readonly NetworkEffect[] {
  switch (event.kind) {
    case 'attach':
      return attach(network, event.reach)
    case 'detach':
      return [
        ...dropCalls(network, networkLost),
        stopTimer('register'),
        { kind: 'registration', registration: 0 },
      ]
    case 'place':
      return place(network, event)
    case 'timer':
      return fire(network, event.timer)
    case 'hangUp': {
      const call = network.calls.get(event.callId)
      return call ? endCall(network, call, undefined) : []
    }
    default: {
      const call = network.calls.get(event.callId)
      return call ? followGate(network, call, event.kind) : []
    }
  }
}
