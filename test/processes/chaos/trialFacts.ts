// The facts of a real house for the checker: from its records, the logs of its modems, and the messages at the proxies.

import type { Facts } from '../../checker/facts.ts'
import type { SeenMessages } from './layout.ts'
import type { Absence } from './processes.ts'
import type { Row } from './records.ts'
import type { Dial } from './simulatorLog.ts'

/** The longest time between an event and its line in the log, on a busy machine. */
const marginMs = 500

/** The observations of a house. Times are milliseconds by the wall clock. */
export interface TrialObservation {
  /** The gateways, the first one first. */
  readonly gatewayIds: readonly [first: string, other?: string]
  /** The ATDs to any number. */
  readonly dials: readonly (Dial & { readonly gatewayId: string })[]
  readonly rows: readonly Row[]
  readonly said: SeenMessages
  /** Bytes that the gateways wrote to their modems and must never write, in words. */
  readonly modemViolations: readonly string[]
  readonly absences: { readonly gateway: readonly Absence[]; readonly simulator: readonly Absence[] }
}

/** The requests of clients and their answers; only in a trial. */
export type Pressed = Pick<Facts, 'accepted' | 'keyed' | 'presses'>

const spanOf = ({ fromMs, untilMs: toMs }: Absence) => ({ fromMs, toMs })
const msOf = (at: string | null) => (at === null ? null : Date.parse(at))

/** The calls of the ATDs. A killed simulator ends its call, but cannot log that; a call that never began has ended at once. */
const callsIn = ({ absences, dials }: TrialObservation): Facts['calls'] =>
  dials.map(({ endedAtMs = 0, ...dial }, callId) => {
    const killed = absences.simulator.find(({ how, untilMs }) => how === 'killed' && untilMs >= dial.atMs)
    const endMs = Math.min(endedAtMs, killed?.fromMs ?? Number.POSITIVE_INFINITY)
    const heard = { callId, outcome: '', readMs: dial.atMs, isSleptOver: false }
    return { ...dial, ...heard, endedAtMs: Math.max(dial.atMs, endMs) }
  })

/** The claims and verdicts that passed the proxies. No fault hides a claim from its proxy. */
function sentIn({ rows, said }: TrialObservation): Facts['sent'] {
  const nothing = { nonce: undefined, phase: undefined, reason: undefined, opened: undefined }
  return rows.flatMap(({ bootId, gatewayId, grantNonce, id }) => {
    if (gatewayId === null) return []
    const of = { ...nothing, gatewayId, openingId: id, bootId: bootId ?? undefined }
    const claimedMs = said.claimedAtMs.get(id)
    return [
      ...(claimedMs === undefined
        ? []
        : [{ ...of, kind: 'claim' as const, atMs: claimedMs, nonce: grantNonce ?? undefined }]),
      ...[...(said.verdicts.get(id) ?? [])].map(reason => ({
        ...of,
        kind: 'report' as const,
        phase: 'ended',
        reason,
        // Nobody recorded when, and the modem never sleeps here.
        atMs: Number.NEGATIVE_INFINITY,
      })),
    ]
  })
}

/** No clock drifts here, no machine stalls, and no journal is lost, so none of these excuses anything. */
const undisturbed = {
  stood: [],
  clockSetMs: [],
  databaseSetBackMs: [],
  drift: 0,
  marginMs,
  gatesTellAll: true,
} as const

/** The facts after recovery: every call must be over. */
export function factsOf(seen: TrialObservation, pressed: Pressed): Facts {
  const { absences, dials, gatewayIds, modemViolations, rows } = seen
  const away = [...absences.gateway, ...absences.simulator].map(spanOf)
  const nothing = { starts: [], badDisk: [], stood: [], lostReplies: [] }
  const quiet = { spaceId: rows[0]?.spaceId ?? '', ...nothing, reportsCalls: true }
  return {
    ...undisturbed,
    ...pressed,
    atMs: Number.POSITIVE_INFINITY,
    rows: rows.map(row => ({
      ...row,
      begunMs: Date.parse(row.calledAt),
      grantedMs: msOf(row.grantedAt),
      ...(row.completedAt !== null && { recordedEndMs: Date.parse(row.completedAt) }),
    })),
    ends: new Map(
      rows.flatMap(({ completedAt, id }) => (completedAt === null ? [] : [[id, Date.parse(completedAt)]])),
    ),
    dials,
    calls: callsIn(seen),
    sent: sentIn(seen),
    gateways: gatewayIds
      .filter(id => id !== undefined)
      .map((gatewayId, place) => ({
        ...quiet,
        gatewayId,
        couldNotHangUp: away,
        modemStood: absences.simulator.filter(({ how }) => how === 'stopped').map(spanOf),
        violations: place === 0 ? modemViolations.map(violation => ({ atMs: 0, violation })) : [],
      })),
  }
}
