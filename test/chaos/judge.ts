// The judge: what the simulator's own log says truly happened, against what the cloud has recorded.

import { claimFreshMs, grantWithinMs } from '@callgate/contract/timing'
import { isEnded, type Row } from './moment.ts'

/** Between a moment and the log of it, on a busy machine. */
const marginMs = 500

export interface Facts {
  /** Wall clock milliseconds of each ATD to the gate's number. */
  readonly dialledAtMs: readonly number[]
  readonly relayFired: boolean
  readonly rows: readonly Row[]
  /** The opening that the answers to the press named. */
  readonly answered: { readonly openingId: string | undefined; readonly opened: boolean }
  /** The same for the same Idempotency-Key once more, when all was over. */
  readonly replayed: { readonly openingId: string | undefined; readonly opened: boolean }
  readonly claimedAtMs: number | undefined
  /** How long the simulator was stopped, and so may have read an ATD later than it was written, milliseconds. */
  readonly simulatorStoppedMs: number
  /** What the gate has counted since the press. */
  readonly counted: number
}

/** Reasons that say that nothing was dialled. */
const undialled = new Set(['not_dialled', 'interrupted', 'gateway_offline', 'modem_busy', 'modem_not_ready'])

function judgeTimes({ claimedAtMs, dialledAtMs, simulatorStoppedMs }: Facts, row: Row): string[] {
  const allowedMs = marginMs + simulatorStoppedMs
  return dialledAtMs.flatMap(atMs => {
    const ageMs = atMs - Date.parse(row.calledAt)
    const claimAgeMs = atMs - (claimedAtMs ?? Number.NEGATIVE_INFINITY)
    return [
      ...(ageMs > grantWithinMs + claimFreshMs + allowedMs
        ? [`late: dialled ${ageMs} ms after acceptance`]
        : []),
      ...(claimAgeMs > claimFreshMs + allowedMs ? [`late: dialled ${claimAgeMs} ms after its claim`] : []),
    ]
  })
}

/** On the fast network a verdict may doubt; what it calls certain has to be so. */
function judgeRecord({ counted, dialledAtMs, relayFired }: Facts, row: Row): string[] {
  const isDialled = dialledAtMs.length > 0
  const isCertain = row.confidence === 'certain'
  return [
    ...(isCertain && row.opened === 'no' && relayFired
      ? ['wrong: certainly not opened, but the relay fired']
      : []),
    ...(isCertain && row.opened === 'yes' && !relayFired
      ? ['wrong: certainly opened, but no relay fired']
      : []),
    ...(row.status === 'completed' && !isDialled ? ['wrong: completed without an ATD'] : []),
    ...(isDialled && undialled.has(row.reason ?? '') ? [`wrong: ${row.reason}, but there was an ATD`] : []),
    ...(isDialled && row.grantedAt === null ? ['wrong: an ATD without a grant'] : []),
    ...(counted === (row.status === 'completed' ? 1 : 0) ? [] : [`wrong: the gate counted ${counted}`]),
  ]
}

/** What is wrong, in words; nothing when all is as promised. */
export function judge(facts: Facts): string[] {
  const { answered, dialledAtMs, replayed, rows } = facts
  const [row] = rows
  if (!row) return ['lost: the press was answered, but there is no opening']
  const isSame = answered.openingId === row.id && replayed.openingId === row.id
  return [
    ...(rows.length > 1 ? [`double: ${rows.length} openings for one Idempotency-Key`] : []),
    ...(dialledAtMs.length > 1 ? [`double: ${dialledAtMs.length} ATD`] : []),
    ...(isEnded(row) ? [] : [`not ended: ${row.status}`]),
    ...(isSame
      ? []
      : [`lost: ${row.id} was answered as ${answered.openingId}, then as ${replayed.openingId}`]),
    ...(replayed.opened === (row.status === 'completed')
      ? []
      : [`wrong: ${row.status}, but answered opened ${replayed.opened}`]),
    ...judgeTimes(facts, row),
    ...judgeRecord(facts, row),
  ]
}
