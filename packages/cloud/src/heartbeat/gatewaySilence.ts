// Silence: a gateway that was online and is not heard any more becomes offline after a while, and an event reports it.

import { offlineAfterMs } from '@callgate/contract/wire/timing'
import type { Timer, World } from '@callgate/world/world'
import { wasOnlineUntil } from '../core/beatHistory.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { recordEvents } from '../event/events.ts'
import { findGateway, lastHeard } from '../gateway/gatewayRows.ts'
import type { GatewaySpaces } from '../gateway/gatewaySpaces.ts'
import type { Replica } from '../replica/replica.ts'
import type { BeatsAside } from './beatsAside.ts'
import { lastBeatOf, type RecentBeats } from './recentBeats.ts'

export interface GatewaySilence {
  /** The gateway was heard just now, or `agoMs` ago. */
  heard(gatewayId: string, isOnline: boolean, agoMs?: number): void
  /** The gateway has said goodbye to a cloud that does not own it: the owner may be gone. */
  doubt(gatewayId: string): void
  /** Waits for the gateways that were online when an earlier run of the cloud heard them last. */
  resume(): Promise<void>
  stop(): void
}

interface GatewaySilenceParts {
  readonly aside: Pick<BeatsAside, 'agoMs' | 'release'>
  readonly database: Database
  readonly recent: RecentBeats
  readonly spaces: GatewaySpaces
  readonly replica: Replica
  readonly world: World
}

/** A beat that arrives at the last moment still counts. */
const slackMs = 500
/** The time between two checks of what another cloud should have reported; longer than a lease. */
const againAfterMs = 10_000

/**
 * Reports the silence once, and records that: neither a restart of the cloud nor another cloud reports it again. Returns whether
 * the owner of the gateway still has to report it: that cloud may die before it does.
 */
async function tell(parts: GatewaySilenceParts, gatewayId: string): Promise<boolean> {
  const { database, recent, replica, spaces, world } = parts
  if (!replica.owns(gatewayId)) {
    const gateway = await findGateway(database.knex, gatewayId)
    return gateway?.revokedAt === null && lastHeard(gateway)?.isOnline === true
  }
  await database.write(
    async tx => {
      const gateway = await findGateway(tx, gatewayId)
      if (!gateway || gateway.revokedAt !== null) return undefined
      const inRow = lastBeatOf(gateway)
      // It was reported: by this cloud, or by another one that owns the gateway, or believes so for a second.
      if (!inRow.heard?.isOnline) return undefined
      const nowMs = timeIn(tx, world)
      const known = recent.find(gatewayId)
      // Where nothing is known, nothing was heard since this run began, which is long enough.
      if (known && wasOnlineUntil(known.heard, nowMs)) return undefined
      const { heard = inRow.heard, isOnlyHeard: _, ...last } = known ?? inRow
      const silent = { ...last, heard: { atMs: heard.atMs, isOnline: false }, onlineSince: null }
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
  return false
}

export function gatewaySilence(parts: GatewaySilenceParts): GatewaySilence {
  const { aside, database, recent, replica, world } = parts
  const timers = new Map<string, Timer>()
  let isStopped = false

  function forget(gatewayId: string): void {
    timers.get(gatewayId)?.cancel()
    timers.delete(gatewayId)
  }

  /** Reports it now; returns whether it must still be reported. */
  async function untold(gatewayId: string): Promise<boolean> {
    try {
      return await recent.inTurn(gatewayId, () => tell(parts, gatewayId))
    } catch (error) {
      world.log.warn('no event says yet that a gateway is offline', { gatewayId, why: String(error) })
      return true
    }
  }

  function tellAfter(gatewayId: string, ms: number): void {
    forget(gatewayId)
    if (isStopped) return
    const timer = world.after(ms, () => {
      const agoMs = aside.agoMs(gatewayId) ?? offlineAfterMs
      // A kept beat is not verified, but this cloud has nothing to report while another one owns the gateway.
      if (agoMs < offlineAfterMs && !replica.owns(gatewayId)) return heard(gatewayId, true, agoMs)
      void aside.release(gatewayId).then(() => look(gatewayId, timer))
    })
    timers.set(gatewayId, timer)
  }

  async function look(gatewayId: string, timer: Timer): Promise<void> {
    // The gateway was heard meanwhile.
    const isOver = () => timers.get(gatewayId) !== timer
    if (isOver()) return
    const isUntold = await untold(gatewayId)
    if (isOver()) return
    if (isUntold) tellAfter(gatewayId, againAfterMs)
    else forget(gatewayId)
  }

  function heard(gatewayId: string, isOnline: boolean, agoMs = 0): void {
    if (isOnline) tellAfter(gatewayId, Math.max(0, offlineAfterMs + slackMs - agoMs))
    else forget(gatewayId)
  }

  return {
    heard,
    doubt: gatewayId => tellAfter(gatewayId, againAfterMs),
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
