// Silence: a gateway that was online and is not heard any more is offline after a while, and an event says so.

import { offlineAfterMs } from '@callgate/contract/wire/timing'
import type { Timer, World } from '@callgate/world/world'
import { wasOnlineUntil } from '../core/beatHistory.ts'
import type { Database } from '../database/database.ts'
import { recordEvents } from '../event/events.ts'
import { findGateway, lastHeard } from './gatewayBoots.ts'

export interface GatewaySilence {
  /** The gateway was heard just now. */
  heard(gatewayId: string, isOnline: boolean): void
  /** Waits for the gateways that were online when an earlier run of the cloud heard them last. */
  resume(): Promise<void>
  stop(): void
}

/** A beat that comes on the moment still counts. */
const slackMs = 500

export function gatewaySilence({ database, world }: { database: Database; world: World }): GatewaySilence {
  const timers = new Map<string, Timer>()
  let isStopped = false

  async function tell(gatewayId: string): Promise<void> {
    await database.write(async tx => {
      const gateway = await findGateway(tx, gatewayId)
      const nowMs = world.nowMs()
      if (!gateway || gateway.revokedAt !== null || wasOnlineUntil(lastHeard(gateway), nowMs)) return
      const event = { kind: 'gateway.offline', targetId: gatewayId, atMs: nowMs } as const
      await recordEvents(tx, gateway.spaceId, [event])
    })
  }

  function heard(gatewayId: string, isOnline: boolean): void {
    timers.get(gatewayId)?.cancel()
    timers.delete(gatewayId)
    if (!isOnline || isStopped) return
    const timer = world.after(offlineAfterMs + slackMs, () => {
      timers.delete(gatewayId)
      tell(gatewayId).catch((error: unknown) =>
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
        .select('id', 'lastBeat', 'lastBeatAt')
      for (const row of rows) if (lastHeard(row)?.isOnline) heard(row.id, true)
    },
    stop() {
      isStopped = true
      for (const timer of timers.values()) timer.cancel()
    },
  }
}
