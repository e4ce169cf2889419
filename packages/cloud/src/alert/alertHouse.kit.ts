// A house for the tests of alerts: Spaces with users and gateways, whose beats a test gives, and a cloud that checks them.

import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Heard } from '../core/beatHistory.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import type { BeatsSeen } from '../gateway/gatewayRows.ts'
import type { Replica } from '../replica/replica.ts'
import { newSpace } from '../space/space.kit.ts'
import { newUser } from '../user/user.kit.ts'
import { watchForIncidents } from './alerts.ts'
import type { IncidentRow } from './incidentRows.ts'
import type { AlertMailRow } from './notifications.ts'

/** A gateway in a test: while it is up, it beats every 10 s. */
export interface PlayedGateway {
  readonly id: string
  readonly spaceId: string
  isUp: boolean
  signalDbm: number
  voltageMv: number
  heard: Heard
  onlineSinceMs: number
}

const beatMs = 10_000

export class AlertHouse {
  readonly world: FakeWorld
  readonly database: Database
  readonly gateways: PlayedGateway[] = []
  isConnected = true
  /** What was told for pushes: the kind, and how many incidents. */
  readonly told: (readonly [spaceId: string, kind: string, incidents: number])[] = []
  #stop: (() => Promise<void>) | undefined

  private constructor(world: FakeWorld, database: Database) {
    this.world = world
    this.database = database
  }

  static async open(seed = 1): Promise<AlertHouse> {
    const world = fakeWorld(seed)
    return new AlertHouse(world, await testDatabase(world))
  }

  async addSpace(name = 'Lake view'): Promise<string> {
    const spaceId = await newSpace(this, { name })
    await newUser(this, { email: `olga@${spaceId.slice(-6)}.example`, spaceId, name: 'Olga' })
    return spaceId
  }

  async addGateway(spaceId: string, name = 'Attic'): Promise<PlayedGateway> {
    const id = newId(this.world, 'gw')
    const nowMs = this.world.nowMs()
    const at = isoTime(nowMs)
    const row = { id, spaceId, name, publicKey: id, passwordHash: 'p', createdAt: at }
    await this.database.knex('gateways').insert({ ...row, lastBeat: '{}', lastBeatAt: at, onlineSince: at })
    const gateway: PlayedGateway = {
      id,
      spaceId,
      isUp: true,
      signalDbm: -71,
      voltageMv: 4_020,
      heard: { atMs: nowMs, isOnline: true },
      onlineSinceMs: nowMs,
    }
    this.gateways.push(gateway)
    return gateway
  }

  /** The last beats that the cloud knows. */
  get heard(): BeatsSeen {
    return {
      additions: () => [],
      catchUp: async () => {},
      now: row => {
        const gateway = this.gateways.find(({ id }) => id === row.id)
        if (!gateway) return { ...row, heard: undefined }
        const { heard, onlineSinceMs, signalDbm, voltageMv } = gateway
        const lastBeat = JSON.stringify({ modem: { signalDbm, voltageMv } })
        return {
          ...row,
          heard,
          lastBeat,
          lastBeatAt: isoTime(heard.atMs),
          onlineSince: isoTime(onlineSinceMs),
        }
      },
    }
  }

  /**
   * `world` and `replica` may have another clock than the house, whose clock is that of the database. The cloud owns all gateways
   * where `replica` does not say otherwise.
   */
  startCloud(
    world: World = this.world,
    replica?: Pick<Replica, 'nowMs'> & Partial<Pick<Replica, 'owns'>>,
  ): void {
    const isConnected = () => this.isConnected
    const { database } = this
    const shared = replica && { nowMs: () => replica.nowMs(), owns: replica.owns ?? (() => true) }
    this.#stop ??= watchForIncidents({
      ...{ database, world, heard: this.heard, isConnected, replica: shared },
      told: (spaceId, { incidents, kind }) => void this.told.push([spaceId, kind, incidents.length]),
    })
  }

  async stopCloud(): Promise<void> {
    await this.#stop?.()
    this.#stop = undefined
  }

  get hasCloud(): boolean {
    return this.#stop !== undefined
  }

  /** Lets time pass; gateways that are up are heard while the cloud runs and is connected. */
  async pass(ms: number): Promise<void> {
    for (let passedMs = 0; passedMs < ms; passedMs += beatMs) {
      await this.world.advance(Math.min(beatMs, ms - passedMs))
      // A round takes more turns than `advance` waits for.
      await settle(40)
      const nowMs = this.world.nowMs()
      for (const gateway of this.gateways)
        if (gateway.isUp && this.hasCloud && this.isConnected) {
          if (nowMs - gateway.heard.atMs >= 30_000) gateway.onlineSinceMs = nowMs
          gateway.heard = { atMs: nowMs, isOnline: true }
        }
    }
  }

  incidents(): Promise<IncidentRow[]> {
    return this.database.knex<IncidentRow>('incidents').whereNotNull('openedAt').orderBy(['openedAt', 'id'])
  }

  mails(): Promise<AlertMailRow[]> {
    return this.database.knex<AlertMailRow>('alertMails').orderBy(['createdAt', 'id'])
  }

  async close(): Promise<void> {
    await this.stopCloud()
    await this.database.close()
  }
}
