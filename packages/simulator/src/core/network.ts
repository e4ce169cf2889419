// The network: it accepts a modem or not, carries calls and messages both ways, rings, forwards, and gives up.

import type { Ending, FarEnd } from './farEnd.ts'
import { drawMs, type Latencies, type Random, ringLimitMs } from './latency.ts'
import type { CallProgress, Registration } from './modemState.ts'
import type { ShortMessage } from './shortMessage.ts'
import { startTimer, stopTimer, type TimerEffect } from './timer.ts'

export type NetworkEvent =
  | { readonly kind: 'attach'; readonly reach: 'home' | 'searching' | 'denied' }
  | { readonly kind: 'attached' }
  | { readonly kind: 'detach' }
  /** Calls the modem and waits that long for an answer; `callerNumber` is empty when it is hidden. */
  | {
      readonly kind: 'callIn'
      readonly callId: number
      readonly callerNumber: string
      readonly patienceMs: number
    }
  | { readonly kind: 'answerIncoming'; readonly callId: number }
  | { readonly kind: 'message'; readonly message: ShortMessage }
  | {
      readonly kind: 'place'
      readonly callId: number
      readonly phoneNumber: string
      /** Null when it is hidden. */
      readonly callerNumber: string | null
      /** Absent: the number does not exist. */
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
  | { readonly kind: 'incoming'; readonly callId: number; readonly callerNumber: string }
  /** The caller has given up, or has finished speaking. */
  | { readonly kind: 'incomingGone'; readonly callId: number }
  | { readonly kind: 'message'; readonly message: ShortMessage }

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
  /** Calls to the modem. */
  readonly incoming: Set<number>
  /** Messages that wait until the modem is reachable. */
  waiting: ShortMessage[]
  reach: 'home' | 'searching' | 'denied'
  registered: boolean
}

export function newNetwork(random: Random, latencies: Latencies): Network {
  return {
    random,
    latencies,
    calls: new Map(),
    incoming: new Set(),
    waiting: [],
    reach: 'home',
    registered: false,
  }
}

/** How long a caller speaks to a modem that answers. */
const talkMs = 5000
const maxWaiting = 100

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
const nobodyAnswered: Ending = { token: 'NO ANSWER', cause: 19 }
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
      reached.way === 'rings' ? usualMs : reached.afterMs * jitter * latencies.scale,
    ),
  ]
}

/** A recorded voice answers in the gate's place. */
function speak(network: Network, { callId }: NetworkCall, forMs: number): readonly NetworkEffect[] {
  return [
    { kind: 'progress', callId, progress: { kind: 'answered' } },
    startTimer(`voicemail:${callId}`, forMs * network.latencies.scale),
  ]
}

