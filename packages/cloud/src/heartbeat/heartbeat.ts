// The heartbeat: whether gateways live, by their beats, boots and silence, and what each may cost. The parts are put together
// here.

import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { BeatsSeen } from '../gateway/gatewayRows.ts'
import { type GatewaySpaces, gatewaySpaces } from '../gateway/gatewaySpaces.ts'
import type { Replica } from '../replica/replica.ts'
import { type BeatAnswer, beats, type OpeningsOfBoots, type VerifiedBeat } from './beats.ts'
import { type BeatsAside, beatsAside } from './beatsAside.ts'
import { type BootChallenges, bootChallenges } from './bootChallenges.ts'
import { type GatewayLimits, gatewayLimits } from './gatewayLimits.ts'
import { gatewaySilence } from './gatewaySilence.ts'
import { recentBeats } from './recentBeats.ts'

export interface Heartbeat {
  /** Receives a beat. `heard` and `unheard`: another replica answers it. */
  beat(beat: VerifiedBeat): Promise<BeatAnswer>
  /** What was heard of the gateways since their rows were written. */
  readonly heard: BeatsSeen
  /** What each gateway may cost within an hour. The messages of one that is cut off are dropped unread. */
  readonly limits: GatewayLimits
  readonly challenges: BootChallenges
  /** The beats that another cloud answers, until something needs them. */
  readonly aside: BeatsAside
  readonly spaces: GatewaySpaces
  /** Waits for the gateways that were online when an earlier run of the cloud heard them last. */
  resume(): Promise<void>
  /** Stops all timers. */
  stop(): void
}

/** The heartbeat of one cloud. `openings` has the effects of its beats on openings. */
export function createHeartbeat(parts: {
  readonly world: World
  readonly database: Database
  readonly replica: Replica
  readonly openings: OpeningsOfBoots
}): Heartbeat {
  const { database, world } = parts
  const challenges = bootChallenges(world)
  const limits = gatewayLimits(world)
  const spaces = gatewaySpaces(database)
  const aside = beatsAside(parts)
  const recent = recentBeats({ ...parts, aside })
  const silence = gatewaySilence({ ...parts, aside, recent, spaces })
  return {
    beat: beats({ ...parts, aside, challenges, limits, silence, recent, spaces }),
    heard: recent,
    limits,
    challenges,
    aside,
    spaces,
    resume: () => silence.resume(),
    stop() {
      silence.stop()
      recent.stop()
    },
  }
}
