// The record of reports: each is stored once, only while it adds information, and within limits.

import type { Report } from '@callgate/contract/wire/messages'
import { isRunning, type OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'
import type { ReportDecision } from './core/reportDecision.ts'

/** A report with a valid signature. */
export interface VerifiedReport {
  readonly gatewayId: string
  readonly openingId: string
  readonly bootId: string
  readonly seq: number
  readonly report: Report
  /** As sent, for the record. */
  readonly body: string
  readonly signature: string
  /** Made by the stand-in of a sandbox, inside this process. */
  readonly isByStandIn?: true
}

/** What a gateway says of a call that is over. */
export type EndReport = Extract<Report, { phase: 'ended' }>

interface ReportPlace extends Values {
  readonly gatewayId: string
  readonly bootId: string
  readonly seq: number
}

export const reportAt = statement<ReportPlace, { readonly openingId: string; readonly phase: string }>(
  (db, place) => db('openingReports').select('openingId', 'phase').where(place),
)
export const keepReport = statement<Values, never>((db, report) => db('openingReports').insert(report))
const reportsOf = statement<{ readonly openingId: string }, { readonly [name: string]: unknown }>(
  (db, opening) => db('openingReports').select('gatewayId', 'bootId', 'phase').where(opening),
)

/** How many reports without an effect are kept for one opening and gateway. A call has three, and one more with a restart. */
export const mostKept = 16

/** The size of a report's row in the database, bytes. */
export const costOf = (body: string) => body.length + 300

const endOf = statement<{ readonly openingId: string }, { readonly body: string }>((db, { openingId }) =>
  db('openingReports').select('body').where({ openingId, phase: 'ended' }).limit(1),
)

/** The report of the end of a call; undefined where there is none. */
export async function endReport(db: Db, openingId: string): Promise<EndReport | undefined> {
  const [end] = await endOf(db, { openingId })
  const report = end && (JSON.parse(end.body) as Report)
  return report?.phase === 'ended' ? report : undefined
}

/** Whether the report adds anything to the record of its opening. */
export async function isNews(
  tx: Db,
  opening: OpeningRow,
  of: VerifiedReport,
  decision: ReportDecision,
): Promise<boolean> {
  if (decision.kind === 'end' || decision.kind === 'connect') return true
  const { phase } = of.report
  // The gateway does not call, and the opening is called by another gateway or has ended without this one.
  const isIdle = phase === 'declined' || (phase === 'not_dialled' && opening.gatewayId === null)
  if (decision.kind === 'keep' && isIdle && !(phase === 'not_dialled' && isRunning(opening))) return false
  const kept = (await reportsOf(tx, { openingId: opening.id })).filter(one => one.gatewayId === of.gatewayId)
  const isKnown = kept.some(one => one.bootId === of.bootId && one.phase === phase)
  return !isKnown && kept.length < mostKept
}
