// What a beat does: it takes up a boot that has answered, shows its condition, and ends what its journal has lost.

import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { BootChallenges } from './bootChallenges.ts'
import { endOrphans, keepBeat, standingOf, takeBoot } from './gatewayBoots.ts'
import type { GatewayLimits } from './gatewayLimits.ts'
import type { OpeningEnds } from './openingEnds.ts'

/** What a verified beat says of its boot and of openings. */
export interface VerifiedBeat {
  readonly gatewayId: string
  readonly bootId: string
  /** Its number among what the boot has sent. */
  readonly seq: number
  /** Of the challenge that it answers. */
  readonly nonce?: string
  /** False: a goodbye, or the last will that the broker says when the connection is gone. */
  readonly isOnline: boolean
  /** The boot says that the cloud has taken it up before. */
  readonly wasTakenUp?: boolean
  readonly journalId: string
  /** What its journal still has to report; told by online beats only. */
  readonly toReport: readonly string[]
  readonly body: string
}

export type BeatAnswer =
  | { readonly kind: 'current'; readonly spaceId: string }
  /** A later one of the boot has counted, or this very one: nothing was read or written. */
  | { readonly kind: 'old'; readonly spaceId: string }
  /** The boot was never taken up: it has to answer this nonce. */
  | { readonly kind: 'challenge'; readonly nonce: string }
  /** There is no such gateway, it is revoked, or the boot is not its current one. */
  | { readonly kind: 'refused' }

export function beats(parts: {
  world: World
  database: Database
  ends: Pick<OpeningEnds, 'afterEnd'>
  challenges: BootChallenges
  limits: GatewayLimits
}): (beat: VerifiedBeat) => Promise<BeatAnswer> {
  const { challenges, database, ends, limits, world } = parts

  /** The newest beat of each gateway that was written down. */
  const newest = new Map<
    string,
    { readonly bootId: string; readonly seq: number; readonly spaceId: string }
  >()

  return async beat => {
    const { body, bootId, gatewayId, isOnline, journalId, nonce, seq, toReport, wasTakenUp = false } = beat
    const last = newest.get(gatewayId)
    if (last?.bootId === bootId && seq <= last.seq) return { kind: 'old', spaceId: last.spaceId }
    const heard = await database.write(async tx => {
      const standing = await standingOf(tx, gatewayId, bootId)
      // A will may come long after its boot: it is no sign of a new one.
      if (standing.kind === 'refused' || (standing.kind === 'unknown' && !isOnline)) return undefined
      const { gateway } = standing
      const isNew = standing.kind === 'unknown'
      // Only the last superseded boots are remembered: this one is older. After a restore no boot is, and it may begin anew.
      if (isNew && wasTakenUp && gateway.bootId !== null) return undefined
      if (isNew && !challenges.isAnswered(gatewayId, bootId, nonce)) return 'challenge'
      if (isNew) {
        await takeBoot(tx, world, gateway, bootId)
        // Before the commit: whatever comes of it, what was asked until now may only be asked anew.
        challenges.settle(gatewayId)
      }
      const lastBeatAt = isoTime(world.nowMs())
      await keepBeat(tx, { id: gatewayId, journalId, lastBeatAt, lastBeat: body })
      const ended = isOnline ? await endOrphans(tx, world, { gatewayId, bootId, toReport }) : []
      const count = await limits.charge(tx, gatewayId, isNew ? { beats: 1, boots: 1 } : { beats: 1 })
      return { spaceId: gateway.spaceId, ended, count }
    })
    if (!heard) return { kind: 'refused' }
    if (heard === 'challenge') return { kind: 'challenge', nonce: challenges.ask(gatewayId, bootId) }
    const { count, ended, spaceId } = heard
    // Not before the commit: a beat whose transaction failed may come again.
    newest.set(gatewayId, { bootId, seq, spaceId })
    count()
    for (const one of ended) ends.afterEnd(one)
    return { kind: 'current', spaceId }
  }
}
