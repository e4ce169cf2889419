// What a report does: it moves its opening on, or is kept as evidence, within bounds.

import type { Ack, Report } from '@callgate/contract/wire/messages'
import { isoTime, type World } from '@callgate/world/world'
import { decideReport, endedAtMs, isRunning, type OpeningRow, type ReportDecision } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'
import { findGateway } from './gatewayBoots.ts'
import type { GatewayLimits } from './gatewayLimits.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { endOpening, findOpening } from './openingRows.ts'
import { keepStrayReport } from './restores.ts'

/** A report whose signature holds. */
export interface VerifiedReport {
  readonly gatewayId: string
  readonly openingId: string
  readonly bootId: string
  readonly seq: number
  readonly report: Report
  /** As sent, for the record. */
  readonly body: string
  readonly signature: string
}

interface ReportPlace extends Values {
  readonly gatewayId: string
  readonly bootId: string
  readonly seq: number
}

const reportAt = statement<ReportPlace, object>((db, place) => db('openingReports').where(place))
const keepReport = statement<Values, never>((db, report) => db('openingReports').insert(report))
const reportsOf = statement<{ readonly openingId: string }, { readonly [name: string]: unknown }>(
  (db, opening) => db('openingReports').select('gatewayId', 'bootId', 'phase').where(opening),
)

/** Reports without an effect that are kept of one opening and gateway. A call has three, and a restart in it one more. */
export const mostKept = 16

/** What a row of a report takes in the database, bytes. */
const costOf = (body: string) => body.length + 300

/** Whether the report tells anything that the record of its opening does not have yet. */
async function isNews(
  tx: Db,
  opening: OpeningRow,
  of: VerifiedReport,
  decision: ReportDecision,
): Promise<boolean> {
  if (decision.kind === 'end' || decision.kind === 'connect') return true
  const { phase } = of.report
  // That a gateway would not have called, of an opening that another one calls, or that has ended without it.
  const isIdle = phase === 'declined' || (phase === 'not_dialled' && opening.gatewayId === null)
  if (decision.kind === 'keep' && isIdle && !(phase === 'not_dialled' && isRunning(opening))) return false
  const kept = (await reportsOf(tx, { openingId: opening.id })).filter(one => one.gatewayId === of.gatewayId)
  const isSaid = kept.some(one => one.bootId === of.bootId && one.phase === phase)
  return !isSaid && kept.length < mostKept
}

export function reports(parts: {
  world: World
  database: Database
  ends: Pick<OpeningEnds, 'afterEnd' | 'decline' | 'isInTime'>
  limits: GatewayLimits
}): (report: VerifiedReport) => Promise<Ack> {
  const { database, ends, limits, world } = parts

  async function apply(tx: Db, opening: OpeningRow, verified: VerifiedReport, decision: ReportDecision) {
    if (decision.kind === 'connect')
      await tx<OpeningRow>('openings').where({ id: opening.id }).update({ status: 'connected' })
    if (decision.kind !== 'end') return undefined
    const { report } = verified
    const sinceClaimMs = 'sinceClaimMs' in report ? report.sinceClaimMs : null
    const atMs = endedAtMs(opening, sinceClaimMs, world.nowMs())
    const { dialled, ending } = decision
    return endOpening(tx, {
      row: opening,
      ending,
      atMs,
      isSettled: true,
      freesNumber: true,
      dialled,
      isInTime: ends.isInTime,
    })
  }

  /** In one transaction; `bytes` is what was written without an effect, and 0 where nothing was. */
  async function take(tx: Db, verified: VerifiedReport) {
    const { body, bootId, gatewayId, openingId, seq, signature } = verified
    const [seen] = await reportAt(tx, { gatewayId, bootId, seq })
    if (seen) return { ack: { result: 'duplicate' }, bytes: 0 } as const
    const gateway = await findGateway(tx, gatewayId)
    const found = await findOpening(tx, openingId)
    const isItsOwn = gateway?.revokedAt === null && gateway.spaceId === found?.spaceId
    const opening = isItsOwn ? found : undefined
    const decision = decideReport(opening, verified, verified.report)
    if (!opening || decision.kind === 'refuse') {
      const isStray = gateway?.revokedAt === null && (isItsOwn || !found)
      if (isStray && (await keepStrayReport(tx, world, verified, found)))
        return { ack: { result: 'applied' }, bytes: costOf(body) } as const
      const reason = decision.kind === 'refuse' ? decision.reason : 'unknown_opening'
      return { ack: { result: 'refused', reason }, bytes: 0 } as const
    }
    const told = { opening, decision }
    // Acknowledged, so that its gateway lets go of it.
    if (!(await isNews(tx, opening, verified, decision)))
      return { ...told, ack: { result: 'duplicate' }, bytes: 0 } as const
    const { phase } = verified.report
    const sent = { openingId, gatewayId, bootId, seq, phase, body, signature }
    await keepReport(tx, { ...sent, receivedAt: isoTime(world.nowMs()) })
    const ended = await apply(tx, opening, verified, decision)
    const isIdle = decision.kind === 'keep' || decision.kind === 'decline'
    return {
      ...told,
      ack: { result: 'applied' },
      ended,
      bytes: isIdle ? costOf(body) : undefined,
    } as const
  }

  return async verified => {
    const { gatewayId } = verified
    const done = await database.write(async tx => {
      const taken = await take(tx, verified)
      // What moves an opening on costs nothing: there is no more of it than was granted.
      const { bytes } = taken
      const costs = bytes === undefined ? {} : { reports: 1, bytes }
      return { ...taken, count: await limits.charge(tx, gatewayId, costs) }
    })
    done.count()
    if ('ended' in done && done.ended) ends.afterEnd(done.ended)
    if ('decision' in done && done.decision.kind === 'decline')
      await ends.decline(done.opening, gatewayId, done.decision.reason)
    return done.ack
  }
}
