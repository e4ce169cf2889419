// The ends of openings by time, and what follows in memory when an opening has ended.

import type { ReasonWord } from '@callgate/contract/call/reason'
import {
  grantWithinMs,
  lockedAtMostMs,
  terminalAfterRestartMs,
  terminalWithinMs,
} from '@callgate/contract/wire/timing'
import { moment, type World } from '@callgate/world/world'
import {
  type Ending,
  endingUndialled,
  endingUnknown,
  isRunning,
  isUngranted,
  type OpeningRow,
} from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { Replica } from '../replica/replica.ts'
import type { EndKind } from './core/openingEnd.ts'
import { Declines } from './declines.ts'
import { type Ended, endOpening } from './endOpening.ts'
import { type Asking, hintUntilClaimed, reachable } from './gatewayEndpoint.ts'
import { LastCalls } from './lastCalls.ts'
import type { Accepted, OpeningClock } from './openingClock.ts'
import { passedEnd } from './openingHops.ts'
import type { Named, OpeningNews } from './openingNews.ts'
import { findOpening, openingsLeft, orphanedOpenings, runningOpenings } from './openingRows.ts'
import { readGateCallers } from './permits.ts'
import { UnheardModems } from './unheardModems.ts'

interface OpeningEndsParts extends Asking {
  readonly world: World
  readonly database: Database
  readonly clock: OpeningClock
  readonly replica: Replica
  /** Undefined: the cloud is alone, so no other process ends an opening. */
  readonly news?: OpeningNews | undefined
}

/** An end that is written if `isDue` is still true in the transaction. */
interface DueEnd {
  readonly end: EndKind
  readonly isDue: (row: OpeningRow) => boolean
  readonly ending: (tx: Db, row: OpeningRow) => Promise<Ending> | Ending
}

const namedOf = ({ id, spaceId }: OpeningRow): Named => ({ openingId: id, spaceId })

export class OpeningEnds {
  readonly #parts: OpeningEndsParts
  readonly #declines: Declines
  readonly #lastCalls: LastCalls
  readonly unheard: UnheardModems
  /** For each running opening, the function that stops following it. */
  readonly #unfollow = new Map<string, () => void>()

