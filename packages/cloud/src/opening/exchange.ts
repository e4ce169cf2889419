// The cloud's half of the exchange for one opening, in this order: press, hint, claim, grant, reports, end.

// presses.ts records the press, gatewayEndpoint.ts hints the gateways, grants.ts answers a claim, reports.ts applies a report,
// openingEnds.ts ends openings in time, endOpening.ts writes every end down. The heartbeat knows the gateways' boots.

import type { Ack, Grant } from '@callgate/contract/wire/messages'
import { lockedAtMostMs } from '@callgate/contract/wire/timing'
import type { Moment, World } from '@callgate/world/world'
import type { FailedAt } from '../core/gateCallers.ts'
import { longestCoolDownMs } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import type { EventFeed } from '../event/eventFeed.ts'
import { FailingGateways } from '../gateway/failingGateways.ts'
import { createHeartbeat, type Heartbeat } from '../heartbeat/heartbeat.ts'
import { alone, type Replica, type SharedReplica } from '../replica/replica.ts'
import { watchData } from '../restore/dataWatch.ts'
import { LostGrants } from '../restore/lostGrants.ts'
import type { RestoreLockout } from '../restore/restores.ts'
import { type Challenge, claims } from './claims.ts'
import type { GateReadiness } from './core/gateReadiness.ts'
import { drained } from './drained.ts'
import type { GatewayEndpoint } from './gatewayEndpoint.ts'
import { Grants, type VerifiedClaim } from './grants.ts'
import { OpeningClock } from './openingClock.ts'
import { OpeningEnds } from './openingEnds.ts'
import { OpeningNews } from './openingNews.ts'
import { type OpeningRequests, openingRequests } from './openingRequests.ts'
import { openingsAfterLoss } from './openingsAfterLoss.ts'
import { openingsOfBoots } from './openingsOfBoots.ts'
import { type Press, Presses } from './presses.ts'
import type { VerifiedReport } from './reportRecord.ts'
import { type NoteDrift, Reports } from './reports.ts'
import { type EndedWaiting, endWaitingOpenings } from './waitingOpenings.ts'

/** What a serving cloud knows of the gateways. */
export interface GatewaysSeen {
  /** The Space's gateways that are connected and alive, the most likely to serve first. */
  online(spaceId: string): Promise<readonly string[]>
  /** Whether a gateway failed lately by its own fault, and at which gate, for a press at `gateId`. */
  failedAt(gateId: string, gatewayId: string): FailedAt
}

export interface Exchange {
  /** Records a press, which leads, joins or ends at once; undefined where the Space has no such gate. */
  press(press: Press): Promise<{ readonly openingId: string } | undefined>
  /** Whether a press at the gate would place a call now; undefined where the Space has no such gate. */
  readiness(spaceId: string, gateId: string): Promise<GateReadiness | undefined>
  /** Ends the openings of a Space that wait for their grant, because all its gates are being locked. */
  endWaiting(tx: Db, spaceId: string): Promise<EndedWaiting>
  /** The requests that wait for the end of an opening. */
  readonly requests: OpeningRequests
  /** With a challenge, the claim has no answer until its boot is taken up. Undefined, here and below: another replica answers. */
  claim(claim: VerifiedClaim): Promise<Grant | Challenge | undefined>
  report(report: VerifiedReport): Promise<Ack | undefined>
  /** Whether the gateways live. */
  readonly heartbeat: Heartbeat
  readonly gateways: GatewaysSeen
  /** Ends the ungranted openings that an earlier run of the cloud left, and follows those that still run. */
  start(): Promise<void>
  /** The clock by which beats and openings are dated: that of the database, where several clouds share one. */
  nowMs(): number
  /**
   * Resolves when no request waits for an opening of this cloud and no opening is left that only this cloud can grant; or after
   * `withinMs`.
   */
  drained(withinMs: number): Promise<void>
  /** Ends all waits and stops all timers. */
  stop(): void
}

/** This cloud among several, and how it learns of the others' changes. */
export interface Several {
  readonly replica: SharedReplica
  readonly feed: EventFeed
}

/** Makes what this cloud knows of a Space's gateways current: call it before a press, a report, or what is shown of them. */
function wakerOf(endpoint: GatewayEndpoint, heartbeat: Heartbeat): Pick<Heartbeat['aside'], 'wake'> {
  return {
    async wake(spaceId) {
      await endpoint.know?.(spaceId)
      await heartbeat.aside.wake(spaceId)
    },
  }
}

export function createExchange(parts: {
  world: World
  database: Database
  endpoint: GatewayEndpoint
  noteDrift: NoteDrift
  /** When an earlier process stopped serving the data; left out where that is unknown. */
  quietSince?: Moment | undefined
  /** Where other clouds serve the same data; left out where this one is alone. */
  several?: Several | undefined
  /**
   * How the cloud notices that the data has gone back, and the lockout for that; left out where nothing outlives the database.
   */
  watch?:
    | { readonly folder: string; readonly lockout: Pick<RestoreLockout, 'shutAgain' | 'isShutAgain'> }
    | undefined
}): Exchange {
  const { database, several, watch, world } = parts
  const replica: Replica = several?.replica ?? alone(world)
  const news = several && new OpeningNews({ world, database, feed: several.feed })
  const clock = new OpeningClock(world, lockedAtMostMs + longestCoolDownMs)
  const failing = new FailingGateways(world)
  const ends = new OpeningEnds({ ...parts, clock, failing, replica, news })
  const isShut = () => watch?.lockout.isShutAgain() ?? false
  const afterLoss = openingsAfterLoss({ world, ends })
  const lostGrants = new LostGrants({ world, database, openings: afterLoss })
  const openings = openingsOfBoots({ world, ends, lostGrants })
  const heartbeat = createHeartbeat({ world, database, replica, openings })
  const { challenges, limits, spaces } = heartbeat
  const aside = wakerOf(parts.endpoint, heartbeat)
  const presses = new Presses({ ...parts, aside, clock, ends, failing, lostGrants, replica, isShut })
  const grants = new Grants({ world, clock, ends, replica, heard: heartbeat.heard, endpoint: parts.endpoint })
  const reports = new Reports({ ...parts, aside, clock, ends, failing, limits, spaces, replica })
  let unwatch = () => {}

  return {
    press: press => presses.press(press),
    readiness: (spaceId, gateId) => presses.readiness(spaceId, gateId),
    claim: claims({ database, grants, clock, ends, challenges, limits, spaces, replica }),
    report: report => reports.receive(report),
    endWaiting: endWaitingOpenings({ world, ends }),
    requests: openingRequests({ database, clock, news }),
    heartbeat,
    nowMs: () => replica.nowMs(),
    gateways: {
      async online(spaceId) {
        await aside.wake(spaceId)
        return parts.endpoint.online(spaceId)
      },
      failedAt: (gateId, gatewayId) => failing.failedAt(gateId, gatewayId),
    },
    async start() {
      const isShared = several !== undefined
      if (watch) unwatch = await watchData({ world, database, ...watch, openings: afterLoss, isShared })
      if (several) {
        await several.replica.start(() => ends.takeOver())
        await ends.takeOver()
      } else await ends.resume()
      await heartbeat.resume()
    },
    drained: withinMs => drained({ world, database, clock, replica }, withinMs),
    stop() {
      news?.stop()
      unwatch()
      clock.stop()
      heartbeat.stop()
    },
  }
}
