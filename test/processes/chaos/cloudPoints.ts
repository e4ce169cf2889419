// The named points of two clouds on one database: each fault of a cloud, the broker and the database at each moment.

import type { CloudName } from './layout.ts'
import {
  decisive,
  everyMoment,
  type Fault,
  type MomentName,
  type Point,
  pointsOf,
  restartMs,
  unreadFor,
} from './points.ts'

/** Longer than a lease. */
const pastLeaseMs = 6_000

/** `owner` is the cloud that took the press; `other` the one that did not. */
const roles = { owner: 'cloud', other: 'otherCloud' } as const satisfies Record<string, CloudName>

const ofEach = Object.entries(roles).flatMap(([role, name]) => [
  ...pointsOf(`${role}-killed`, everyMoment, [{ kill: name }], restartMs),
  ...pointsOf(`${role}-stopped`, everyMoment, [{ stop: name }], pastLeaseMs),
  ...pointsOf(`${role}-cut-from-database`, everyMoment, [{ cut: `${name}Database` }], pastLeaseMs),
  ...pointsOf(`${role}-cut-from-broker`, everyMoment, [{ cut: name }], pastLeaseMs),
  ...pointsOf(`${role}-drained`, everyMoment, [{ drain: name }], 0),
])

/** The time before the press at which the fault begins, in milliseconds. */
const unpressedMs = 200

/** An answer is kept for a day: a clock that is wrong by more must not end that. */
const wrongHours = { ahead: 25, behind: -26 } as const
const clockMoments: readonly MomentName[] = [...decisive, 'ended', 'answered']
const clocks = Object.entries(roles).flatMap(([role, clockOf]) =>
  Object.entries(wrongHours).flatMap(([way, hours]) => {
    const name = `${role}-clock-${way}`
    const faults = [{ clockOf, hours }]
    return [
      { name: `${name}-unpressed`, when: { unpressedMs }, faults, forMs: 0 },
      ...pointsOf(name, clockMoments, faults, 0),
    ]
  }),
)

/**
 * The time from the loss of the first commit to the takeover, in milliseconds: press, grant and report are lost, or only the last
 * of them.
 */
const lagMs = 1_000
const lagsFromPress = [100, 1_000, 3_000, 8_000].map(forMs => ({
  name: `late-standby-promoted-${forMs}-ms-after-press`,
  when: { unpressedMs },
  faults: [{ lag: true }] as const,
  forMs,
}))
const lagMoments: readonly MomentName[] = [...decisive, 'before-claim', 'before-grant', 'ended', 'answered']

const promoted = [
  ...pointsOf('whole-standby-promoted', everyMoment, [{ promote: true }], 0),
  ...lagsFromPress,
  ...pointsOf('late-standby-promoted', lagMoments, [{ lag: true }], lagMs),
]

export const cloudPoints: readonly Point[] = [
  ...ofEach,
  ...unreadFor('owner-unread', 'cloud', [6, 25]),
  ...pointsOf('both-killed', everyMoment, [{ kill: 'cloud' }, { kill: 'otherCloud' }], restartMs),
  ...pointsOf('broker-restarted', everyMoment, [{ kill: 'broker' }], restartMs),
  ...pointsOf('postgres-restarted', everyMoment, [{ kill: 'postgres' }], restartMs),
  ...clocks,
  ...promoted,
]

function touchedBy(fault: Fault): string {
  const [name] = Object.values(fault)
  return String(name).replace('Database', '')
}

/** The cloud that no fault of the point touches; undefined where each one, or a part that both use, is touched. */
export function untouchedCloud({ faults }: Point): CloudName | undefined {
  const touched = new Set(faults.map(touchedBy))
  const [only] = touched
  if (touched.size !== 1) return undefined
  if (only === roles.owner) return roles.other
  return only === roles.other ? roles.owner : undefined
}

/**
 * Whether a cloud may stand still in the midst of a transaction, which holds the lock of the Space for as long, and for 10 s at
 * most.
 */
export const mayHoldSpace = ({ faults }: Point) =>
  faults.some(fault => 'stop' in fault || ('cut' in fault && fault.cut.endsWith('Database')))

export const isDrained = ({ faults }: Point) => faults.some(fault => 'drain' in fault)
