// This cloud among those that serve one database: its lease, and which other replicas live.

import { idPrefix } from '@callgate/contract/idPrefix'
import { answerWithinMs, lockedAtMostMs } from '@callgate/contract/wire/timing'
import { newId } from '@callgate/world/ids'
import { limitedLog } from '@callgate/world/limitedLog'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'
import { gatewayOwner, isSameOwner, type Lease, type Owner, ownerOf, renewEveryMs } from '../core/lease.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { knownSchema } from '../database/migrations/schemaState.ts'
import { type EarlyRead, earlyRead } from '../database/pipeline.ts'
import { leastAgoMs, mostAgoMs, type ServerTimes, withReading } from './core/serverTimes.ts'
import {
  endLease,
  findLease,
  isLease,
  readLive,
  renewLease,
  shortenLeases,
  takeLease,
} from './replicaRows.ts'

type Owned = Pick<OpeningRow, 'owner' | 'ownerEpoch'>

/** One cloud among those that serve the same data. */
export interface Replica {
  /** Whether this process alone serves the data: no other holds anything in memory, and nothing is leased. */
  readonly isAlone: boolean
  /** The columns of an opening's row that name its owner. */
  mark(): Partial<Owned>
  /** Whether the opening belongs to this replica and was accepted under its present lease. */
  isMine(row: Owned): boolean
  /** What `isHeld` reads. */
  readonly first: readonly EarlyRead<unknown>[]
  /** Inside a transaction: whether this replica's lease holds. Everything that makes a call possible checks this. */
  isHeld(tx: Db): Promise<boolean>
  /**
   * Whether the replica that owns the opening lives. Outside a transaction the answer is a guess, since the clock is estimated.
   */
  hasLiveOwner(tx: Db, row: Owned): Promise<boolean>
  /** The same, by the state of all replicas a second ago. */
  seemsOwned(row: Owned): boolean
  /** Whether this replica owns the gateway: it challenges its boots, and writes down its beats. */
  owns(gatewayId: string): boolean
  /** An estimate of the database's clock, in whole milliseconds; good enough for what is only checked, not decided. */
  nowMs(): number
  /**
   * The least time since the database's clock showed `atMs`, where it shows `nowMs` now; undefined where it is unknown. The clock
   * may have been set in the last 100 s, so the readings of this process count.
   */
  leastAgoMs(atMs: number, nowMs: number): number | undefined
  /** The greatest time, likewise. */
  mostAgoMs(atMs: number, nowMs: number): number | undefined
  /** Renews the lease now, or takes a new one where it is lost. */
  renew(): Promise<void>
}

/** The only cloud of its data: it owns everything. */
export const alone = (world: Pick<World, 'nowMs'>): Replica => ({
  isAlone: true,
  nowMs: world.nowMs,
  mark: () => ({}),
  isMine: () => true,
  first: [],
  isHeld: async () => true,
  hasLiveOwner: async () => true,
  seemsOwned: () => true,
  owns: () => true,
  leastAgoMs: () => undefined,
  mostAgoMs: () => undefined,
  renew: async () => {},
})

/** How long readings of the database's clock are kept, milliseconds: for the time of an opening, or of a gate's cool-down. */
const rememberedMs = lockedAtMostMs

/** The time in which a load balancer has asked whether this cloud is ready. */
const noticedWithinMs = 10_000
/**
 * The longest time that `leave` takes while the database answers: the write, the notice, and the waiting presses. Milliseconds.
 */
export const leavesWithinMs = 2_000 + noticedWithinMs + answerWithinMs

interface SharedReplicaParts {
  readonly world: World
  readonly database: Database
  /** Whether the replica hears the gateways. */
  readonly isListening: () => boolean
}

