// The named points: at which moment of one opening what happens to whom, as data.

import type { Direction } from './proxy.ts'
import type { PartName } from './realHouse.ts'

/** A moment of one opening that can be seen from outside. */
export type Moment =
  /** A message passes the proxy, before or after it is handed on. `phase`: of a report; `ended` also of an ack. */
  | { readonly message: string; readonly phase?: string; readonly side: 'before' | 'after' }
  /** A line on the serial wire. */
  | { readonly wire: 'toModem' | 'fromModem'; readonly line: RegExp }
  /** What becomes of the call at the far end. */
  | { readonly call: 'ringing' | 'relay' | 'end' }
  /** The opening's row in the database. */
  | { readonly row: 'accepted' | 'granted' | 'connected' | 'ended' }
  /** An entry of the gateway's journal, of this kind, names the opening. */
  | { readonly journal: 'intent' | 'report' }
  /** The HTTP answer has come. */
  | { readonly answered: true }

export type Fault =
  | { readonly kill: PartName }
  | { readonly stop: PartName }
  | { readonly unplug: true }
  /** No connection between gateway and broker. */
  | { readonly cut: true }
  | { readonly halfClose: Direction }
  /** The message is held; for moments before a message. */
  | { readonly delay: true }

export interface Point {
  readonly name: string
  readonly when: Moment
  readonly fault: Fault
  /** Until what was done is undone, milliseconds. */
  readonly forMs: number
}

const before = (message: string, phase?: string) =>
  ({ message, side: 'before', ...(phase !== undefined && { phase }) }) as const
const after = (message: string, phase?: string) =>
  ({ message, side: 'after', ...(phase !== undefined && { phase }) }) as const
const point = (name: string, when: Moment, fault: Fault, forMs = 300): Point => ({ name, when, fault, forMs })

const atd = { wire: 'toModem', line: /^ATD/ } as const
const dialOk = { wire: 'fromModem', line: /^OK$/ } as const
/** Longer than a claim is fresh. */
const pastClaimMs = 7_000
const shortlyMs = 1_500

export const points: readonly Point[] = [
  point('cloud-killed-accepted', { row: 'accepted' }, { kill: 'cloud' }),
  point('cloud-killed-before-hint', before('hint'), { kill: 'cloud' }),
  point('cloud-killed-before-claim', before('claim'), { kill: 'cloud' }),
  point('cloud-killed-after-claim', after('claim'), { kill: 'cloud' }),
  point('cloud-killed-granted', { row: 'granted' }, { kill: 'cloud' }),
  point('cloud-killed-before-grant', before('grant'), { kill: 'cloud' }),
  point('cloud-killed-after-grant', after('grant'), { kill: 'cloud' }),
  point('cloud-killed-atd', atd, { kill: 'cloud' }),
  point('cloud-killed-connected', { row: 'connected' }, { kill: 'cloud' }),
  point('cloud-killed-before-verdict', before('report', 'ended'), { kill: 'cloud' }),
  point('cloud-killed-after-verdict', after('report', 'ended'), { kill: 'cloud' }),
  point('cloud-killed-before-ack', before('ack', 'ended'), { kill: 'cloud' }),
  point('cloud-killed-ended', { row: 'ended' }, { kill: 'cloud' }),
  point('cloud-killed-answered', { answered: true }, { kill: 'cloud' }),
  point('cloud-stopped-after-claim', after('claim'), { stop: 'cloud' }, pastClaimMs),
  point('cloud-stopped-before-verdict', before('report', 'ended'), { stop: 'cloud' }, shortlyMs),

  point('gateway-killed-after-hint', after('hint'), { kill: 'gateway' }),
  point('gateway-killed-before-claim', before('claim'), { kill: 'gateway' }),
  point('gateway-killed-before-grant', before('grant'), { kill: 'gateway' }),
  point('gateway-killed-after-grant', after('grant'), { kill: 'gateway' }),
  point('gateway-killed-intent', { journal: 'intent' }, { kill: 'gateway' }),
  point('gateway-killed-atd', atd, { kill: 'gateway' }),
  point('gateway-killed-ok', dialOk, { kill: 'gateway' }),
  point('gateway-killed-ringing', { call: 'ringing' }, { kill: 'gateway' }),
  point('gateway-killed-relay', { call: 'relay' }, { kill: 'gateway' }),
  point('gateway-killed-call-end', { call: 'end' }, { kill: 'gateway' }),
  point('gateway-killed-verdict-kept', before('report', 'ended'), { kill: 'gateway' }),
  point('gateway-killed-before-ack', before('ack', 'ended'), { kill: 'gateway' }),
  point('gateway-killed-after-ack', after('ack', 'ended'), { kill: 'gateway' }),
  point('gateway-stopped-before-claim', before('claim'), { stop: 'gateway' }, shortlyMs),
  point('gateway-stopped-before-grant', before('grant'), { stop: 'gateway' }, pastClaimMs),
  point('gateway-stopped-intent', { journal: 'intent' }, { stop: 'gateway' }, pastClaimMs),
  point('gateway-stopped-ringing', { call: 'ringing' }, { stop: 'gateway' }, shortlyMs),

  point('simulator-killed-before-grant', before('grant'), { kill: 'simulator' }),
  point('simulator-killed-atd', atd, { kill: 'simulator' }),
  point('simulator-killed-ringing', { call: 'ringing' }, { kill: 'simulator' }),
  point('simulator-killed-relay', { call: 'relay' }, { kill: 'simulator' }),
  point('simulator-stopped-before-grant', before('grant'), { stop: 'simulator' }, shortlyMs),
  point('simulator-stopped-ringing', { call: 'ringing' }, { stop: 'simulator' }, shortlyMs),

  point('unplugged-before-grant', before('grant'), { unplug: true }),
  point('unplugged-ringing', { call: 'ringing' }, { unplug: true }),
  point('cut-before-hint', before('hint'), { cut: true }, shortlyMs),
  point('cut-before-claim', before('claim'), { cut: true }, shortlyMs),
  point('cut-before-grant', before('grant'), { cut: true }, shortlyMs),
  point('cut-before-verdict', before('report', 'ended'), { cut: true }, shortlyMs),
  point('cut-before-ack', before('ack', 'ended'), { cut: true }, shortlyMs),
  point('half-closed-to-broker-after-claim', after('claim'), { halfClose: 'toBroker' }, shortlyMs),
  point('half-closed-to-gateway-before-ack', before('ack', 'ended'), { halfClose: 'toGateway' }, shortlyMs),
  point('claim-delayed', before('claim'), { delay: true }, shortlyMs),
  point('grant-delayed', before('grant'), { delay: true }, pastClaimMs),
  point('verdict-delayed', before('report', 'ended'), { delay: true }, shortlyMs),
]