function finishSetUp(network: Network, call: NetworkCall): readonly NetworkEffect[] {
  const { callId, phoneNumber, callerNumber, farEnd } = call
  if (farEnd.way === 'refused') {
    const barred: NetworkEffect = { kind: 'progress', callId, progress: { kind: 'barred' } }
    return [...(farEnd.tellsBarring ? [barred] : []), ...endCall(network, call, farEnd.ending)]
  }
  if (farEnd.way === 'announced') return speak(network, call, farEnd.speaksMs)
  const { scale } = network.latencies
  call.atGate = true
  const waiting: NetworkEffect = { kind: 'progress', callId, progress: { kind: 'waiting' } }
  const effects: NetworkEffect[] = [
    ...(farEnd.callWaiting ? [waiting] : []),
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

/** The call leaves the gate for its voicemail. */
function forward(network: Network, call: NetworkCall, speaksMs: number): readonly NetworkEffect[] {
  const { callId, phoneNumber, atGate } = call
  call.atGate = false
  return [
    stopTimer(`ringLimit:${callId}`),
    stopTimer(`forward:${callId}`),
    ...(atGate ? [{ kind: 'gone', callId, phoneNumber } as const] : []),
    { kind: 'progress', callId, progress: { kind: 'forwarded' } },
    ...speak(network, call, speaksMs),
  ]
}

function register(network: Network): readonly NetworkEffect[] {
  network.registered = network.reach === 'home'
  const waiting = network.registered ? network.waiting.splice(0) : []
  return [
    { kind: 'registration', registration: network.registered ? 1 : 3 },
    ...waiting.map(message => ({ kind: 'message', message }) as const),
  ]
}

function endIncoming(network: Network, callId: number): readonly NetworkEffect[] {
  if (!network.incoming.delete(callId)) return []
  return [
    stopTimer(`incoming:${callId}`),
    { kind: 'incomingGone', callId },
    { kind: 'progress', callId, progress: { kind: 'ended', ending: released } },
  ]
}

function fire(network: Network, timer: string): readonly NetworkEffect[] {
  if (timer === 'register') return register(network)
  const [phase, id] = timer.split(':')
  const callId = Number(id)
  if (phase === 'incoming') return endIncoming(network, callId)
  const call = network.calls.get(callId)
  if (!call) return []
  const { farEnd } = call
  if (phase === 'setUp') return finishSetUp(network, call)
  if (phase === 'forward' && farEnd.way === 'rings' && farEnd.voicemail)
    return forward(network, call, farEnd.voicemail.speaksMs)
  if (phase === 'ringLimit' && farEnd.way === 'rings')
    return endCall(network, call, farEnd.givesUpWith ?? nobodyAnswered)
  return endCall(network, call, farEnd.way === 'announced' ? farEnd.ending : released)
}

/** The modem is unreachable: nothing gets through any more. */
function dropCalls(network: Network): readonly NetworkEffect[] {
  network.registered = false
  return [
    ...[...network.calls.values()].flatMap(call => endCall(network, call, networkLost)),
    ...[...network.incoming].flatMap(callId => endIncoming(network, callId)),
  ]
}

function attach(network: Network, reach: Network['reach']): readonly NetworkEffect[] {
  network.reach = reach
  const searching: readonly NetworkEffect[] = [
    ...dropCalls(network),
    { kind: 'registration', registration: 2 },
  ]
  if (reach === 'searching') return [...searching, stopTimer('register')]
  return [...searching, startTimer('register', drawMs(network.random, network.latencies.registerMs))]
}

/** The gate module's reaction to the call. */
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
  if (kind === 'release' || farEnd.way !== 'rings') return endCall(network, call, released)
  if (farEnd.divertsRejected) return forward(network, call, farEnd.divertsRejected.speaksMs)
  return endCall(network, call, farEnd.rejection)
}

/** A message for the modem, delivered at once or when the modem is reachable. */
function deliver(network: Network, message: ShortMessage): readonly NetworkEffect[] {
  if (network.registered) return [{ kind: 'message', message }]
  if (network.waiting.length < maxWaiting) network.waiting.push(message)
  return []
}

/** The effects of an event in the network. Its memory changes in place. */
export function hearNetwork(network: Network, event: NetworkEvent): readonly NetworkEffect[] {
  const { incoming, latencies } = network
  switch (event.kind) {
    case 'attach':
      return attach(network, event.reach)
    case 'attached':
      return register(network)
    case 'detach':
      return [...dropCalls(network), stopTimer('register'), { kind: 'registration', registration: 0 }]
    case 'message':
      return deliver(network, event.message)
    case 'callIn': {
      const { callId, callerNumber, patienceMs } = event
      incoming.add(callId)
      return [
        startTimer(`incoming:${callId}`, patienceMs * latencies.scale),
        { kind: 'incoming', callId, callerNumber },
      ]
    }
    case 'answerIncoming':
      return [startTimer(`incoming:${event.callId}`, talkMs * latencies.scale)]
    case 'place':
      return place(network, event)
    case 'timer':
      return fire(network, event.timer)
    case 'hangUp': {
      if (incoming.delete(event.callId)) return [stopTimer(`incoming:${event.callId}`)]
      const call = network.calls.get(event.callId)
      return call ? endCall(network, call, undefined) : []
    }
    default: {
      const call = network.calls.get(event.callId)
      return call ? followGate(network, call, event.kind) : []
    }
  }
}
