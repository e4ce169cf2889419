// The named points as data: each injects faults at one moment of an opening.

import type { ModemFaultName } from '@callgate/simulator/presets'
import type { CloudName, Link, PartName } from './layout.ts'
import type { Direction } from './proxy.ts'

/** A moment of one opening that can be observed from outside. */
export type Moment =
  /** A message at the proxy, before or after it is forwarded. `phase` is that of a report; `ended` also of an ack. */
  | { readonly message: string; readonly phase?: string; readonly side: 'before' | 'after' }
  /** A line on the serial wire. */
  | { readonly wire: 'toModem' | 'fromModem'; readonly line: RegExp }
  /** An event of the call at the far end. */
  | { readonly call: 'ringing' | 'relay' | 'end' }
  /** The opening's row in the database. */
  | { readonly row: 'accepted' | 'granted' | 'connected' | 'ended' }
  /** An entry of the gateway's journal, of this kind, names the opening. */
  | { readonly journal: 'intent' | 'verdict' }
  /** The time before the press, in milliseconds. */
  | { readonly unpressedMs: number }
  /** The HTTP answer has come. */
  | { readonly answered: true }

export type Fault =
  | { readonly kill: PartName }
  | { readonly stop: PartName }
  /** The modem's port disappears, and comes back under the same name or another. */
  | { readonly unplug: 'sameName' | 'otherName' }
  /** A cloud is told to stop, and started again when it has. */
  | { readonly drain: CloudName }
  /** The connection with the broker or the database is cut. */
  | { readonly cut: Link }
  | { readonly halfClose: Direction }
  /** Nothing passes between gateway and broker, but the connection stays open. */
  | { readonly silence: true }
  /** The message is held. Only for moments before a message. */
  | { readonly delay: true }
  /** Another actor presses the same gate. */
  | { readonly press: true }
  /** The gateway's wall clock jumps by this many days, and stays there. */
  | { readonly clockDays: number }
  /** The wall clock of one of two clouds jumps to this many hours from the true time, and stays there until the next trial. */
  | { readonly clockOf: CloudName; readonly hours: number }
  /** The synchronous standby of the database takes over. */
  | { readonly promote: true }
  /** The asynchronous standby receives nothing more. It takes over when the fault ends. */
  | { readonly lag: true }

export interface Point {
  readonly name: string
  readonly when: Moment
  readonly faults: readonly Fault[]
  /** How long the faults last, milliseconds. */
  readonly forMs: number
  /** The client hangs up without an answer, and repeats its request after this time, in milliseconds. */
  readonly awayMs?: number
  /** A fault of the modem during the whole trial. */
  readonly modem?: ModemFaultName
}

const before = (message: string, phase?: string) =>
  ({ message, side: 'before', ...(phase !== undefined && { phase }) }) as const
const after = (message: string, phase?: string) =>
  ({ message, side: 'after', ...(phase !== undefined && { phase }) }) as const

/** From the accepted press to the answer, in their usual order. */
const moments = {
  accepted: { row: 'accepted' },
  'before-hint': before('hint'),
  'after-hint': after('hint'),
  'before-claim': before('claim'),
  'after-claim': after('claim'),
  granted: { row: 'granted' },
  'before-grant': before('grant'),
  'after-grant': after('grant'),
  intent: { journal: 'intent' },
  atd: { wire: 'toModem', line: /^ATD/ },
  ok: { wire: 'fromModem', line: /^OK$/ },
  ringing: { call: 'ringing' },
  'before-ringing': before('report', 'ringing'),
  'after-ringing': after('report', 'ringing'),
  connected: { row: 'connected' },
  relay: { call: 'relay' },
  'call-end': { call: 'end' },
  'verdict-kept': { journal: 'verdict' },
  'before-verdict': before('report', 'ended'),
  'after-verdict': after('report', 'ended'),
  ended: { row: 'ended' },
  'before-ack': before('ack', 'ended'),
  'after-ack': after('ack', 'ended'),
  answered: { answered: true },
} as const satisfies Record<string, Moment>
export type MomentName = keyof typeof moments
export const everyMoment = Object.keys(moments) as MomentName[]

