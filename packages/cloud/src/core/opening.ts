// The life of an opening: every decision that the exchange takes, as pure functions of rows and messages.

import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Verdict } from '@callgate/contract/call/verdict'
import type { OpeningStatus } from '@callgate/contract/rest/opening'
import type { Ack, Report } from '@callgate/contract/wire/messages'

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
  /** The key that asked; or, for a guest, the member and the access, which may be gone. */
  readonly apiKeyId: string | null
  readonly memberId: string | null
  readonly accessId: string | null
  readonly joinedOpeningId: string | null
  readonly lockedNumber: string | null
  readonly gatewayId: string | null
  readonly grantedAt: string | null
  readonly grantNonce: string | null
  readonly bootId: string | null
  readonly grantedProfile: string | null
  /** Whether the opening holds one use of its access. */
  readonly usageHeld: boolean
  readonly isSettled: boolean
}

/** How an opening ends. */
export type Ending = Pick<Verdict, 'status' | 'reason' | 'opened' | 'confidence' | 'safeToRetry'>

/** The states that each state may be followed by; `timeout` once, and only by the gateway's own late verdict. */
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

/** An ending before anything was dialled: the gate cannot have moved. */
export function endingUndialled(reason: ReasonWord): Ending {
  return { status: 'failed', reason, opened: 'no', confidence: 'certain', safeToRetry: true }
}

/**
 * What the cloud says of a granted opening that the gateway is silent about: `no_report` when its time is over,
 * `outcome_unknown` when a later boot knows nothing of it. A `timeout` as it is no word of the gateway's, which may
 * still come and correct it.
 */
export function endingUnknown(reason: 'outcome_unknown' | 'no_report'): Ending {
  return { status: 'timeout', reason, opened: 'unknown', confidence: 'unknown', safeToRetry: false }
}

/** How a row has ended; undefined while it runs. */
export function endingOf(row: OpeningRow): Ending | undefined {
  const { status, reason, opened, confidence, safeToRetry } = row
  if (status === 'initiated' || status === 'connected') return undefined
  if (reason === null || opened === null || confidence === null || safeToRetry === null) return undefined
  return { status, reason, opened, confidence, safeToRetry: Boolean(safeToRetry) }
}

/** What becomes of a press that its own permit lets through. */
export type PressDecision =
  | { readonly kind: 'lead' }
  | { readonly kind: 'join'; readonly leader: OpeningRow }
  | { readonly kind: 'end'; readonly ending: Ending; readonly joined: OpeningRow | undefined }

export interface PressFacts {
  /** Why the press itself is denied. */
  readonly denied: ReasonWord | undefined
  /** The opening that holds the number now, ended or not. */
  readonly holder: OpeningRow | undefined
  /**
   * The last call on the number that may have moved the gate, and how long ago it ended, milliseconds: `agoMs` at the
   * least; `saidAgoMs`, where only the record can say it, by a wall clock that may have been set since.
   */
  readonly last: { readonly row: OpeningRow; readonly agoMs: number; readonly saidAgoMs?: number } | undefined
  readonly coolDownMs: number
  readonly isGatewayOnline: boolean
}

/**
 * A press on a number that is being called, or has just been, places no second call: many gates reverse on it. It
 * joins that call and ends as it ends.
 */
export function decidePress(facts: PressFacts): PressDecision {
  const { denied, holder, last } = facts
  if (denied) return { kind: 'end', ending: endingUndialled(denied), joined: undefined }
  if (holder) {
    const ending = endingOf(holder)
    return ending ? { kind: 'end', ending, joined: holder } : { kind: 'join', leader: holder }
  }
  const lastEnding = last && last.agoMs < facts.coolDownMs ? endingOf(last.row) : undefined
  if (last && lastEnding) {
    const saidAgoMs = last.saidAgoMs ?? last.agoMs
    const isJustOver = saidAgoMs >= 0 && saidAgoMs < facts.coolDownMs
    // It may be long ago, and the press is not told an end that has nothing to do with it.
    if (!isJustOver) return { kind: 'end', ending: endingUndialled('interrupted'), joined: undefined }
    return { kind: 'end', ending: lastEnding, joined: last.row }
  }
  if (!facts.isGatewayOnline)
    return { kind: 'end', ending: endingUndialled('gateway_offline'), joined: undefined }
  return { kind: 'lead' }
}

/** What a claim is answered with. */
export type ClaimDecision =
  | { readonly kind: 'grant' }
  | { readonly kind: 'repeat'; readonly phoneNumber: string; readonly callProfile: string }
  | { readonly kind: 'refuse'; readonly reason: 'refused' | 'expired' | 'already_granted' }
  | { readonly kind: 'end'; readonly reason: ReasonWord }

export interface ClaimFacts {
  readonly claim: { readonly gatewayId: string; readonly bootId: string; readonly nonce: string }
  readonly opening: OpeningRow | undefined
  /** Milliseconds since the opening was accepted, by the clock that moved furthest; undefined when nobody can say. */
  readonly ageMs: number | undefined
  readonly grantWithinMs: number
  readonly denied: ReasonWord | undefined
}

