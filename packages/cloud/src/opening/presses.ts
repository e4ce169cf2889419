// A press: one transaction that records an opening, which leads a call, joins one, or ends at once.

import { idPrefix } from '@callgate/contract/idPrefix'
import { grantWithinMs } from '@callgate/contract/wire/timing'
import { newId } from '@callgate/world/ids'
import { ageMs, isoTime, leastAgeMs, type Moment, moment, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { callsGate } from '../core/gateCallers.ts'
import { coolDownOf, longestCoolDownMs, type OpeningRow } from '../core/opening.ts'
import { stepsOfPress } from '../core/openingSteps.ts'
import { decidePress, type PressDecision, type PressFacts } from '../core/pressDecision.ts'
import type { Database, Db } from '../database/database.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { timeIn } from '../database/databaseTime.ts'
import { earlyRead } from '../database/pipeline.ts'
import type { BeatsAside } from '../heartbeat/beatsAside.ts'
import type { Replica } from '../replica/replica.ts'
import type { LostGrants } from '../restore/lostGrants.ts'
import { type GateReadiness, gateReadiness } from './core/gateReadiness.ts'
import { type Asking, hintLikeliest, hintUntilClaimed } from './gatewayEndpoint.ts'
import type { OpeningClock } from './openingClock.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { recordSteps } from './openingEvents.ts'
import { passedEnd, passedPress } from './openingHops.ts'
import { findNumberState, insertOpening, type NewOpening, readNumberOf } from './openingRows.ts'
import { type Permit, permitOf, readPermit } from './permits.ts'

interface Named {
  readonly actorName: string
  readonly actorEmail: string | null
}

type Ids = 'apiKeyId' | 'userId' | 'sessionId' | 'memberId' | 'accessId'
/** A principal with exactly these ids. */
type With<Own extends Ids> = { readonly [Id in Own]: string } & { readonly [Id in Exclude<Ids, Own>]?: never }

/** Who presses: an API key, a user in a session, or a guest by an access to this very gate. */
export type Actor = Named &
  (
    | ({ readonly actorType: 'owner' } & (With<'apiKeyId'> | With<'userId' | 'sessionId'>))
    | ({ readonly actorType: 'guest' } & With<'memberId' | 'accessId'>)
  )

export interface Press {
  readonly spaceId: string
  readonly gateId: string
  readonly actor: Actor
  /** The earliest time at which the request can have come in. */
  readonly since: Moment
  /** Runs in the press's transaction once the opening's row exists, and undoes the press when it throws. */
  readonly inTransaction?: (tx: Knex.Transaction, openingId: string) => Promise<void>
}

function insertPressed(tx: Db, row: NewOpening, decision: PressDecision): Promise<void> {
  if (decision.kind === 'lead') return insertOpening(tx, { ...row, lockedNumber: row.phoneNumber })
  if (decision.kind === 'join') return insertOpening(tx, { ...row, joinedOpeningId: decision.leader.id })
  const { ending, joined } = decision
  return insertOpening(tx, {
    ...row,
    ...ending,
    joinedOpeningId: joined?.id ?? null,
    completedAt: row.calledAt,
  })
}

/** Rolls back a press that this cloud could not grant: the retry is recorded under the next lease. */
const leaseLost = new DatabaseError('busy', 'the lease of this cloud is lost')
/** Rolls back a press that comes after the stop, because no gateway would be hinted. The retry reaches a cloud that serves. */
const hasStopped = new DatabaseError('busy', 'this cloud has stopped')
/** Rolls back a press that was let through before the data went back: it may be the retry of a request that the data has lost. */
const isTooLate = new DatabaseError('busy', 'the data has gone back')

interface PressesParts extends Asking {
  readonly aside: Pick<BeatsAside, 'wake'>
  readonly world: World
  readonly database: Database
  readonly clock: OpeningClock
  readonly ends: OpeningEnds
  readonly replica: Replica
  /** When an earlier process stopped serving the data; left out where that is unknown. */
  readonly quietSince?: Moment | undefined
  readonly lostGrants: Pick<LostGrants, 'isHeld'>
  /** Whether presses are refused since the data has gone back. */
  readonly isShut?: () => boolean
}

/** What is known of a press before its transaction. */
function pressedBy({ actor, gateId, spaceId }: Press) {
  const { accessId = null, apiKeyId = null, memberId = null, sessionId = null, userId = null } = actor
  return { spaceId, gateId, ids: { apiKeyId, userId, sessionId, memberId, accessId } }
}

/** What a press reads. */
function readsOf(press: Press) {
  const { gateId, ids, spaceId } = pressedBy(press)
  return {
    permit: earlyRead(tx => readPermit(tx, { spaceId, gateId, ...ids })),
    number: earlyRead(tx => readNumberOf(tx, { spaceId, gateId })),
  }
}

type Reads = ReturnType<typeof readsOf>

export class Presses {
  readonly #parts: PressesParts
  /** The moment by which every call that this process has not seen end had ended. */
  readonly #quietSince: Moment

  constructor(parts: PressesParts) {
    this.#parts = parts
    this.#quietSince = parts.quietSince ?? moment(parts.world)
  }

  /** Undefined when the Space has no such gate. */
  async press(press: Press): Promise<{ readonly openingId: string } | undefined> {
    return this.#press(press).catch(async (error: unknown) => {
      if (error !== leaseLost) throw error
      await this.#parts.replica.renew()
      return this.#press(press)
    })
  }

  /** Whether a press at the gate would place a call now; undefined where the Space has no such gate. */
  async readiness(spaceId: string, gateId: string): Promise<GateReadiness | undefined> {
    const { aside, database, endpoint, replica } = this.#parts
    await aside.wake(spaceId)
    const { knex } = database
    const nowMs = replica.nowMs()
    const nobody = { apiKeyId: null, userId: null, sessionId: null, memberId: null, accessId: null }
    const asked = { spaceId, gateId, ...nobody }
    const permit = permitOf(await readPermit(knex, asked), asked, { nowMs })
    if (!permit) return undefined
    const atGate = await readNumberOf(knex, { spaceId, gateId })
    const facts = await this.#readFacts(knex, { permit, spaceId, atGate }, nowMs)
    // Only what the gate itself refuses counts: nobody presses.
    const denied = permit.denied === 'permission_lost' ? undefined : permit.denied
    const isAble = endpoint
      .ableToCall(spaceId, permit.phoneNumber)
      .some(gatewayId => callsGate(permit.callers, gatewayId))
    return gateReadiness({ ...facts, denied }, isAble)
  }

  async #press(press: Press): Promise<{ readonly openingId: string } | undefined> {
    const { aside, database, replica } = this.#parts
    // Before the transaction, which would hold a connection while the beats need others.
    await aside.wake(press.spaceId)
    const reads = readsOf(press)
    const { gateId, spaceId } = press
    let hinted: string | undefined
    const recorded = await database.write(
      async tx => {
        const opening = await this.#record(tx, press, reads)
        // Before the commit, and so before any other transaction can end the opening: the transactions of a Space run one by one.
        if (opening && opening.kind !== 'end') this.#accept(opening.openingId, press)
        // For the same reason a claim that comes before the end of the commit waits for it. Without a row, it is refused.
        if (opening?.kind === 'lead') hinted = hintLikeliest(this.#parts, { ...opening, spaceId, gateId })
        return opening
      },
      {
        spaceId,
        committed: opening => {
          if (!opening) return
          const { ending, kind, openingId: id, phoneNumber } = opening
          passedPress({ id, phoneNumber }, kind, press.since.monotonicMs)
          if (ending) passedEnd({ id, phoneNumber }, ending)
          if (kind === 'lead') hintUntilClaimed(this.#parts, { ...opening, spaceId, gateId }, hinted)
        },
        first: [...replica.first, reads.permit, reads.number],
      },
    )
    return recorded && { openingId: recorded.openingId }
  }

  #accept(openingId: string, { since, spaceId }: Press): void {
    const { clock, endpoint, ends, world } = this.#parts
    if (clock.isStopped()) throw hasStopped
    ends.accept({ openingId, spaceId }, { since, gatewayClocks: endpoint.clocks(spaceId, since) })
    // No gateway was asked in time, so none is to blame for the end.
    if (ageMs(world, since) >= grantWithinMs) clock.doubt(openingId)
  }

  async #record(tx: Knex.Transaction, press: Press, reads: Reads) {
    const { actor, inTransaction, since } = press
    const { gateId, ids, spaceId } = pressedBy(press)
    const { isShut, replica, world } = this.#parts
    if (isShut?.()) throw isTooLate
    if (!(await replica.isHeld(tx))) throw leaseLost
    // A press may have waited for a lock on the database, or unread while the process or the machine stalled. After a restart its
    // age is known by `calledAt` alone. So the clock that moved more counts: the press is dated too early, never too late.
    const waitedMs = Math.floor(ageMs(world, since))
    const nowMs = timeIn(tx, world)
    const permit = permitOf(await reads.permit.in(tx), { spaceId, gateId, ...ids }, { nowMs })
    if (!permit) return undefined
    const facts = await this.#readFacts(tx, { permit, spaceId, atGate: await reads.number.in(tx) }, nowMs)
    const decision = decidePress({ ...facts, accessId: ids.accessId })
    const pressedMs = nowMs - waitedMs
    const row = {
      ...actor,
      ...ids,
      id: newId(world, idPrefix.opening),
      spaceId,
      gateId,
      gateName: permit.gateName,
      phoneNumber: permit.phoneNumber,
      calledAt: isoTime(pressedMs),
      grantBefore: isoTime(pressedMs + grantWithinMs),
      ...replica.mark(),
    }
    await insertPressed(tx, row, decision)
    await recordSteps(tx, row, stepsOfPress(decision), { atMs: nowMs })
    await inTransaction?.(tx, row.id)
    const ending = decision.kind === 'end' ? decision.ending : undefined
    const { callers, phoneNumber } = permit
    return { kind: decision.kind, openingId: row.id, ending, callers, phoneNumber }
  }

  async #readFacts(
    tx: Db,
    { atGate, permit, spaceId }: { permit: Permit; spaceId: string; atGate: readonly OpeningRow[] },
    nowMs: number,
  ): Promise<Omit<PressFacts, 'accessId'>> {
    const { endpoint, ends, lostGrants, replica, world } = this.#parts
    const { callers, callProfile, denied, phoneNumber } = permit
    // Another replica may have ended a later call, which is only in the database.
    const lastCallId = replica.isAlone ? ends.lastCallId(spaceId, phoneNumber) : undefined
    // Calls that ended before this process began count only while they may still have a gate moving.
    const fromBefore = !replica.isAlone || leastAgeMs(world, this.#quietSince) < longestCoolDownMs
    const asked = { spaceId, phoneNumber, lastCallId, fromBefore, nowMs }
    const { calls, holder } = await findNumberState(tx, asked, atGate)
    const [last] = calls.map(call => this.#sinceEnd(call, nowMs)).sort((a, b) => a.agoMs - b.agoMs)
    return {
      denied,
      holder,
      last,
      // The cool-down belongs to the number, not to this gate alone: gates may share a number, and profiles change.
      coolDownMs: Math.max(callProfile.coolDownMs, coolDownOf(last?.row)),
      hasLostCall: lostGrants.isHeld(spaceId),
      isGatewayOnline: endpoint.online(spaceId, phoneNumber).some(gatewayId => callsGate(callers, gatewayId)),
    }
  }

  /**
   * How long ago a call ended. A call that is not in memory ended before this process began. Its record alone does not prove the
   * time, because the wall clock may have been set since.
   */
  #sinceEnd(row: OpeningRow, nowMs: number): NonNullable<PressFacts['last']> {
    const { clock, replica, world } = this.#parts
    const agoMs = replica.isAlone ? clock.sinceEndMs(row.id) : undefined
    if (agoMs !== undefined) return { row, agoMs }
    const recordedAgoMs = nowMs - Date.parse(row.completedAt ?? '')
    // All replicas date an end by the same clock, that of the database.
    const leastMs = replica.leastAgoMs(Date.parse(row.completedAt ?? ''), nowMs)
    if (leastMs !== undefined) return { row, agoMs: leastMs, recordedAgoMs }
    return { row, agoMs: leastAgeMs(world, this.#quietSince), recordedAgoMs }
  }
}
