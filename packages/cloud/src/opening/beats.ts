// What a beat does: it takes up a boot that has answered, records its condition, and ends what its journal has lost.

import type { Beat } from '@callgate/contract/wire/messages'
import { isoTime, type World } from '@callgate/world/world'
import { type BeatFigures, wasOnlineUntil } from '../core/beatHistory.ts'
import { gatewayChange } from '../core/gatewayChange.ts'
import type { Database, Db } from '../database/database.ts'
import { recordEvents } from '../event/events.ts'
import { addFigures } from './beatFigures.ts'
import type { BootChallenges } from './bootChallenges.ts'
import { endOrphans, type GatewayRow, keepBeat, lastHeard, standingOf, takeBoot } from './gatewayBoots.ts'
import type { GatewayLimits } from './gatewayLimits.ts'
import type { GatewaySilence } from './gatewaySilence.ts'
import type { OpeningEnds } from './openingEnds.ts'

/** A beat whose signature holds. */
export interface VerifiedBeat {
  readonly gatewayId: string
  readonly bootId: string
  /** The number of the message among all that the boot has sent. */
  readonly seq: number
  /** The nonce of the challenge that it answers. */
  readonly nonce?: string
  /** False: a goodbye, or the last will that the broker publishes when the connection is lost. */
  readonly isOnline: boolean
  /** Whether the boot says that the cloud has taken it up before. */
  readonly wasTakenUp?: boolean
  readonly journalId: string
  /** The openings that its journal still has to report. Only an online beat lists them. */
  readonly toReport: readonly string[]
  /** What it says about the modem. Of an offline beat they are old, and are not read. */
  readonly figures: BeatFigures
  readonly body: string
}

export type BeatAnswer =
  | { readonly kind: 'current'; readonly spaceId: string }
  /** This beat or a later one of the boot has counted already: nothing was read or written. */
  | { readonly kind: 'old'; readonly spaceId: string }
  /** The boot was never taken up: it has to answer this nonce. */
  | { readonly kind: 'challenge'; readonly nonce: string }
  /** There is no such gateway, it is revoked, or the boot is not its current one. */
  | { readonly kind: 'refused' }

/** Writes an event where the beat changes what is seen of its gateway: not for each beat, of which there are 8,640 a day. */
async function recordChange(
  tx: Db,
  gateway: GatewayRow,
  { body, nowMs, wasOnline }: { readonly body: string; readonly wasOnline: boolean; readonly nowMs: number },
): Promise<void> {
  const before = gateway.lastBeat === null ? undefined : (JSON.parse(gateway.lastBeat) as Beat)
  const change = gatewayChange(before, JSON.parse(body) as Beat, wasOnline)
  if (!change) return
  const event = { kind: `gateway.${change}` as const, targetId: gateway.id, atMs: nowMs }
  await recordEvents(tx, gateway.spaceId, [event])
}

export function beats(parts: {
  world: World
  database: Database
  ends: Pick<OpeningEnds, 'afterEnd'>
  challenges: BootChallenges
  limits: GatewayLimits
  silence: Pick<GatewaySilence, 'heard'>
}): (beat: VerifiedBeat) => Promise<BeatAnswer> {
  const { challenges, database, ends, limits, silence, world } = parts

  /** The newest beat of each gateway that was stored. */
  const newest = new Map<
    string,
    { readonly bootId: string; readonly seq: number; readonly spaceId: string }
  >()

  return async beat => {
    const { body, bootId, figures, gatewayId, isOnline, journalId, nonce, seq, toReport } = beat
    const last = newest.get(gatewayId)
    if (last?.bootId === bootId && seq <= last.seq) return { kind: 'old', spaceId: last.spaceId }
    const heard = await database.write(async tx => {
      const standing = await standingOf(tx, gatewayId, bootId)
      // A last will may come long after its boot has ended, so it does not start a new boot.
      if (standing.kind === 'refused' || (standing.kind === 'unknown' && !isOnline)) return undefined
      const { gateway } = standing
      const isNew = standing.kind === 'unknown'
      // Only the last superseded boots are kept, and this one is older. After a restore none is kept, and it may start again.
      if (isNew && beat.wasTakenUp === true && gateway.bootId !== null) return undefined
      if (isNew && !challenges.isAnswered(gatewayId, bootId, nonce)) return 'challenge'
      if (isNew) {
        await takeBoot(tx, world, gateway, bootId)
        // Before the commit: even if it fails, no challenge of before may be answered any more.
        challenges.settle(gatewayId)
      }
      const nowMs = world.nowMs()
      const lastBeatAt = isoTime(nowMs)
      const last = lastHeard(gateway)
      const wasOnline = wasOnlineUntil(last, nowMs)
      const onlineSince = isOnline && !wasOnline ? lastBeatAt : gateway.onlineSince
      await keepBeat(tx, { id: gatewayId, journalId, lastBeatAt, lastBeat: body, onlineSince })
      await addFigures(tx, gatewayId, { last, nowMs, figures: isOnline ? figures : undefined })
      await recordChange(tx, gateway, { body, wasOnline, nowMs })
      const { spaceId } = gateway
      const ended = isOnline ? await endOrphans(tx, world, { spaceId, gatewayId, bootId, toReport }) : []
      const count = await limits.charge(tx, gatewayId, isNew ? { beats: 1, boots: 1 } : { beats: 1 })
      return { spaceId, ended, count }
    })
    if (!heard) return { kind: 'refused' }
    if (heard === 'challenge') return { kind: 'challenge', nonce: challenges.ask(gatewayId, bootId) }
    const { count, ended, spaceId } = heard
    // Not before the commit: a beat whose transaction failed may come again.
    newest.set(gatewayId, { bootId, seq, spaceId })
    count()
    silence.heard(gatewayId, isOnline)
    for (const one of ended) ends.afterEnd(one)
    return { kind: 'current', spaceId }
  }
}