  constructor(parts: OpeningEndsParts) {
    this.#parts = parts
    this.#declines = new Declines(parts.clock)
    this.#lastCalls = new LastCalls(parts.clock)
    this.unheard = new UnheardModems(parts.clock, row => this.#run(() => this.#freeNumber(namedOf(row))))
  }

  /**
   * Starts to count the opening's age and to end it in time. Called before the commit that accepts the opening, because a commit
   * whose answer was lost may have succeeded.
   */
  accept(opening: Named, accepted: Accepted): void {
    const { clock } = this.#parts
    const { openingId } = opening
    clock.accept(openingId, accepted)
    clock.atAge(openingId, grantWithinMs, () => {
      const inDoubt = clock.isDoubted(openingId) ? 'interrupted' : undefined
      const reason = this.#declines.lastReason(openingId) ?? inDoubt
      this.#run(() => this.#endUnclaimed(opening, reason))
    })
    clock.atAge(openingId, terminalWithinMs, () => this.#run(() => this.#endUnreported(opening)))
    clock.onceHeld(openingId, lockedAtMostMs, () => this.#run(() => this.#freeNumber(opening)))
    this.#follow(opening)
  }

  #follow(opening: Named): void {
    const { clock, news } = this.#parts
    if (!news) return
    const { openingId } = opening
    this.#leave(openingId)
    this.#unfollow.set(
      openingId,
      news.follow(opening, row => this.#catchUp(row)),
    )
    clock.onceForgotten(openingId, () => this.#leave(openingId))
  }

  /** Stops following the opening: changes by other replicas do not concern it any more. */
  #leave(openingId: string): void {
    this.#unfollow.get(openingId)?.()
    this.#unfollow.delete(openingId)
  }

  /** Updates memory from the row: another replica may have ended the opening, or made it the leader. */
  #catchUp(row: OpeningRow): void {
    const { clock, replica } = this.#parts
    if (!isRunning(row)) {
      this.#parts.failing.note(row, row)
      this.#afterEndOf(row.id)
    } else if (isUngranted(row) && replica.isMine(row) && !clock.isRepeated(row.id)) this.#leadNow(row)
  }

  /** Hints gateways for an opening that takes over the lead. */
  #leadNow(row: OpeningRow): void {
    const { clock, database } = this.#parts
    this.#run(async () => {
      const callers = await readGateCallers(database.knex, row)
      const { gateId, id: openingId, spaceId } = row
      if (!clock.isRepeated(openingId)) hintUntilClaimed(this.#parts, { openingId, spaceId, gateId, callers })
    })
  }

  /** Whether the opening may still be granted, by its age. The age of another replica's opening is read from its row. */
  isInTime(row: OpeningRow, nowMs: number): boolean {
    const { clock, replica } = this.#parts
    if (replica.isMine(row)) return (clock.furthestAgeMs(row.id) ?? grantWithinMs) < grantWithinMs
    return replica.seemsOwned(row) && nowMs < Date.parse(row.grantBefore)
  }

  /** Updates memory after the commit of a transaction that has ended openings. */
  afterEnd(ended: Ended): void {
    if (ended.dialled) this.#lastCalls.remember(ended.row)
    this.#parts.failing.note(ended.row, ended.ending)
    for (const openingId of ended.endedIds) {
      passedEnd({ ...ended.row, id: openingId }, ended.ending, !isRunning(ended.row))
      this.#afterEndOf(openingId, openingId === ended.row.id ? { ...ended.row, ...ended.ending } : undefined)
    }
    // Another replica leads its own openings; it learns of this by the events.
    if (ended.heir && this.#parts.replica.isMine(ended.heir)) this.#leadNow(ended.heir)
  }

  #afterEndOf(openingId: string, row?: OpeningRow): void {
    this.#parts.clock.ended(openingId, row)
    this.#declines.forget(openingId)
    this.#leave(openingId)
  }

  /** The call that ended last on a number; undefined where this process remembers none. */
  lastCallId(spaceId: string, phoneNumber: string): string | undefined {
    return this.#lastCalls.find({ spaceId, phoneNumber })
  }

  /**
   * Records that a gateway declines, and asks the next one at once. The opening ends once every gateway that is online and may
   * call the gate has declined.
   */
  async decline(row: OpeningRow, gatewayId: string, reason: ReasonWord): Promise<void> {
    const reasons = this.#declines.add(row.id, gatewayId, reason)
    if (!reasons) return
    const { database, endpoint } = this.#parts
    const callers = await readGateCallers(database.knex, row)
    const open = reachable(this.#parts, { ...row, callers }).filter(id => !reasons.has(id))
    const [next] = open
    if (next !== undefined) return endpoint.hint(next, row.id)
    const ending = () => endingUndialled(reason)
    await this.#endWhere(namedOf(row), { end: 'declined', isDue: isUngranted, ending })
  }

  /** Ends the ungranted openings of an earlier run of the cloud, and waits for the granted ones. */
  async resume(): Promise<void> {
    const { database, world } = this.#parts
    for (const row of await openingsLeft(database.knex)) {
      if (isUngranted(row)) await this.#endInterrupted(namedOf(row))
      else if (row.joinedOpeningId === null) this.#acceptAgain(row, this.#sinceCalledMs(row, world.nowMs()))
    }
  }

  /** Does the same for the openings of replicas that are gone, while this one serves. */
  async takeOver(): Promise<void> {
    const { database, replica } = this.#parts
    const { knex } = database
    const left = await orphanedOpenings(knex, replica.nowMs())
    const inSpace = new Map<string, Promise<void>>()
    // A Space that is locked by another transaction does not delay the others.
    for (const row of left) {
      if (row.joinedOpeningId !== null) continue
      const before = inSpace.get(row.spaceId) ?? Promise.resolve()
      inSpace.set(
        row.spaceId,
        before.then(() => this.#takeOver(namedOf(row))),
      )
    }
    const ends = await Promise.allSettled(inSpace.values())
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  /** Each replica checks again in its transaction, so one of them takes the opening over, once. */
  async #takeOver({ openingId, spaceId }: Named): Promise<void> {
    const { database, replica, world } = this.#parts
    await database.write(
      async tx => {
        const row = await findOpening(tx, openingId)
        const isOver = !row || (!isRunning(row) && row.lockedNumber === null)
        if (isOver || row.joinedOpeningId !== null || (await replica.hasLiveOwner(tx, row))) return undefined
        const atMs = timeIn(tx, world)
        const ending = endingUndialled('interrupted')
        if (isUngranted(row))
          return { ended: await endOpening(tx, { row, end: 'interrupted', ending, atMs }) }
        await tx('openings').where({ id: openingId }).update(replica.mark())
        return { adopted: row, sinceCalledMs: this.#sinceCalledMs(row, atMs) }
      },
      {
        spaceId,
        committed: taken => {
          if (taken?.ended) this.afterEnd(taken.ended)
          if (taken?.adopted) this.#acceptAgain(taken.adopted, taken.sinceCalledMs)
        },
      },
    )
  }

  /** How long ago the press was, at most: a row from the future counts as old. */
  #sinceCalledMs({ calledAt }: OpeningRow, nowMs: number): number {
    const atMs = Date.parse(calledAt)
    const byWallMs = atMs > nowMs ? Number.POSITIVE_INFINITY : nowMs - atMs
    return this.#parts.replica.mostAgoMs(atMs, nowMs) ?? byWallMs
  }

  /** The wall clock may have jumped while the cloud was down, so nothing ends before its gateway had time to report. */
  #acceptAgain(row: OpeningRow, sinceCalledMs: number): void {
    const { world } = this.#parts
    const since = Math.min(sinceCalledMs, terminalWithinMs - terminalAfterRestartMs)
    const now = moment(world)
    this.accept(namedOf(row), {
      since: { monotonicMs: now.monotonicMs - since, sinceBootMs: now.sinceBootMs - since },
      // Its call may have begun just before the restart, whatever the row says, so the number is held for the full time.
      heldSince: now,
    })
  }

  async #endWhere({ openingId, spaceId }: Named, { end, ending, isDue }: DueEnd): Promise<void> {
    const { database, replica, world } = this.#parts
    await database.write(
      async tx => {
        const row = await findOpening(tx, openingId)
        if (!row || !replica.isMine(row) || !isDue(row)) return undefined
        const atMs = timeIn(tx, world)
        const isInTime = (joiner: OpeningRow) => this.isInTime(joiner, atMs)
        return endOpening(tx, { row, end, ending: await ending(tx, row), atMs, isInTime })
      },
      { spaceId, committed: ended => ended && this.afterEnd(ended) },
    )
  }

  #endInterrupted(opening: Named) {
    const ending = () => endingUndialled('interrupted')
    return this.#endWhere(opening, { end: 'interrupted', isDue: isUngranted, ending })
  }

  #endUnclaimed(opening: Named, reason: ReasonWord | undefined) {
    const ending = async (tx: Db, row: OpeningRow) =>
      endingUndialled(reason ?? (await this.#whyUnclaimed(tx, row)))
    return this.#endWhere(opening, { end: 'unclaimed', isDue: isUngranted, ending })
  }

  /** The reason of an unclaimed opening. A gateway that is in a call neither claims nor declines. */
  async #whyUnclaimed(tx: Db, row: OpeningRow): Promise<ReasonWord> {
    const { spaceId } = row
    const callers = await readGateCallers(tx, row)
    const call = await runningOpenings(tx).where({ spaceId }).whereNotNull('gatewayId').first('id')
    return call && reachable(this.#parts, { ...row, callers }).length > 0 ? 'modem_busy' : 'gateway_offline'
  }

  #endUnreported(opening: Named) {
    const ending = () => endingUnknown('no_report')
    return this.#endWhere(opening, { end: 'unreported', isDue: isRunning, ending })
  }

  /** Frees the number. An opening that could not be ended in time ends first, because its call may still run. */
  async #freeNumber(opening: Named) {
    const { openingId: id, spaceId } = opening
    await this.#endUnreported(opening)
    const { database, replica } = this.#parts
    const own = { id, ...replica.mark() }
    await database.write(tx => tx('openings').where(own).update({ lockedNumber: null }), { spaceId })
  }

  /** Runs work in the background. A failure is logged and retried until the cloud stops, because every opening must end. */
  #run(work: () => Promise<void>, pauseMs = 1_000): void {
    const { clock, world } = this.#parts
    work().catch((error: unknown) => {
      world.log.error('an opening could not be ended', { error: String(error), pauseMs })
      if (!clock.isStopped()) world.after(pauseMs, () => this.#run(work, Math.min(30_000, pauseMs * 2)))
    })
  }
}
