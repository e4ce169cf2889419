// What the stand-in of a sandbox reports for a number: the calls of the simulated modem, recorded.

import type { Evidence, Verdict } from '@callgate/contract/call/verdict'
import { type MagicName, magicEnds, magicOf } from '@callgate/contract/sandbox/magicNumbers'
import type { DeclineReason, Report } from '@callgate/contract/wire/messages'
import { terminalWithinMs } from '@callgate/contract/wire/timing'
import recorded from './recordedCalls.json' with { type: 'json' }

/** A call as the driver of the modem has told it. Times are milliseconds since the ATD. */
export interface RecordedCall {
  readonly ringingMs: number | null
  readonly answeredMs: number | null
  readonly endedMs: number
  readonly verdict: Verdict
  readonly evidence: Evidence
}

/** What the stand-in does with an opening: it declines it, or claims it and then reports at these times. */
export type Script =
  | { readonly kind: 'offline' }
  | { readonly kind: 'decline'; readonly reason: DeclineReason }
  | { readonly kind: 'claim'; readonly reports: readonly Timed[] }

/** A report, and when it is made: milliseconds since the claim. */
export interface Timed {
  readonly atMs: number
  readonly report: Report
}

const calls = recorded as unknown as Readonly<Record<string, RecordedCall>>

/** From the claim to the ATD, as on a Pi: the grant, INTENT on the card, and the command. */
const dialsAfterMs = 100
/** How long after the end by time the late report comes. */
const lateByMs = 20_000

/** The recorded call behind a name. A late report is about the usual call, and one that never comes is left out. */
function callOf(name: MagicName): RecordedCall | undefined {
  return calls[name === 'late_report' || name === 'no_report' ? 'rejected_after_ring' : name]
}

function reportsOf(name: MagicName, call: RecordedCall): readonly Timed[] {
  const { answeredMs, endedMs, evidence, ringingMs, verdict } = call
  const progress = [
    ...(ringingMs === null ? [] : [{ phase: 'ringing' as const, afterMs: ringingMs }]),
    ...(answeredMs === null ? [] : [{ phase: 'answered' as const, afterMs: answeredMs }]),
  ].map(({ afterMs, phase }) => {
    const atMs = dialsAfterMs + afterMs
    return { atMs, report: { phase, sinceClaimMs: atMs } }
  })
  if (name === 'no_report') return progress
  const sinceClaimMs = dialsAfterMs + endedMs
  const atMs = name === 'late_report' ? terminalWithinMs + lateByMs : sinceClaimMs
  return [...progress, { atMs, report: { phase: 'ended', sinceClaimMs, verdict, evidence } }]
}

/** The script of a gate's number; undefined for a number that no sandbox takes. */
export function scriptOf(phoneNumber: string): Script | undefined {
  const name = magicOf(phoneNumber)
  if (name === undefined) return undefined
  if (name === 'gateway_offline') return { kind: 'offline' }
  const { reason } = magicEnds[name]
  if (reason === 'modem_busy' || reason === 'modem_not_ready' || reason === 'no_network')
    return { kind: 'decline', reason }
  if (name === 'not_dialled')
    return {
      kind: 'claim',
      reports: [{ atMs: dialsAfterMs, report: { phase: 'not_dialled', sinceClaimMs: dialsAfterMs } }],
    }
  const call = callOf(name)
  return call && { kind: 'claim', reports: reportsOf(name, call) }
}
