// How an opening ends: one table, from the kind of end to everything that follows from it.

import type { Ending, OpeningRow } from '../../core/opening.ts'

/** What follows from an end. */
export interface Consequences {
  /** Whether the gateway has reported the end; no later report changes it then. */
  readonly isSettled: boolean
  /** Whether no call can be on the line any more. Otherwise the number stays locked until the longest call would be over. */
  readonly freesNumber: boolean
  /** Whether a call was or may have been placed: the use of the access stays counted, and the number has its cool-down. */
  readonly dialled: boolean
  /** Whether the oldest joiner that is still in time leads now. Otherwise every joiner ends as the leader ends. */
  readonly handsOver: boolean
}

/** Every way in which an opening ends after its press. */
export type EndKind =
  /** A gateway claims the opening, and the press may not open the gate any more. */
  | 'refusedAtClaim'
  /** An admin locks all gates of the Space before the grant. */
  | 'lockedDown'
  /** Every gateway of the Space that is online has declined the opening. */
  | 'declined'
  /** No gateway has claimed the opening in time. */
  | 'unclaimed'
  /** The cloud restarted before a grant: the age of the press is unknown. */
  | 'interrupted'
  /** The gateway reports a call. */
  | 'reportedCall'
  /**
   * The gateway reports a call after which its modem has not answered: the modem may still hold the dial command and execute it.
   */
  | 'reportedUnheard'
  /** The gateway reports that no call left its modem. */
  | 'reportedNoCall'
  /** The same three, after the cloud had ended the opening as a timeout. */
  | 'correctedCall'
  | 'correctedUnheard'
  | 'correctedNoCall'
  /** The opening was granted, and no report came in time. */
  | 'unreported'
  /** The opening was granted to an earlier boot, and the gateway's journal does not know it any more. */
  | 'journalLost'
  /** The opening ran when the backup was made that is restored now. */
  | 'restored'

export const consequencesOf: Readonly<Record<EndKind, Consequences>> = {
  refusedAtClaim: { isSettled: false, freesNumber: true, dialled: false, handsOver: true },
  // A joiner may not open the gate either.
  lockedDown: { isSettled: false, freesNumber: true, dialled: false, handsOver: false },
  declined: { isSettled: false, freesNumber: true, dialled: false, handsOver: true },
  unclaimed: { isSettled: false, freesNumber: true, dialled: false, handsOver: true },
  // The age of the joiners is unknown, too.
  interrupted: { isSettled: false, freesNumber: true, dialled: false, handsOver: false },
  reportedCall: { isSettled: true, freesNumber: true, dialled: true, handsOver: false },
  // An heir that calls while the modem wakes would call the gate a second time.
  reportedUnheard: { isSettled: true, freesNumber: false, dialled: true, handsOver: false },
  reportedNoCall: { isSettled: true, freesNumber: true, dialled: false, handsOver: true },
  correctedCall: { isSettled: true, freesNumber: true, dialled: true, handsOver: false },
  correctedUnheard: { isSettled: true, freesNumber: false, dialled: true, handsOver: false },
  correctedNoCall: { isSettled: true, freesNumber: true, dialled: false, handsOver: true },
  // A gateway may still be calling, or about to: the number waits for its report, or for the time of the longest call. A
  // restored opening may never have been granted, but the backup cannot tell.
  unreported: { isSettled: false, freesNumber: false, dialled: true, handsOver: false },
  journalLost: { isSettled: false, freesNumber: false, dialled: true, handsOver: false },
  restored: { isSettled: false, freesNumber: false, dialled: true, handsOver: false },
}

/** What an end changes in the row of its opening, besides `completedAt`. */
export function changeAtEnd(row: Pick<OpeningRow, 'usageHeld'>, end: EndKind, ending: Ending) {
  const { dialled, freesNumber, isSettled } = consequencesOf[end]
  return {
    ...ending,
    usageHeld: Boolean(row.usageHeld) && dialled,
    ...(isSettled && { isSettled: true }),
    ...(freesNumber && { lockedNumber: null }),
  }
}

/**
 * What becomes of the joiners. Where the end hands over, the oldest joiner in time leads, and the other joiners in time follow
 * it. The rest end as the leader did.
 */
export function handOver(
  joiners: readonly OpeningRow[],
  end: EndKind,
  isInTime: (joiner: OpeningRow) => boolean,
) {
  const { handsOver } = consequencesOf[end]
  const inTime = joiners.filter(joiner => handsOver && joiner.status === 'initiated' && isInTime(joiner))
  const [heir, ...followers] = [...inTime].sort((a, b) => (a.calledAt + a.id < b.calledAt + b.id ? -1 : 1))
  return { heir, followers, tooLate: joiners.filter(joiner => !inTime.includes(joiner)) }
}

/**
 * When an opening ended, in milliseconds since the epoch: the receipt of the claim plus what the gateway counted since.
 * Never later than now, and never before the opening began.
 */
export function endedAtMs(row: OpeningRow, sinceClaimMs: number | null, nowMs: number): number {
  const reported =
    row.grantedAt !== null && sinceClaimMs !== null ? Date.parse(row.grantedAt) + sinceClaimMs : nowMs
  return Math.max(Date.parse(row.calledAt), Math.min(nowMs, reported))
}
