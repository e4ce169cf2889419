// Handles reports: a report moves its opening on, or is kept as evidence.

import type { GateCallers } from '@callgate/contract/call/gateCallers'
import { type Ack, tellsOfCall } from '@callgate/contract/wire/messages'
import { passed } from '@callgate/world/hops'
import { measured } from '@callgate/world/measures'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Ending, OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { earlyRead, sent } from '../database/pipeline.ts'
import { statement } from '../database/statement.ts'
import { findGateway } from '../gateway/gatewayRows.ts'
import type { GatewaySpaces } from '../gateway/gatewaySpaces.ts'
import type { BeatsAside } from '../heartbeat/beatsAside.ts'
import type { GatewayLimits } from '../heartbeat/gatewayLimits.ts'
import type { Replica } from '../replica/replica.ts'
import { keepStrayReport } from '../restore/restores.ts'
import { endedAtMs } from './core/openingEnd.ts'
import { decideReport, isForAnother, type ReportDecision } from './core/reportDecision.ts'
import { type Ended, endOpening } from './endOpening.ts'
import { type Asking, isAnotherNext } from './gatewayEndpoint.ts'
import type { OpeningClock } from './openingClock.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { recordSteps } from './openingEvents.ts'
import { findOpening, findOpeningWithCallers, joinersOf } from './openingRows.ts'
import { doubt } from './openingsAfterLoss.ts'
import { costOf, isNews, keepReport, reportAt, type VerifiedReport } from './reportRecord.ts'

const markConnected = statement<{ readonly id: string }, never>((db, opening) =>
  db('openings').where(opening).update({ status: 'connected' }),
)

/** How long a replica waits for the commit of the replica that owns the opening, before it applies a report itself. */
const ownerWithinMs = 1_000

/** Checks, as a call of a gate ends, whether its calls still fit its measured profile. */
export type NoteDrift = (
  tx: Knex.Transaction,
  world: World,
  opening: OpeningRow,
  ending: Ending,
) => Promise<void>

/** What a report reads until it has ended its opening. */
function readsOf({ bootId, gatewayId, openingId, seq }: VerifiedReport) {
  return {
    seen: earlyRead(tx => reportAt(tx, { gatewayId, bootId, seq })),
    gateway: earlyRead(tx => findGateway(tx, gatewayId)),
    found: earlyRead(tx => findOpeningWithCallers(tx, openingId)),
    joiners: earlyRead(tx => joinersOf(tx, { joinedOpeningId: openingId })),
  }
}

type Reads = ReturnType<typeof readsOf>

/** A report with what is read for it. */
interface ReadReport extends VerifiedReport {
  readonly callers: GateCallers
  readonly reads: Reads
}

interface ReportsParts extends Asking {
  readonly aside: Pick<BeatsAside, 'wake'>
  readonly clock: Pick<OpeningClock, 'ageMs'>
  readonly world: World
  readonly database: Database
  readonly ends: Pick<OpeningEnds, 'afterEnd' | 'decline' | 'isInTime' | 'unheard'>
  readonly limits: GatewayLimits
  readonly spaces: GatewaySpaces
  readonly replica: Replica
  readonly noteDrift: NoteDrift
}

/** The result of a transaction on a report. */
interface Taken {
  readonly ack: Ack
  /** The bytes that were written without an effect; undefined where the report moved its opening on, which costs nothing. */
  readonly bytes: number | undefined
  readonly ended?: Ended | undefined
  readonly isRinging?: boolean
  /** The report is about a call for which the data has no grant. */
  readonly isStray?: boolean
  readonly declined?: { readonly opening: OpeningRow; readonly reason: DeclinedReason }
}

type DeclinedReason = Extract<ReportDecision, { kind: 'decline' }>['reason']

export class Reports {
  readonly #parts: ReportsParts

  constructor(parts: ReportsParts) {
    this.#parts = parts
  }

  /** Undefined: another replica has applied the report, and acknowledges it. */
  async receive(verified: VerifiedReport): Promise<Ack | undefined> {
    return (await this.#isAppliedByOwner(verified)) ? undefined : this.#receive(verified)
  }

  /** Whether the replica that owns the opening has applied the report, or does so within `ownerWithinMs`. */
  async #isAppliedByOwner({ bootId, gatewayId, openingId, seq }: VerifiedReport): Promise<boolean> {
    const { clock, database, replica, world } = this.#parts
    if (replica.isAlone || clock.ageMs(openingId) !== undefined) return false
    const { knex } = database
    const opening = await findOpening(knex, openingId)
    if (!opening || replica.isMine(opening) || !(await replica.hasLiveOwner(knex, opening))) return false
    await new Promise<void>(resolve => world.after(ownerWithinMs, resolve))
    return (await reportAt(knex, { gatewayId, bootId, seq })).length > 0
  }