export const restartMs = 300
const shortlyMs = 1_500
/** Longer than a claim is fresh. */
const pastClaimMs = 7_000
/** Longer than the gateway waits for the OK to an ATD. */
const pastOkMs = 25_000
/** Longer than an opening may run. */
const pastEndMs = 95_000

export function pointsOf(
  name: string,
  at: readonly MomentName[],
  faults: readonly Fault[],
  forMs: number | ((at: MomentName) => number),
): Point[] {
  return at.map(moment => ({
    name: `${name}-${moment}`,
    when: moments[moment],
    faults,
    forMs: typeof forMs === 'number' ? forMs : forMs(moment),
    // Otherwise the OK follows the ATD too soon.
    ...(moment === 'atd' && { modem: 'late_ok' as const }),
  }))
}

const beforeDialling: readonly MomentName[] = ['before-claim', 'after-claim', 'before-grant', 'intent']
/** Long enough for a message, or a permission, to become too old. */
const longBeforeDialling = (at: MomentName) => (beforeDialling.includes(at) ? pastClaimMs : shortlyMs)

/** Immediately while the modem dials, so that the restarted gateway finds it dialling. */
const restartAfter = (at: MomentName) => (at === 'atd' ? 0 : restartMs)

const processes: readonly PartName[] = ['cloud', 'gateway', 'simulator']
const killedAndStopped = processes.flatMap(part => [
  ...pointsOf(`${part}-killed`, everyMoment, [{ kill: part }], restartAfter),
  ...pointsOf(
    `${part}-stopped`,
    everyMoment,
    [{ stop: part }],
    part === 'simulator' ? shortlyMs : longBeforeDialling,
  ),
])

export const decisive: readonly MomentName[] = [
  'accepted',
  'granted',
  'intent',
  'atd',
  'ringing',
  'before-verdict',
]
const severalKilled = [
  ...pointsOf('cloud-and-gateway-killed', decisive, [{ kill: 'cloud' }, { kill: 'gateway' }], restartMs),
  ...pointsOf(
    'all-killed',
    decisive,
    [...processes].map(kill => ({ kill })),
    restartMs,
  ),
  // The ATD may wait in the port, and the gateway that wrote it is dead when the modem reads it.
  ...pointsOf(
    'simulator-stopped-gateway-killed',
    decisive,
    [{ stop: 'simulator' }, { kill: 'gateway' }],
    shortlyMs,
  ),
]

const unpluggable: readonly MomentName[] = [
  'before-claim',
  'before-grant',
  'intent',
  'atd',
  'ok',
  'ringing',
  'relay',
  'call-end',
]
const unplugged = [
  ...pointsOf('unplugged', unpluggable, [{ unplug: 'sameName' }], restartMs),
  ...pointsOf('renamed', unpluggable, [{ unplug: 'otherName' }], restartMs),
]

const incoming: readonly MomentName[] = [
  'before-hint',
  'before-claim',
  'before-grant',
  'before-ringing',
  'before-verdict',
  'before-ack',
]
const handedOn: readonly MomentName[] = [
  'after-hint',
  'after-claim',
  'after-grant',
  'after-ringing',
  'after-verdict',
  'after-ack',
]
const partitioned = [
  ...pointsOf('cut', [...incoming, ...handedOn], [{ cut: 'gateway' }], shortlyMs),
  ...pointsOf('half-closed-to-broker', [...incoming, ...handedOn], [{ halfClose: 'toBroker' }], shortlyMs),
  ...pointsOf('half-closed-to-gateway', [...incoming, ...handedOn], [{ halfClose: 'toGateway' }], shortlyMs),
  ...pointsOf('silenced', [...incoming, ...handedOn], [{ silence: true }], longBeforeDialling),
  ...pointsOf('delayed', incoming, [{ delay: true }], longBeforeDialling),
]

