// The cloud's half of the exchange for one opening, in its order: press, hint, claim, grant, reports, end.

// presses.ts records the press, gatewayDoor.ts hints the gateways, grants.ts answers a claim, reports.ts applies a report,
// openingEnds.ts brings the ends that time brings, endOpening.ts writes every end down. beats.ts knows the gateways' boots.

import type { Ack, Grant } from '@callgate/contract/wire/messages'
import { lockedAtMostMs } from '@callgate/contract/wire/timing'
import { passed } from '@callgate/world/hops'
import type { Moment, World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { type BeatAnswer, beats, type VerifiedBeat } from './beats.ts'
import { bootChallenges } from './bootChallenges.ts'
import type { GatewayDoor } from './gatewayDoor.ts'
import { gatewayLimits } from './gatewayLimits.ts'
import { gatewaySilence } from './gatewaySilence.ts'
import { gatewaySpaces } from './gatewaySpaces.ts'
import { Grants, type VerifiedClaim } from './grants.ts'
import { OpeningClock } from './openingClock.ts'
import { OpeningEnds } from './openingEnds.ts'
import { longestCoolDownMs, type Press, Presses } from './presses.ts'
import { type BeatsSeen, recentBeats } from './recentBeats.ts'
import type { VerifiedReport } from './reportRecord.ts'
import { Reports } from './reports.ts'

/** What a boot has to answer that the cloud has not taken up. */
export interface Challenge {
  readonly granted: false
  readonly challenge: string
}

export interface Exchange {
  /** Records an attempt, and leads, joins or ends it; undefined when the Space has no such gate. */
  press(press: Press): Promise<{ readonly openingId: string } | undefined>
  /** Resolves when the opening has ended, or after `withinMs`. */
  wait(openingId: string, withinMs: number): Promise<void>
  /** How many requests wait for the end of an opening. */
  waiting(): number
  /** Milliseconds since the opening was accepted by this process. */
  ageMs(openingId: string): number | undefined
  /** With a challenge, the claim has no answer until its boot has been taken up. */
  claim(claim: VerifiedClaim): Promise<Grant | Challenge>
  report(report: VerifiedReport): Promise<Ack>
  beat(beat: VerifiedBeat): Promise<BeatAnswer>
  /** What was heard of the gateways since their rows were written. */
  readonly heard: BeatsSeen
  /** The gateway has cost too much within an hour: its messages are dropped unread. */
  isCutOff(gatewayId: string): boolean
  /** Ends what an earlier run of the cloud left, and takes up what is still running. */
  start(): Promise<void>
  /** Wakes those who wait and stops all timers. */
  stop(): void
}

export function createExchange(parts: {
  world: World
  database: Database
  door: GatewayDoor
  /** When an earlier process stopped serving the data; left out where nothing proves it. */
  quietSince?: Moment | undefined
}): Exchange {
  const { database, world } = parts
  const clock = new OpeningClock(world, lockedAtMostMs + longestCoolDownMs)
  const ends = new OpeningEnds({ ...parts, clock })
  const presses = new Presses({ ...parts, clock, ends })
  const grants = new Grants({ world, clock, ends })
  const challenges = bootChallenges(world)
  const limits = gatewayLimits(world)
  const spaces = gatewaySpaces(database)
  const recent = recentBeats({ world, database })
  const silence = gatewaySilence({ world, database, recent, spaces })
  const reports = new Reports({ world, database, ends, limits, spaces })

  async function claim(verified: VerifiedClaim): Promise<Grant | Challenge> {
    const { grant } = await database.write(
      async tx => {
        const answer = await grants.answer(tx, verified)
        if (answer.grant?.granted) return { ...answer, count: () => {} }
        return { ...answer, count: await limits.charge(tx, verified.gatewayId, { claims: 1 }) }
      },
      {
        spaceId: await spaces.find(verified.gatewayId),
        committed: ({ count, ended, grant }) => {
          passed('granted', {
            openingId: verified.openingId,
            outcome: grant ? (grant.granted ? 'granted' : grant.reason) : 'challenge',
          })
          count()
          if (grant?.granted) clock.granted(verified.openingId)
          if (ended) ends.afterEnd(ended)
        },
      },
    )
    if (!grant) return { granted: false, challenge: challenges.ask(verified.gatewayId, verified.bootId) }
    return grant
  }

  return {
    press: press => presses.press(press),
    claim,
    report: report => reports.receive(report),
    beat: beats({ world, database, ends, challenges, limits, silence, recent, spaces }),
    heard: recent,
    isCutOff: limits.isCutOff,
    wait: (openingId, withinMs) => clock.wait(openingId, withinMs),
    waiting: () => clock.waiting(),
    ageMs: openingId => clock.ageMs(openingId),
    async start() {
      await ends.resume()
      await silence.resume()
    },
    stop() {
      clock.stop()
      silence.stop()
      recent.stop()
    },
  }
}