/** One of several replicas. Its lease is renewed every second, by the clock of the database. */
export class SharedReplica implements Replica {
  readonly isAlone = false
  readonly #parts: SharedReplicaParts
  readonly #id: string
  readonly #complain: ReturnType<typeof limitedLog>
  readonly #lease = earlyRead(tx => findLease(tx, this.#id))
  readonly first = [this.#lease]
  #epoch = 0
  #live: readonly Lease[] = []
  /** How far the clock of the database is ahead of this process's monotonic clock, which nobody sets. */
  #aheadMs = 0
  #serverTimes: ServerTimes = []
  #isFollowing = false
  #isDraining = false
  #stopRenewing = async () => {}
  #renewing: Promise<void> | undefined

  constructor(parts: SharedReplicaParts) {
    this.#parts = parts
    this.#id = newId(parts.world, idPrefix.replica)
    this.#complain = limitedLog(parts.world)
  }

  get #owner(): Owner {
    return { id: this.#id, epoch: this.#epoch }
  }

  /** A client id for the broker, unique among the clients: letters and digits, at most 23 (MQTT 3.1.1, 3.1.3.1). */
  clientId(): string {
    return `cloud${this.#id.slice(-16)}`
  }

  mark() {
    return { owner: this.#id, ownerEpoch: this.#epoch }
  }

  isMine(row: Owned): boolean {
    return isSameOwner(ownerOf(row), this.#owner)
  }

  async isHeld(tx: Db): Promise<boolean> {
    return isLease(await this.#lease.in(tx), this.#owner, timeIn(tx, this.#parts.world))
  }

  async hasLiveOwner(tx: Db, row: Owned): Promise<boolean> {
    const owner = ownerOf(row)
    if (owner === undefined) return false
    const lease = await findLease(tx, owner.id)
    return isLease(lease, owner, tx.isTransaction ? timeIn(tx, this.#parts.world) : this.nowMs())
  }

  seemsOwned(row: Owned): boolean {
    return this.#live.some(lease => isSameOwner(lease, ownerOf(row)))
  }

  nowMs(): number {
    return Math.floor(this.#parts.world.monotonicMs() + this.#aheadMs)
  }

  leastAgoMs(atMs: number, nowMs: number): number | undefined {
    this.#read(nowMs)
    return leastAgoMs(this.#serverTimes, atMs)
  }

  mostAgoMs(atMs: number, nowMs: number): number | undefined {
    this.#read(nowMs)
    return mostAgoMs(this.#serverTimes, atMs)
  }

  #read(serverMs: number): void {
    const reading = { serverMs, ownMs: this.#parts.world.monotonicMs() }
    this.#serverTimes = withReading(this.#serverTimes, reading, rememberedMs)
  }

  owns(gatewayId: string): boolean {
    return gatewayOwner(gatewayId, this.#live) === this.#id
  }

  /** How many other replicas live and do not drain. */
  othersThatStay(): number {
    return this.#live.filter(({ id, isDraining }) => id !== this.#id && !isDraining).length
  }

  /** Takes a lease and renews it from now on. `then` runs after each renewal. */
  async start(then: () => Promise<void>): Promise<void> {
    await this.renew()
    this.#stopRenewing = repeat(
      this.#parts.world,
      renewEveryMs,
      () => this.renew().then(() => this.#follow(then)),
      why => this.#complain('the lease was not renewed', { why }),
    )
  }

  /** Announces to other replicas and to the readiness check that it is about to stop. */
  async drain(): Promise<void> {
    this.#isDraining = true
    await this.renew()
  }

  /**
   * Drains before the stop, so that no press is refused: a load balancer notices that this cloud is not ready, then `finish`
   * resolves when the work that only this cloud can do is done. Where no other replica stays, it returns at once.
   */
  async leave(finish: () => Promise<void>): Promise<void> {
    await this.drain().catch(() => {})
    if (this.othersThatStay() === 0) return
    await new Promise<void>(resolve => this.#parts.world.after(noticedWithinMs, resolve))
    await finish()
  }

  isDraining(): boolean {
    return this.#isDraining
  }

  /** Gives the lease back. The others take over its openings. */
  async stop(): Promise<void> {
    void this.#stopRenewing()
    await this.#renewing?.catch(() => {})
    const { database, world } = this.#parts
    await database.write(async tx => endLease(tx, this.#owner, timeIn(tx, world)), {
      spaceId: null,
      isUrgent: true,
    })
  }

  renew(): Promise<void> {
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async #renew(): Promise<void> {
    const { database, isListening, world } = this.#parts
    const said = { schema: knownSchema, isListening: isListening(), isDraining: this.#isDraining }
    const mine = this.#owner
    const { aheadMs, epoch, live } = await database.write(
      async tx => {
        const nowMs = timeIn(tx, world)
        const aheadMs = nowMs - world.monotonicMs()
        this.#read(nowMs)
        await shortenLeases(tx, nowMs)
        const isKept = mine.epoch > 0 && (await renewLease(tx, mine, said, nowMs))
        const epoch = isKept ? mine.epoch : mine.epoch + 1
        if (!isKept) await takeLease(tx, { ...mine, epoch }, said, nowMs)
        return { aheadMs, epoch, live: await readLive(tx, nowMs) }
      },
      { spaceId: null, isUrgent: true },
    )
    if (mine.epoch > 0 && epoch !== mine.epoch)
      world.log.warn('the lease of this cloud was lost: others have taken over its openings', { epoch })
    this.#epoch = epoch
    this.#live = live
    this.#aheadMs = aheadMs
  }

  /** Runs `then` beside the renewals, because it may wait for a lock longer than a lease lasts. */
  #follow(then: () => Promise<void>): void {
    if (this.#isFollowing) return
    this.#isFollowing = true
    then()
      .catch((error: unknown) =>
        this.#complain('what other clouds have left was not taken over', { why: String(error) }),
      )
      .finally(() => {
        this.#isFollowing = false
      })
  }
}