/** The grant is single use: one gateway, one boot, one nonce; asked again in the same words, it is said again. */
export function decideClaim(facts: ClaimFacts): ClaimDecision {
  const { ageMs, claim, opening } = facts
  if (!opening || opening.joinedOpeningId !== null) return { kind: 'refuse', reason: 'refused' }
  if (opening.gatewayId !== null) {
    const same =
      opening.gatewayId === claim.gatewayId &&
      opening.bootId === claim.bootId &&
      opening.grantNonce === claim.nonce
    if (!same) return { kind: 'refuse', reason: 'already_granted' }
    if (!isRunning(opening) || opening.grantedProfile === null) return { kind: 'refuse', reason: 'expired' }
    return { kind: 'repeat', phoneNumber: opening.phoneNumber, callProfile: opening.grantedProfile }
  }
  if (opening.status !== 'initiated') return { kind: 'refuse', reason: 'expired' }
  if (ageMs === undefined || ageMs >= facts.grantWithinMs) return { kind: 'refuse', reason: 'expired' }
  return facts.denied ? { kind: 'end', reason: facts.denied } : { kind: 'grant' }
}

/** What a report does to its opening. */
export type ReportDecision =
  | { readonly kind: 'refuse'; readonly reason: NonNullable<Ack['reason']> }
  | { readonly kind: 'keep' }
  | { readonly kind: 'decline'; readonly reason: ReasonWord }
  | { readonly kind: 'connect' }
  | {
      readonly kind: 'end'
      readonly ending: Ending
      /** False when it is certain that the call never left the modem. */
      readonly dialled: boolean
      readonly isCorrection: boolean
    }

/**
 * When certain, these say that the modem refused the dial command itself, so no call left. `bad_number` is not among
 * them: it is also certain when the network says it, of a call that has left.
 */
const neverLeft: ReadonlySet<ReasonWord> = new Set<ReasonWord>([
  'sim_error',
  'no_network',
  'line_in_use',
  'network_rejected',
])

function wasDialled({ confidence, opened, reason }: Ending): boolean {
  return !(confidence === 'certain' && opened === 'no' && neverLeft.has(reason))
}

/** Reads one verified report. `keep`: it is kept with the opening and changes nothing. */
export function decideReport(
  opening: OpeningRow | undefined,
  { bootId, gatewayId }: { readonly gatewayId: string; readonly bootId: string },
  report: Report,
): ReportDecision {
  if (!opening) return { kind: 'refuse', reason: 'unknown_opening' }
  const isOurs = opening.gatewayId === gatewayId
  if (report.phase === 'declined')
    return opening.gatewayId === null && isRunning(opening)
      ? { kind: 'decline', reason: report.reason }
      : { kind: 'keep' }
  // A claim that the gateway gave up before it was answered: nothing was granted, nothing was dialled.
  if (report.phase === 'not_dialled' && opening.gatewayId === null) return { kind: 'keep' }
  if (!isOurs) return { kind: 'refuse', reason: 'not_granted' }
  if (report.phase === 'ringing' || report.phase === 'answered')
    return opening.status === 'initiated' ? { kind: 'connect' } : { kind: 'keep' }
  if (opening.isSettled) return { kind: 'keep' }
  // A later boot that knows nothing of the grant speaks of a claim of its own: the boot before it may have dialled.
  if (report.phase === 'not_dialled' && opening.bootId !== bootId) return { kind: 'keep' }
  const ending = report.phase === 'ended' ? endingFrom(report.verdict) : endingUndialled('not_dialled')
  const dialled = report.phase === 'ended' && wasDialled(ending)
  if (isRunning(opening)) return { kind: 'end', ending, dialled, isCorrection: false }
  // A timeout of the gateway's own says more than the cloud's, which only says that nobody spoke, or knew.
  const isAllowed = ending.status === opening.status || transitions[opening.status].includes(ending.status)
  if (!isAllowed) return { kind: 'keep' }
  return { kind: 'end', ending, dialled, isCorrection: true }
}

function endingFrom(verdict: Verdict): Ending {
  const { status, reason, opened, confidence, safeToRetry } = verdict
  return { status, reason, opened, confidence, safeToRetry }
}

/**
 * When an opening ended, in milliseconds since the epoch: the claim's receipt plus what the gateway counted since, by
 * no means later than now, nor before the opening began.
 */
export function endedAtMs(row: OpeningRow, sinceClaimMs: number | null, nowMs: number): number {
  const reported =
    row.grantedAt !== null && sinceClaimMs !== null ? Date.parse(row.grantedAt) + sinceClaimMs : nowMs
  return Math.max(Date.parse(row.calledAt), Math.min(nowMs, reported))
}

/**
 * Who takes over when a leader ended before anything was dialled: the oldest joiner that is still in time. The others
 * follow it; those that are too late end as the leader did.
 */
export function handOver(joiners: readonly OpeningRow[], isInTime: (joiner: OpeningRow) => boolean) {
  const inTime = joiners.filter(joiner => joiner.status === 'initiated' && isInTime(joiner))
  const [heir, ...followers] = [...inTime].sort((a, b) => (a.calledAt + a.id < b.calledAt + b.id ? -1 : 1))
  return { heir, followers, tooLate: joiners.filter(joiner => !inTime.includes(joiner)) }
}
