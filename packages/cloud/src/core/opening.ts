// One opening: its row, the states that it goes through, and how it can end. Each stage has its decision in a file of its
// own: pressDecision, claimDecision, reportDecision, openingEnd.

import { passesByItself } from '@callgate/contract/call/advice'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Verdict } from '@callgate/contract/call/verdict'
import type { OpeningStatus } from '@callgate/contract/rest/opening'

/** A row of the table `openings`. Times are ISO texts in UTC. */
export interface OpeningRow {
  readonly id: string
  readonly spaceId: string
  readonly gateId: string
  readonly gateName: string
  readonly phoneNumber: string
  readonly status: OpeningStatus
  readonly reason: ReasonWord | null
  readonly opened: Verdict['opened'] | null
  readonly confidence: Verdict['confidence'] | null
  readonly safeToRetry: boolean | null
  readonly calledAt: string
  readonly grantBefore: string
  readonly completedAt: string | null
  readonly actorType: 'guest' | 'owner'
  readonly actorName: string
  readonly actorEmail: string | null
  /**
   * The API key that was used; or the user and the session; or, for a guest, the member and the access. They may have been
   * deleted since.
   */
  readonly apiKeyId: string | null
  readonly userId: string | null
  readonly sessionId: string | null
  readonly memberId: string | null
  readonly accessId: string | null
  readonly joinedOpeningId: string | null
  readonly lockedNumber: string | null
  readonly gatewayId: string | null
  readonly grantedAt: string | null
  readonly grantNonce: string | null
  readonly bootId: string | null
  readonly grantedProfile: string | null
  /** The cloud's signature of the grant; null also where an older version has granted. */
  readonly grantSignature: string | null
  /** Whether the opening was granted as a test call of a calibration; null where it was not. */
  readonly isTestCall: boolean | null
  /** Whether this opening has taken one use of the access. */
  readonly usageHeld: boolean
  /** Whether the gateway has reported the end. */
  readonly isSettled: boolean
  /** The replica that owns the opening, with the epoch of its lease; null where a cloud without replicas took the press. */
  readonly owner: string | null
  readonly ownerEpoch: number | null
}

/** How an opening ends. */
export type Ending = Pick<Verdict, 'status' | 'reason' | 'opened' | 'confidence' | 'safeToRetry'>

/** The states that may follow each state. A `timeout` changes at most once, by the gateway's own late verdict. */
export const transitions: Readonly<Record<OpeningStatus, readonly OpeningStatus[]>> = {
  initiated: ['connected', 'completed', 'failed', 'timeout'],
  connected: ['completed', 'failed', 'timeout'],
  completed: [],
  failed: [],
  timeout: ['completed', 'failed'],
}

export function isRunning(row: Pick<OpeningRow, 'status'>): boolean {
  return row.status === 'initiated' || row.status === 'connected'
}

/** Whether nobody has been granted the opening: no gateway may dial for it. */
export function isUngranted(row: Pick<OpeningRow, 'status' | 'gatewayId' | 'joinedOpeningId'>): boolean {
  return row.status === 'initiated' && row.gatewayId === null && row.joinedOpeningId === null
}

/** The ending of an opening that was not dialled. The gate cannot have moved, so pressing again is safe where it can help. */
export function endingUndialled(reason: ReasonWord): Ending {
  return {
    status: 'failed',
    reason,
    opened: 'no',
    confidence: 'certain',
    safeToRetry: passesByItself(reason),
  }
}

/**
 * The ending of an opening without a report, where nobody knows what happened. `no_report`: it was granted, and its time is over.
 * `outcome_unknown`: it was granted, and a later boot of the gateway does not know it; or it was running when the backup was made
 * that is being restored, whether it was granted then or not. The status is `timeout`, because a gateway's report may still come
 * and correct it.
 */
export function endingUnknown(reason: 'outcome_unknown' | 'no_report'): Ending {
  return { status: 'timeout', reason, opened: 'unknown', confidence: 'unknown', safeToRetry: false }
}

/** The longest cool-down that a profile can have, and so the oldest call that a press may join. */
export const longestCoolDownMs = 60_000

/** The cool-down of the profile with which a call was granted, in milliseconds. */
export function coolDownOf(row: Pick<OpeningRow, 'grantedProfile'> | undefined): number {
  const profile = row?.grantedProfile
  return profile ? (JSON.parse(profile) as CallProfile).coolDownMs : 0
}

/** How the opening of a row ended; undefined while it runs. */
export function endingOf(row: OpeningRow): Ending | undefined {
  const { status, reason, opened, confidence, safeToRetry } = row
  if (status === 'initiated' || status === 'connected') return undefined
  if (reason === null || opened === null || confidence === null || safeToRetry === null) return undefined
  return { status, reason, opened, confidence, safeToRetry: Boolean(safeToRetry) }
}
