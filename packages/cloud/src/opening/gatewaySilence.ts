// Silence: a gateway that was online and is not heard any more is offline after a while, and an event says so.

import { offlineAfterMs } from '@callgate/contract/wire/timing'
import type { Timer, World } from '@callgate/world/world'
import { wasOnlineUntil } from '../core/beatHistory.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { recordEvents } from '../event/events.ts'
import type { Replica } from '../replica/replica.ts'
import { findGateway, lastHeard } from './gatewayBoots.ts'
import type { GatewaySpaces } from './gatewaySpaces.ts'
import { lastBeatOf, type RecentBeats } from './recentBeats.ts'

export interface GatewaySilence {
  /** The gateway was heard just now. */
  heard(gatewayId: string, isOnline: boolean): void
  /** Waits for the gateways that were online when an earlier run of the cloud heard them last. */
  resume(): Promise<void>
  stop(): void
}

interface Parts {
  readonly database: Database
  readonly recent: RecentBeats
  readonly spaces: GatewaySpaces
  readonly replica: Replica
  readonly world: World
}

/** A beat that comes on the moment still counts. */
const slackMs = 500

export function gatewaySilence({ database, recent, replica, spaces, world }: Parts): GatewaySilence {
  const timers = new Map<string, Timer>()
  let isStopped = false

  /** Tells it once, and writes down that it was told: a restart of the cloud does not tell it again. */
  async function tell(gatewayId: string): Promise<void> {
    if (!replica.minds(gatewayId)) return
    await database.write(
      async tx => {
        const gateway = await findGateway(tx, gatewayId)
        if (!gateway || gateway.revokedAt !== null) return undefined
        const nowMs = timeIn(tx, world)
        const known = recent.find(gatewayId)
        const { heard: before, ...last } = known ?? lastBeatOf(gateway)
        // Where nothing is known, nothing was heard since this run began, which is long enough.
        if (!before?.isOnline || (known && wasOnlineUntil(before, nowMs))) return undefined
        const silent = { ...last, heard: { atMs: before.atMs, isOnline: false }, onlineSince: null }
        await recent.write(tx, gatewayId, silent, [])
        const event = { kind: 'gateway.offline', targetId: gatewayId, atMs: nowMs } as const
        await recordEvents(tx, gateway.spaceId, [event])
        return silent
      },
      {
        spaceId: await spaces.find(gatewayId),
        committed: silent => silent && recent.written(gatewayId, silent),
      },
    )
  }

  function heard(gatewayId: string, isOnline: boolean): void {
    timers.get(gatewayId)?.cancel()
    timers.delete(gatewayId)
    if (!isOnline || isStopped) return
    const timer = world.after(offlineAfterMs + slackMs, () => {
      timers.delete(gatewayId)
      recent
        .inTurn(gatewayId, () => tell(gatewayId))
        .catch((error: unknown) =>
          world.log.warn('no event says that a gateway is offline', { gatewayId, why: String(error) }),
        )
    })
    timers.set(gatewayId, timer)
  }

  return {
    heard,
    async resume() {
      const rows = await database
        .knex('gateways')
        .whereNull('revokedAt')
        .whereNotNull('lastBeat')
        .select('id', 'lastBeat', 'lastBeatAt', 'onlineSince')
      for (const row of rows) if (lastHeard(row)?.isOnline) heard(row.id, true)
    },
    stop() {
      isStopped = true
      for (const timer of timers.values()) timer.cancel()
    },
  }
}
