// The ends that time brings to an opening, and what follows in memory when one has ended.

import type { ReasonWord } from '@callgate/contract/call/reason'
import {
  grantWithinMs,
  hintEveryMs,
  lockedAtMostMs,
  terminalAfterRestartMs,
  terminalWithinMs,
} from '@callgate/contract/wire/timing'
import { type Moment, moment, type World } from '@callgate/world/world'
import type { GatewayClock } from '../core/gatewayClock.ts'
import { type Ending, endingUndialled, endingUnknown, isRunning, type OpeningRow } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import type { Accepted, OpeningClock } from './openingClock.ts'
import { type Ended, endOpening, findOpening } from './openingRows.ts'

/** The way to the gateways; `gatewayWire.ts` is the real one. */
export interface GatewayDoor {
  /** The Space's gateways that are connected and alive, the likeliest first. */
  online(spaceId: string): readonly string[]
  /** What the clocks of those gateways showed at a press, as far as they were heard before it. */
  clocks(spaceId: string, pressedAt: Moment): ReadonlyMap<string, GatewayClock>
  /** Rings the doorbell. It may be lost. */
  hint(gatewayId: string, openingId: string): void
}

export interface OpeningEnds {
  /** From now on the opening's age counts, and brings its ends. */
  accept(openingId: string, accepted: Accepted): void
  /** Rings gateways until one claims the opening. */
  lead(openingId: string, spaceId: string): void
  /** Whether the opening may still be granted, by its age. */
  isInTime(row: OpeningRow): boolean
  /** What is to be done in memory when a transaction that ended openings has been committed. */
  afterEnd(ended: Ended): void
  /** The call that ended last on a number, as far as this process was told. */
  lastCallId(spaceId: string, phoneNumber: string): string | undefined
  /** A gateway declines. When every gateway of the Space that is online has, the opening ends. */
  decline(row: OpeningRow, gatewayId: string, reason: ReasonWord): Promise<void>
  /** Ends what a former run of the cloud left ungranted, and takes up the rest. */
  resume(): Promise<void>
}

