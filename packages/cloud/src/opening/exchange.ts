// The cloud's half of the exchange for one opening: the press, the gateway's claim, its reports and its beats.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/ids'
import type { Ack, Grant } from '@callgate/contract/wire/messages'
import { grantWithinMs, lockedAtMostMs } from '@callgate/contract/wire/timing'
import { newId } from '@callgate/world/ids'
import { isoTime, leastAgeMs, type Moment, moment, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { decidePress, type OpeningRow, type PressFacts } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import { type BeatAnswer, beats, type VerifiedBeat } from './beats.ts'
import { bootChallenges } from './bootChallenges.ts'
import { gatewayLimits } from './gatewayLimits.ts'
import { granting, type VerifiedClaim } from './grants.ts'
import { openingClock } from './openingClock.ts'
import { type GatewayDoor, openingEnds } from './openingEnds.ts'
import { findNumberState, insertOpening } from './openingRows.ts'
import { type Permit, readPermit } from './permits.ts'
import { reports, type VerifiedReport } from './reports.ts'

interface Named {
  readonly actorName: string
  readonly actorEmail: string | null
}

/** Who presses: an API key, or a guest by an access to this very gate. */
export type Actor = Named &
  (
    | {
        readonly actorType: 'owner'
        readonly apiKeyId: string
        readonly memberId?: never
        readonly accessId?: never
      }
    | {
        readonly actorType: 'guest'
        readonly memberId: string
        readonly accessId: string
        readonly apiKeyId?: never
      }
  )

export interface Press {
  readonly spaceId: string
  readonly gateId: string
  readonly actor: Actor
  /** When the request came in. */
  readonly since: Moment
  /** Runs in the press's transaction once the opening's row is there, and undoes it when it throws. */
  readonly inTransaction?: (tx: Knex.Transaction, openingId: string) => Promise<void>
}

/** What a boot that was not taken up has to answer. */
export interface Challenge {
  readonly granted: false
  readonly challenge: string
}

export interface Exchange {
  /** Records an attempt, and leads, joins or ends it; undefined when the Space has no such gate. */
  press(press: Press): Promise<{ readonly openingId: string } | undefined>
  /** Resolves when the opening has ended, or after `withinMs`. */
  wait(openingId: string, withinMs: number): Promise<void>
  /** Milliseconds since the opening was accepted by this process. */
  ageMs(openingId: string): number | undefined
  /** A challenge: nothing is said of the claim until its boot has been taken up. */
  claim(claim: VerifiedClaim): Promise<Grant | Challenge>
  report(report: VerifiedReport): Promise<Ack>
  beat(beat: VerifiedBeat): Promise<BeatAnswer>
  /** The gateway has cost too much within an hour: what it says is not to be looked at. */
  isCutOff(gatewayId: string): boolean
  /** Ends what a former run of the cloud left, and takes up what is still running. */
  start(): Promise<void>
  /** Wakes whoever waits and stops all timers. */
  stop(): void
}

/** The longest cool-down that a profile can have, and so the oldest call that a press may join. */
const longestCoolDownMs = 60_000

/** The cool-down that the profile of a call asked for, milliseconds. */
function coolDownOf(row: OpeningRow | undefined): number {
  const profile = row?.grantedProfile
  return profile ? (JSON.parse(profile) as CallProfile).coolDownMs : 0
}

export function createExchange(parts: { world: World; database: Database; door: GatewayDoor }): Exchange {
  const { database, door, world } = parts
  const clock = openingClock(world, lockedAtMostMs + longestCoolDownMs)
  const ends = openingEnds({ world, database, door, clock })
  const grantIn = granting({ world, clock, isInTime: ends.isInTime })
  const challenges = bootChallenges(world)
  const limits = gatewayLimits(world)
  const startedAt = moment(world)

  /**
   * How long ago a call ended. One that is not in memory ended before this process began, and its record does not say when:
   * the wall clock may have been set since.
   */
  function sinceEnd(row: OpeningRow, nowMs: number): NonNullable<PressFacts['last']> {
    const agoMs = clock.sinceEndMs(row.id)
    if (agoMs !== undefined) return { row, agoMs }
    const saidAgoMs = nowMs - Date.parse(row.completedAt ?? '')
    return { row, agoMs: leastAgeMs(world, startedAt), saidAgoMs }
  }

  async function readPressFacts(tx: Db, spaceId: string, permit: Permit, nowMs: number): Promise<PressFacts> {
    const { callProfile, denied, phoneNumber } = permit
    const lastCallId = ends.lastCallId(spaceId, phoneNumber)
    // Calls that ended before this process began are of interest only while the gate may still move from one.
    const fromBefore = leastAgeMs(world, startedAt) < longestCoolDownMs
    const { call, holder } = await findNumberState(tx, { spaceId, phoneNumber, lastCallId, fromBefore })
    const last = call && sinceEnd(call, nowMs)
    return {
      denied,
      holder,
      last,
      // The number's, not only this gate's: gates may share a number, and profiles change.
      coolDownMs: Math.max(callProfile.coolDownMs, coolDownOf(last?.row)),
      isGatewayOnline: door.online(spaceId).length > 0,
    }
  }

  async function press({ actor, gateId, inTransaction, since, spaceId }: Press) {
    const pressed = await database.write(async tx => {
      const { accessId = null, apiKeyId = null, memberId = null } = actor
      const nowMs = world.nowMs()
      const permit = await readPermit(tx, { spaceId, gateId, apiKeyId, memberId, accessId }, { nowMs })
      if (!permit) return undefined
      const decision = decidePress(await readPressFacts(tx, spaceId, permit, nowMs))
      // A press may have waited for a lock on the database; after a restart its age is known by `calledAt` alone.
      const pressedMs = nowMs - (world.monotonicMs() - since.monotonicMs)
      const calledAt = isoTime(pressedMs)
      const row = {
        ...actor,
        apiKeyId,
        memberId,
        accessId,
        id: newId(world, idPrefix.opening),
        spaceId,
        gateId,
        gateName: permit.gateName,
        phoneNumber: permit.phoneNumber,
        calledAt,
        grantBefore: isoTime(pressedMs + grantWithinMs),
      }
      if (decision.kind === 'lead') await insertOpening(tx, { ...row, lockedNumber: row.phoneNumber })
      else if (decision.kind === 'join')
        await insertOpening(tx, { ...row, joinedOpeningId: decision.leader.id })
      else {
        const joinedOpeningId = decision.joined?.id ?? null
        await insertOpening(tx, { ...row, ...decision.ending, joinedOpeningId, completedAt: calledAt })
      }
      await inTransaction?.(tx, row.id)
      const accepted = { since, gatewayClocks: door.clocks(spaceId, since) }
      // In memory before anybody else can end it: transactions come one after the other.
      if (decision.kind !== 'end') ends.accept(row.id, accepted)
      return { openingId: row.id, isLeading: decision.kind === 'lead' }
    })
    if (pressed?.isLeading) ends.lead(pressed.openingId, spaceId)
    return pressed && { openingId: pressed.openingId }
  }

  async function claim(verified: VerifiedClaim): Promise<Grant | Challenge> {
    const { ended, grant } = await database.write(tx => grantIn(tx, verified))
    if (!grant) return { granted: false, challenge: challenges.ask(verified.gatewayId, verified.bootId) }
    if (grant.granted) clock.granted(verified.openingId)
    if (ended) ends.afterEnd(ended)
    return grant
  }

  return {
    press,
    claim,
    report: reports({ world, database, ends, limits }),
    beat: beats({ world, database, ends, challenges, limits }),
    isCutOff: limits.isCutOff,
    wait: clock.wait,
    ageMs: clock.ageMs,
    start: ends.resume,
    stop: clock.stop,
  }
}
