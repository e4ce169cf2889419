// Decides what a report does to its opening: ends it, moves it on, is kept as evidence, or is refused.

import { isHelpedByAnother, passesByItself } from '@callgate/contract/call/advice'
import type { ReasonWord } from '@callgate/contract/call/reason'
import { reasonRows } from '@callgate/contract/call/reasonRows'
import type { Verdict } from '@callgate/contract/call/verdict'
import type { Ack, Report } from '@callgate/contract/wire/messages'
import { type Ending, endingUndialled, isRunning, type OpeningRow, transitions } from '../../core/opening.ts'
import type { EndKind } from './openingEnd.ts'

/** The ends that a gateway reports. */
export type ReportedEnd = Extract<EndKind, `reported${string}` | `corrected${string}`>

export type ReportDecision =
  | { readonly kind: 'refuse'; readonly reason: NonNullable<Ack['reason']> }
  /** The report is kept with the opening and changes nothing. */
  | { readonly kind: 'keep' }
  | { readonly kind: 'decline'; readonly reason: ReasonWord }
  | { readonly kind: 'connect' }
  | { readonly kind: 'end'; readonly end: ReportedEnd; readonly ending: Ending }

/** Whether a call left the modem, or may have. */
function wasDialled({ confidence, opened, reason }: Ending): boolean {
  return !(confidence === 'certain' && opened === 'no' && reasonRows[reason].modem === 'refused')
}

function kindOfEnd(report: Report, ending: Ending): 'Call' | 'Unheard' | 'NoCall' {
  if (report.phase !== 'ended' || !wasDialled(ending)) return 'NoCall'
  return ending.opened === 'unknown' && reasonRows[ending.reason].modem === 'unheard' ? 'Unheard' : 'Call'
}

/** The ending that a verdict states. The opening is safe to retry only where nothing moved and a retry can help. */
function endingFrom(verdict: Verdict): Ending {
  const { status, reason, opened, confidence } = verdict
  const safeToRetry = verdict.safeToRetry && opened === 'no' && passesByItself(reason)
  return { status, reason, opened, confidence, safeToRetry }
}

/** Whether a retry helps if another gateway makes it: the call moved nothing, and its gateway failed. */
export function isForAnother({ opened, reason, safeToRetry }: Ending): boolean {
  return !safeToRetry && opened === 'no' && isHelpedByAnother(reason)
}

/**
 * How an opening ends by a verdict. A test call waits for everything that a module may do, so an answer is the only sign of an
 * opening in its profile. Without an answer, only the person at the gate knows whether it moved.
 */
function endingBy(verdict: Verdict, { isTestCall }: OpeningRow): Ending {
  const ending = endingFrom(verdict)
  if (!isTestCall || ending.opened !== 'no' || ending.confidence === 'certain') return ending
  return { ...ending, opened: 'unknown', confidence: 'unknown', safeToRetry: false }
}

/** Decides one verified report. */
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
  // The gateway gave its claim up before the answer came: nothing was granted, so nothing was dialled.
  if (report.phase === 'not_dialled' && opening.gatewayId === null) return { kind: 'keep' }
  if (!isOurs) return { kind: 'refuse', reason: 'not_granted' }
  if (report.phase === 'ringing' || report.phase === 'answered')
    return opening.status === 'initiated' ? { kind: 'connect' } : { kind: 'keep' }
  if (opening.isSettled) return { kind: 'keep' }
  // A later boot does not know the grant; it reports on a claim of its own. The earlier boot may have dialled.
  if (report.phase === 'not_dialled' && opening.bootId !== bootId) return { kind: 'keep' }
  const ending = report.phase === 'ended' ? endingBy(report.verdict, opening) : endingUndialled('not_dialled')
  const kind = kindOfEnd(report, ending)
  if (isRunning(opening)) return { kind: 'end', end: `reported${kind}`, ending }
  // The gateway's own timeout also replaces the cloud's timeout, which only says that no report came.
  const isAllowed = ending.status === opening.status || transitions[opening.status].includes(ending.status)
  if (!isAllowed) return { kind: 'keep' }
  return { kind: 'end', end: `corrected${kind}`, ending }
}