export function openingEnds(parts: {
  world: World
  database: Database
  door: GatewayDoor
  clock: OpeningClock
}): OpeningEnds {
  const { clock, database, door, world } = parts
  /** Why the gateways that declined an opening did so. */
  const declined = new Map<string, Map<string, ReasonWord>>()
  /** The call that ended last on a number: the wall clock, by which the rows say it, may be moved at any time. */
  const lastCalls = new Map<string, string>()
  const numberKey = (spaceId: string, phoneNumber: string) => `${spaceId} ${phoneNumber}`

  const isInTime = (row: OpeningRow) => (clock.furthestAgeMs(row.id) ?? grantWithinMs) < grantWithinMs

  const isUngranted = (row: OpeningRow) =>
    row.status === 'initiated' && row.gatewayId === null && row.joinedOpeningId === null

  /** For as long as the clock knows when it ended: by then the gate has come to rest. */
  function rememberCall({ id, phoneNumber, spaceId }: OpeningRow) {
    const key = numberKey(spaceId, phoneNumber)
    const forget = () => {
      if (lastCalls.get(key) === id) lastCalls.delete(key)
    }
    if (clock.onceForgotten(id, forget)) lastCalls.set(key, id)
  }

  function afterEnd(ended: Ended) {
    if (ended.dialled) rememberCall(ended.row)
    for (const openingId of ended.endedIds) {
      clock.ended(openingId)
      declined.delete(openingId)
    }
    if (ended.heir) lead(ended.heir.id, ended.heir.spaceId)
  }

  async function endWhere(
    openingId: string,
    isDue: (row: OpeningRow) => boolean,
    how: { ending: (tx: Db, row: OpeningRow) => Promise<Ending>; dialled: boolean; mayHandOver: boolean },
  ): Promise<void> {
    const ended = await database.write(async tx => {
      const row = await findOpening(tx, openingId)
      if (!row || !isDue(row)) return undefined
      const { dialled } = how
      const atMs = world.nowMs()
      const inTime = how.mayHandOver ? isInTime : () => false
      return endOpening(tx, {
        row,
        ending: await how.ending(tx, row),
        atMs,
        isSettled: false,
        freesNumber: !dialled,
        dialled,
        isInTime: inTime,
      })
    })
    if (ended) afterEnd(ended)
  }

  /** Nobody took it in time. A gateway that calls elsewhere claims nothing meanwhile, and declines nothing either. */
  async function whyUngranted(tx: Db, { spaceId }: OpeningRow): Promise<ReasonWord> {
    const call = await tx<OpeningRow>('openings')
      .where({ spaceId })
      .whereNotNull('gatewayId')
      .whereIn('status', ['initiated', 'connected'])
      .first('id')
    return call && door.online(spaceId).length > 0 ? 'modem_busy' : 'gateway_offline'
  }

  function endUngranted(openingId: string, reason: ReasonWord | undefined) {
    return endWhere(openingId, isUngranted, {
      ending: async (tx, row) => endingUndialled(reason ?? (await whyUngranted(tx, row))),
      dialled: false,
      mayHandOver: true,
    })
  }

  function endUnreported(openingId: string) {
    const ending = async () => endingUnknown('no_report')
    return endWhere(openingId, isRunning, { ending, dialled: true, mayHandOver: false })
  }

  /** An opening that could not be ended at its time ends now: a number is never freed under a running call. */
  async function freeNumber(openingId: string) {
    await endUnreported(openingId)
    await database.write(tx => tx('openings').where({ id: openingId }).update({ lockedNumber: null }))
  }

  /** Work that nobody waits for. What fails is logged and tried again until the cloud stops: an opening must end. */
  function run(work: () => Promise<void>, pauseMs = 1_000) {
    work().catch((error: unknown) => {
      world.log.error('an opening could not be ended', { error: String(error), pauseMs })
      if (!clock.isStopped()) world.after(pauseMs, () => run(work, Math.min(30_000, pauseMs * 2)))
    })
  }

  /** Whatever becomes of the transaction that accepts it: one that failed may have been committed all the same. */
  function accept(openingId: string, accepted: Accepted) {
    clock.accept(openingId, accepted)
    clock.atAge(openingId, grantWithinMs, () => {
      const doubted = clock.isDoubted(openingId) ? 'interrupted' : undefined
      const said = [...(declined.get(openingId)?.values() ?? [])].at(-1) ?? doubted
      run(() => endUngranted(openingId, said))
    })
    clock.atAge(openingId, terminalWithinMs, () => run(() => endUnreported(openingId)))
    clock.onceHeld(openingId, lockedAtMostMs, () => run(() => freeNumber(openingId)))
  }

  function lead(openingId: string, spaceId: string) {
    const asked = new Set<string>()
    const ring = () => {
      const online = door.online(spaceId)
      const next = online.find(gatewayId => !asked.has(gatewayId))
      if (next) asked.add(next)
      for (const gatewayId of online) if (asked.has(gatewayId)) door.hint(gatewayId, openingId)
    }
    ring()
    clock.repeat(openingId, hintEveryMs, ring)
  }

  async function decline(row: OpeningRow, gatewayId: string, reason: ReasonWord) {
    const said = declined.get(row.id) ?? new Map<string, ReasonWord>()
    // One that is not known any more has ended, or is about to. It may have ended while the word was on its way.
    if (said.size === 0 && !clock.onceForgotten(row.id, () => declined.delete(row.id))) return
    declined.set(row.id, said.set(gatewayId, reason))
    const open = door.online(row.spaceId).filter(online => !said.has(online))
    if (open.length === 0) await endUngranted(row.id, reason)
  }

  async function resume() {
    const left = await database
      .knex<OpeningRow>('openings')
      .whereIn('status', ['initiated', 'connected'])
      .orWhereNotNull('lockedNumber')
    for (const row of left) {
      if (isUngranted(row)) {
        const ending = async () => endingUndialled('interrupted')
        await endWhere(row.id, isUngranted, { ending, dialled: false, mayHandOver: false })
        continue
      }
      if (row.joinedOpeningId !== null) continue
      // The wall clock may have jumped while the cloud was down: nothing ends before the gateway had a moment to report,
      // and what seems to come from the future is as old as anything.
      const byWallMs = world.nowMs() - Date.parse(row.calledAt)
      const oldestMs = terminalWithinMs - terminalAfterRestartMs
      const since = byWallMs < 0 ? oldestMs : Math.min(byWallMs, oldestMs)
      const now = moment(world)
      // Its call may have begun just before the restart, whatever the row says: its number is held for the full time.
      accept(row.id, {
        since: { monotonicMs: now.monotonicMs - since, sinceBootMs: now.sinceBootMs - since },
        heldSince: now,
      })
    }
  }

  function lastCallId(spaceId: string, phoneNumber: string) {
    return lastCalls.get(numberKey(spaceId, phoneNumber))
  }

  return { accept, afterEnd, decline, isInTime, lastCallId, lead, resume }
}