  async #receive(verified: VerifiedReport): Promise<Ack> {
    const { aside, database, ends, limits, spaces } = this.#parts
    const { gatewayId } = verified
    const spaceId = await spaces.find(gatewayId)
    // The other gateways decide whether the next press is safe, and the next beats of this one when its modem is free.
    if (spaceId !== null) await aside.wake(spaceId)
    const reads = readsOf(verified)
    const { ack, declined } = await database.write(
      async tx => {
        const done = await this.#take(tx, verified, reads)
        // Reports with an effect need no limit: there are no more of them than granted openings.
        const costs =
          done.bytes === undefined || verified.isByStandIn ? {} : { reports: 1, bytes: done.bytes }
        return { ...done, count: await limits.charge(tx, gatewayId, costs) }
      },
      {
        spaceId,
        committed: ({ count, ended, isRinging, isStray }) => {
          if (isStray) this.#tellStray(verified)
          if (isRinging) passed('ringing', { openingId: verified.openingId })
          count()
          if (ended) ends.afterEnd(ended)
          if (ended) ends.unheard.reported(ended, verified)
        },
        first: Object.values(reads),
      },
    )
    if (declined) await ends.decline(declined.opening, gatewayId, declined.reason)
    return ack
  }

  #tellStray({ gatewayId, openingId }: VerifiedReport): void {
    measured({ kind: 'stray_report' })
    const { log } = this.#parts.world
    log.warn('a gateway tells of a call that the data has no grant for: has the data gone back?', {
      gatewayId,
      openingId,
    })
  }

  async #take(tx: Knex.Transaction, verified: VerifiedReport, reads: Reads): Promise<Taken> {
    const { openingId } = verified
    const [seen] = await reads.seen.in(tx)
    // Another cloud may have stored a decline. The owner must still act on it, because only the owner knows who has declined.
    const isDecline = seen?.openingId === openingId && seen.phase === 'declined'
    if (seen && !isDecline) return { ack: { result: 'duplicate' }, bytes: 0 }
    const gateway = await reads.gateway.in(tx)
    const { callers, opening: found } = await reads.found.in(tx)
    const isAdmitted = verified.isByStandIn ? Boolean(gateway?.isStandIn) : gateway?.revokedAt === null
    const isItsOwn = isAdmitted && gateway?.spaceId === found?.spaceId
    const opening = isItsOwn ? found : undefined
    const decision = decideReport(opening, verified, verified.report)
    if (opening && decision.kind !== 'refuse')
      return this.#keep(tx, { ...verified, callers, reads }, opening, decision)
    const stray = gateway?.revokedAt === null && (await this.#keepStray(tx, verified, opening))
    if (stray) return stray
    const reason = decision.kind === 'refuse' ? decision.reason : 'unknown_opening'
    return { ack: { result: 'refused', reason }, bytes: 0 }
  }

  /**
   * Keeps a report without a grant. The answer is the same for an opening of another Space and for an unknown one, so it reveals
   * nothing about other Spaces.
   */
  async #keepStray(
    tx: Knex.Transaction,
    verified: VerifiedReport,
    opening: OpeningRow | undefined,
  ): Promise<Taken | undefined> {
    const { world } = this.#parts
    const isCall = tellsOfCall(verified.report)
    if (!(await keepStrayReport(tx, world, verified, isCall))) return undefined
    const ended = opening && isCall ? await doubt(tx, world, opening) : undefined
    return { ack: { result: 'applied' }, bytes: costOf(verified.body), ended, isStray: isCall }
  }

  /** Stores the report where it adds information, and applies it. */
  async #keep(
    tx: Knex.Transaction,
    verified: ReadReport,
    opening: OpeningRow,
    decision: ReportDecision,
  ): Promise<Taken> {
    const declined = decision.kind === 'decline' ? { declined: { opening, reason: decision.reason } } : {}
    // The gateway still gets its acknowledgement, and forgets the report.
    if (!(await isNews(tx, opening, verified, decision)))
      return { ...declined, ack: { result: 'duplicate' }, bytes: 0 }
    const { body, bootId, gatewayId, openingId, report, seq, signature } = verified
    const receivedAt = isoTime(timeIn(tx, this.#parts.world))
    const told = { openingId, gatewayId, bootId, seq, phase: report.phase, body, signature }
    await sent(tx, keepReport(tx, { ...told, receivedAt }))
    const ended = await this.#apply(tx, opening, verified, decision)
    const isIdle = decision.kind === 'keep' || decision.kind === 'decline'
    const isRinging = decision.kind === 'connect'
    const bytes = isIdle ? costOf(body) : undefined
    return { ...declined, ack: { result: 'applied' }, ended, isRinging, bytes }
  }

  async #apply(
    tx: Knex.Transaction,
    opening: OpeningRow,
    { callers, reads, report }: ReadReport,
    decision: ReportDecision,
  ): Promise<Ended | undefined> {
    const { ends, noteDrift, world } = this.#parts
    if (decision.kind === 'connect') {
      await sent(tx, markConnected(tx, { id: opening.id }))
      const joined = await reads.joiners.in(tx)
      await recordSteps(tx, opening, ['ringing'], { atMs: timeIn(tx, world), joined })
    }
    if (decision.kind !== 'end') return undefined
    const sinceClaimMs = 'sinceClaimMs' in report ? report.sinceClaimMs : null
    const nowMs = timeIn(tx, world)
    const atMs = endedAtMs(opening, sinceClaimMs, nowMs)
    const isInTime = (joiner: OpeningRow) => ends.isInTime(joiner, nowMs)
    const { end } = decision
    const ending = this.#endingOf(opening, callers, decision.ending)
    const joiners = await reads.joiners.in(tx)
    const ended = await endOpening(tx, { row: opening, end, ending, atMs, isInTime, joiners, callers })
    await noteDrift(tx, world, opening, ending)
    return ended
  }

  /** Marks an ending as safe to retry where another gateway can serve the next press. The reporting gateway cannot know that. */
  #endingOf({ gateId, gatewayId, spaceId }: OpeningRow, callers: GateCallers, said: Ending): Ending {
    if (!isForAnother(said)) return said
    return { ...said, safeToRetry: isAnotherNext(this.#parts, { callers, gateId, gatewayId, spaceId }) }
  }
}
