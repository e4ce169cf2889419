// The cloud's half of the exchange for one opening, in its order: press, hint, claim, grant, reports, end.

// presses.ts records the press, gatewayDoor.ts hints the gateways, grants.ts answers a claim, reports.ts applies a report,
// openingEnds.ts brings the ends that time brings, endOpening.ts writes every end down. beats.ts knows the gateways' boots.

import type { Ack, Grant } from '@callgate/contract/wire/messages'
import { lockedAtMostMs } from '@callgate/contract/wire/timing'
import type { Moment, World } from '@callgate/world/world'
import type { FailedAt } from '../core/gateCallers.ts'
import type { Database } from '../database/database.ts'
import type { EventFeed } from '../event/eventFeed.ts'
import { alone, type Replica, type SharedReplica } from '../replica/replica.ts'
import { type BeatAnswer, beats, type VerifiedBeat } from './beats.ts'
import { bootChallenges } from './bootChallenges.ts'
import { type Challenge, claims } from './claims.ts'
import { watchData } from './dataWatch.ts'
import { drained } from './drained.ts'
import type { Ended } from './endOpening.ts'
import { FailingGateways } from './failingGateways.ts'
import type { GatewayDoor } from './gatewayDoor.ts'
import { gatewayLimits } from './gatewayLimits.ts'
import { gatewaySilence } from './gatewaySilence.ts'
import { gatewaySpaces } from './gatewaySpaces.ts'
import { Grants, type VerifiedClaim } from './grants.ts'
import { LostGrants } from './lostGrants.ts'
import { OpeningClock } from './openingClock.ts'
import { OpeningEnds } from './openingEnds.ts'
import { OpeningNews } from './openingNews.ts'
import { findOpening } from './openingRows.ts'
import { longestCoolDownMs, type Press, Presses } from './presses.ts'
import { type BeatsSeen, recentBeats } from './recentBeats.ts'
import type { VerifiedReport } from './reportRecord.ts'
import { Reports } from './reports.ts'
import type { Shutter } from './restores.ts'

export interface Exchange {
  /** Records an attempt, and leads, joins or ends it; undefined when the Space has no such gate. */
  press(press: Press): Promise<{ readonly openingId: string } | undefined>
  /**
   * Resolves when the opening has ended, or after `withinMs`. For an opening that another replica has accepted it needs
   * its Space.
   */
  wait(openingId: string, withinMs: number, spaceId?: string): Promise<void>
  /** How many requests wait for the end of an opening. */
  waiting(): number
  /** Milliseconds since the opening was accepted by this process. */
  ageMs(openingId: string): number | undefined
  /**
   * With a challenge, the claim has no answer until its boot has been taken up. Undefined: another replica answers, here
   * as below.
   */
  claim(claim: VerifiedClaim): Promise<Grant | Challenge | undefined>
  report(report: VerifiedReport): Promise<Ack | undefined>
  beat(beat: VerifiedBeat): Promise<BeatAnswer>
  /** The Space's gateways that are connected and alive, the most likely to serve first. */
  online(spaceId: string): readonly string[]
  /** Where a gateway failed lately by a fault of its own, for a press at the gate. */
  failedAt(gateId: string, gatewayId: string): FailedAt
  /** What was heard of the gateways since their rows were written. */
  readonly heard: BeatsSeen
  /** The gateway has cost too much within an hour: its messages are dropped unread. */
  isCutOff(gatewayId: string): boolean
  /** Ends what an earlier run of the cloud left, and takes up what is still running. */
  start(): Promise<void>
  /**
   * Resolves when nobody waits for an opening of this cloud, and none of its openings could still be granted by nobody
   * else; or after `withinMs`.
   */
  drained(withinMs: number): Promise<void>
  /** Wakes those who wait and stops all timers. */
  stop(): void
}

/** This cloud among several, and how it learns what the others do. */
export interface Several {
  readonly replica: SharedReplica
  readonly feed: EventFeed
}

export function createExchange(parts: {
  world: World
  database: Database
  door: GatewayDoor
  /** When an earlier process stopped serving the data; left out where nothing proves it. */
  quietSince?: Moment | undefined
  /** Where other clouds serve the same data; left out where this one is alone. */
  several?: Several | undefined
  /** What shows that the data has gone back, and what is shut then; left out where nothing outlives the database. */
  watch?:
    | { readonly folder: string; readonly shutter: Pick<Shutter, 'shutAgain' | 'isShutAgain'> }
    | undefined
}): Exchange {
  const { database, several, watch, world } = parts
  const replica: Replica = several?.replica ?? alone(world)
  const news = several && new OpeningNews({ world, database, feed: several.feed })
  const clock = new OpeningClock(world, lockedAtMostMs + longestCoolDownMs)
  const failing = new FailingGateways(world)
  const ends = new OpeningEnds({ ...parts, clock, failing, replica, news })
  const isShut = () => watch?.shutter.isShutAgain() ?? false
  const lostGrants = new LostGrants({ world, database, ends })
  const presses = new Presses({ ...parts, clock, ends, lostGrants, replica, isShut })
  const challenges = bootChallenges(world)
  const limits = gatewayLimits(world)
  const spaces = gatewaySpaces(database)
  const recent = recentBeats({ world, database, replica })
  const grants = new Grants({ world, clock, ends, replica, recent, door: parts.door })
  const silence = gatewaySilence({ world, database, recent, spaces, replica })
  const reports = new Reports({ ...parts, ends, failing, limits, spaces, replica })
  let unwatch = () => {}

  return {
    press: press => presses.press(press),
    claim: claims({ database, grants, clock, ends, challenges, limits, spaces, replica }),
    report: report => reports.receive(report),
    beat: beats({ world, database, ends, challenges, limits, lostGrants, silence, recent, spaces, replica }),
    online: spaceId => parts.door.online(spaceId),
    failedAt: (gateId, gatewayId) => failing.failedAt(gateId, gatewayId),
    heard: recent,
    isCutOff: limits.isCutOff,
    async wait(openingId, withinMs, spaceId) {
      if (clock.ageMs(openingId) !== undefined) return clock.wait(openingId, withinMs)
      if (news && spaceId !== undefined) return news.waitForEnd({ openingId, spaceId }, withinMs)
      // After a restart only the call is known here. What has joined it ends with it.
      const row = await findOpening(database.knex, openingId)
      return clock.wait(row?.joinedOpeningId ?? openingId, withinMs)
    },
    waiting: () => clock.waiting(),
    ageMs: openingId => clock.ageMs(openingId),
    async start() {
      const afterEnd = (ended: Ended) => ends.afterEnd(ended)
      const isShared = several !== undefined
      if (watch) unwatch = await watchData({ world, database, ...watch, afterEnd, isShared })
      if (several) {
        await several.replica.start(() => ends.takeOver())
        await ends.takeOver()
      } else await ends.resume()
      await silence.resume()
    },
    drained: withinMs => drained({ world, database, clock, replica }, withinMs),
    stop() {
      news?.stop()
      unwatch()
      clock.stop()
      silence.stop()
      recent.stop()
    },
  }
}