const pressedTwice = [
  ...pointsOf('pressed-by-two', everyMoment, [{ press: true }], 0),
  ...pointsOf('pressed-by-two-cloud-killed', decisive, [{ press: true }, { kill: 'cloud' }], restartMs),
  ...pointsOf('pressed-by-two-gateway-killed', decisive, [{ press: true }, { kill: 'gateway' }], restartMs),
]

/** For houses with the broker in its own process. */
const brokerApart = [
  ...pointsOf('broker-killed', [...new Set([...decisive, ...incoming])], [{ kill: 'broker' }], restartMs),
  ...pointsOf('broker-stopped', incoming, [{ stop: 'broker' }], longBeforeDialling),
  ...pointsOf('cloud-cut', [...decisive, 'ended', 'answered'], [{ cut: 'cloud' }], shortlyMs),
]

const clockMoments: readonly MomentName[] = [
  'accepted',
  'before-claim',
  'before-grant',
  'intent',
  'ringing',
  'before-verdict',
  'before-ack',
]
const clockMoved = [30, -30].flatMap(clockDays => {
  const way = clockDays > 0 ? 'ahead' : 'back'
  return [
    ...pointsOf(`clock-${way}`, clockMoments, [{ clockDays }], 0),
    ...pointsOf(`clock-${way}-gateway-killed`, decisive, [{ clockDays }, { kill: 'gateway' }], restartMs),
  ]
})

/** Faults that end only after the cloud has given up the opening. */
const forLong = [
  ...pointsOf('simulator-hung', ['before-grant', 'intent', 'ringing'], [{ stop: 'simulator' }], pastOkMs),
  ...pointsOf('cut-for-long', ['before-verdict'], [{ cut: 'gateway' }], pastEndMs),
  ...pointsOf('cloud-killed-for-long', ['before-verdict'], [{ kill: 'cloud' }], pastEndMs),
]

/** A press that waits for the given seconds in the socket of a stalled cloud. */
export const unreadFor = (
  name: string,
  stop: CloudName,
  seconds: readonly number[],
  faults: readonly Fault[] = [],
): Point[] =>
  seconds.map(waitS => ({
    name: `${name}-${waitS}-s`,
    // Late enough that the cloud stalls for sure, and not much longer than the press waits.
    when: { unpressedMs: 200 },
    faults: [{ stop }, ...faults],
    forMs: waitS * 1_000,
  }))

/** Below and above the 12 s in which a press can be granted, and above the 18 s in which it can be dialled. */
const waits = [5, 15, 20]
/** The client repeats its request some seconds after the cloud continues: a call that is too late has been placed by then. */
const backAfterMs = 6_000
const unread = [
  ...unreadFor('unread', 'cloud', waits),
  ...unreadFor('unread-by-two', 'cloud', waits, [{ press: true }]),
  ...unreadFor('unread-client-gone', 'cloud', [...waits, 47]).map(point => ({
    ...point,
    awayMs: point.forMs + backAfterMs,
  })),
]

export const points: readonly Point[] = [
  ...forLong,
  ...killedAndStopped,
  ...unread,
  ...severalKilled,
  ...unplugged,
  ...partitioned,
  ...pressedTwice,
  ...brokerApart,
  ...clockMoved,
]

/** Whether the point moves a wall clock. Then the house needs libfaketime. */
export const movesClock = ({ faults }: Point) => faults.some(fault => 'clockDays' in fault)

/** Whether the point needs a house with the broker in its own process. */
export const needsBrokerApart = ({ faults }: Point) =>
  faults.some(
    fault =>
      ('kill' in fault && fault.kill === 'broker') ||
      ('stop' in fault && fault.stop === 'broker') ||
      ('cut' in fault && fault.cut === 'cloud'),
  )
