// The sender: claims due deliveries of every Space, attempts them, and writes how each attempt ended.

import { repeat } from '@callgate/world/repeat'
import { isoTime, type Timer, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { type ClaimedDelivery, claimDeliveries, dueWebhooks } from '../event/deliveryRows.ts'
import type { Seal } from '../secrets/sealing.ts'
import { claimedAtOnce, hasPlace, isProven } from './core/places.ts'
import { renderDelivery } from './deliveryBodies.ts'
import { type EndedAttempt, writeEnds } from './deliveryEnds.ts'
import { type KnownWebhook, newWork, type SpaceWork } from './senderWork.ts'
import { limitsOfAttempt, type WebhookDoor } from './webhookRequest.ts'
import { listWebhookRows, messageId, type WebhookRow, webhookSecretPlace } from './webhookRows.ts'
import { signedHeaders } from './webhookSignature.ts'

export interface WebhookSender {
  /** Sends what is due, and what is recorded from then on. */
  start(): void
  /** Waits for the running attempts, for at most 5 s, and begins no other. */
  stop(): Promise<void>
}

export interface SenderParts {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly door: WebhookDoor
}

/** How often due deliveries are looked for: retries, and those of another process. Milliseconds. */
const lookEveryMs = 1_000
/** How long a claim lasts. A process that was killed leaves its claims, and they are due again then. Milliseconds. */
const claimMs = 120_000
/** An attempt begins only while its claim lasts long enough for it. Milliseconds. */
const lastStartMs = limitsOfAttempt.statusMs + limitsOfAttempt.restMs + 5_000
/**
 * How long Spaces are gathered that have something to write. Their writes then share a commit, and presses of others wait for few.
 * Milliseconds.
 */
export const gatherMs = 10
const stopWithinMs = 5_000
/** How many attempts begin in one turn of the event loop: each takes about 0.2 ms, in which a press waits. */
const mostInTurn = 4

class Sender implements WebhookSender {
  readonly #parts: SenderParts
  readonly #spaces = new Map<string, SpaceWork>()
  readonly #attempts = new Map<AbortController, Promise<void>>()
  readonly #writes = new Set<Promise<void>>()
  /** The Spaces that have something to write. */
  readonly #gathered = new Set<SpaceWork>()
  #gathering: Timer | undefined
  #unproven = 0
  #isStopped = false
  #isFilling = false
  #stops: (() => unknown)[] = []

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  start(): void {
    const { database, world } = this.#parts
    const leave = database.onEvents((_, delivering) => {
      for (const spaceId of delivering) this.#wake(spaceId)
    })
    const failed = (why: string) => world.log.warn('due deliveries were not looked for', { why })
    this.#stops = [leave, repeat(world, lookEveryMs, () => this.#look(), failed)]
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all(this.#stops.map(stop => stop()))
    this.#gathering?.cancel()
    const abort = () => {
      for (const attempt of this.#attempts.keys()) attempt.abort()
    }
    const limit = this.#parts.world.after(stopWithinMs, abort)
    await Promise.all(this.#attempts.values())
    limit.cancel()
    for (const space of this.#spaces.values()) this.#write(space)
    await Promise.all(this.#writes)
    this.#parts.door.close()
  }

  async #look(): Promise<void> {
    const { database, world } = this.#parts
    // What could not be written, and claims that have waited too long for a place.
    for (const space of this.#spaces.values()) if (space.ended.length > 0) this.#write(space)
    this.#fill()
    for (const { spaceId, webhookId } of await dueWebhooks(database.knex, isoTime(world.nowMs()))) {
      const known = this.#spaces.get(spaceId)?.webhooks.get(webhookId)
      if (!known || known.queue.length + known.running < claimedAtOnce(known.row)) this.#wake(spaceId)
    }
  }

  #wake(spaceId: string): void {
    const known = this.#spaces.get(spaceId)
    const space = known ?? newWork(spaceId)
    if (!known) this.#spaces.set(spaceId, space)
    space.isStale = true
    this.#writeSoon(space)
  }

  /** Writes the ends of attempts, and claims more, until there is nothing to do. */
  #write(space: SpaceWork): void {
    if (space.isWriting || (this.#isStopped && space.ended.length === 0)) return
    space.isWriting = true
    const writing = this.#writeAll(space)
      .catch((error: Error) =>
        this.#parts.world.log.warn('deliveries were not written', {
          spaceId: space.spaceId,
          why: error.message,
        }),
      )
      .finally(() => {
        space.isWriting = false
        this.#writes.delete(writing)
        this.#forget(space)
        this.#fill()
      })
    this.#writes.add(writing)
  }

  async #writeAll(space: SpaceWork): Promise<void> {
    while (space.ended.length > 0 || (space.isStale && !this.#isStopped)) {
      const ended = space.ended.splice(0)
      space.isStale = false
      try {
        await this.#writeOnce(space, ended)
      } catch (error) {
        // The next look tries it again. Without it the claims end, and the deliveries are attempted again.
        space.ended.unshift(...ended)
        throw error
      }
      this.#fill()
    }
  }

  async #writeOnce(space: SpaceWork, ended: readonly EndedAttempt[]): Promise<void> {
    const { database, world } = this.#parts
    const { spaceId } = space
    const claimed = await database.write(
      async tx => {
        const rows = await listWebhookRows(tx, spaceId)
        for (const row of rows) await writeEnds(tx, world, row, ended)
        const found = ended.length > 0 ? await listWebhookRows(tx, spaceId) : rows
        return this.#claim(tx, space, found)
      },
      { spaceId },
    )
    const left = new Set(claimed.map(({ row }) => row.id))
    for (const [id, known] of space.webhooks) if (!left.has(id)) known.queue.splice(0)
    for (const { deliveries, row } of claimed) {
      const known = space.webhooks.get(row.id) ?? { row, secrets: [], queue: [], running: 0 }
      known.row = row
      known.secrets = this.#secretsOf(row)
      known.queue.push(...deliveries)
      space.webhooks.set(row.id, known)
    }
  }

  /** Claims what is due for each active webhook of a Space, as much as has room. */
  async #claim(tx: Knex.Transaction, space: SpaceWork, rows: readonly WebhookRow[]) {
    const claimed: { row: WebhookRow; deliveries: readonly ClaimedDelivery[] }[] = []
    const nowMs = timeIn(tx, this.#parts.world)
    const [now, until] = [isoTime(nowMs), isoTime(nowMs + claimMs)]
    for (const row of rows.filter(({ stoppedAt }) => stoppedAt === null)) {
      const known = space.webhooks.get(row.id)
      const most = claimedAtOnce(row) - (known ? known.queue.length + known.running : 0)
      const given = { webhookId: row.id, now, until, most, render: renderDelivery }
      const deliveries = most > 0 && !this.#isStopped ? await claimDeliveries(tx, given) : []
      claimed.push({ row, deliveries })
    }
    return claimed
  }

  /** The secrets of a webhook, the newest first. */
  #secretsOf({ id, previousEndsAt, previousSealed, secretSealed }: WebhookRow): readonly string[] {
    const { seal, world } = this.#parts
    const isPaired = previousEndsAt !== null && Date.parse(previousEndsAt) > world.nowMs()
    const sealed = [secretSealed, ...(isPaired && previousSealed !== null ? [previousSealed] : [])]
    return sealed.flatMap(text => seal.unseal(text, webhookSecretPlace(id)) ?? [])
  }

  /** Forgets a Space without work, and webhooks without any. */
  #forget(space: SpaceWork): void {
    for (const [id, { queue, running }] of space.webhooks)
      if (queue.length === 0 && running === 0) space.webhooks.delete(id)
    const isIdle = space.webhooks.size === 0 && space.ended.length === 0 && !space.isStale
    // The Space may have got other work since this one was idle.
    const isCurrent = this.#spaces.get(space.spaceId) === space
    if (isIdle && isCurrent && !space.isWriting) this.#spaces.delete(space.spaceId)
  }

  /** Begins attempts, as many as have places, some in each turn of the event loop. */
  #fill(): void {
    if (!this.#isFilling) void this.#fillAll()
  }

  async #fillAll(): Promise<void> {
    this.#isFilling = true
    while (this.#beginSome()) await this.#parts.world.turn()
    this.#isFilling = false
  }

  /** Begins some attempts, one for each Space in turn. Returns whether there may be more. */
  #beginSome(): boolean {
    let begun = 0
    for (let before = -1; before < begun && !this.#isStopped; ) {
      before = begun
      for (const space of [...this.#spaces.values()]) {
        if (this.#beginOne(space)) begun += 1
        if (begun === mostInTurn) return true
      }
    }
    return false
  }

  #beginOne(space: SpaceWork): boolean {
    for (const known of space.webhooks.values()) {
      const { queue, row, running: ofWebhook } = known
      const running = {
        inAll: this.#attempts.size,
        ofUnproven: this.#unproven,
        ofSpace: space.running,
        ofWebhook,
      }
      if (queue.length === 0 || !hasPlace(row, running)) continue
      const delivery = queue.shift()
      // A claim that waited too long for a place is left to end, and is taken again.
      if (!delivery || Date.parse(delivery.nextAttemptAt) - this.#parts.world.nowMs() < lastStartMs) continue
      this.#begin(space, known, delivery)
      // Its turn is over: the Space, and the webhook in it, go to the end of the line.
      this.#spaces.delete(space.spaceId)
      this.#spaces.set(space.spaceId, space)
      space.webhooks.delete(row.id)
      space.webhooks.set(row.id, known)
      return true
    }
    return false
  }

  #begin(space: SpaceWork, known: KnownWebhook, delivery: ClaimedDelivery): void {
    const isUnproven = !isProven(known.row)
    const controller = new AbortController()
    const atMs = this.#parts.world.nowMs()
    known.running += 1
    space.running += 1
    if (isUnproven) this.#unproven += 1
    const attempt = this.#post(known, delivery, controller.signal).then(attempted => {
      this.#attempts.delete(controller)
      known.running -= 1
      space.running -= 1
      if (isUnproven) this.#unproven -= 1
      space.ended.push({ delivery, attempted, atMs })
      if (attempted.error === null || known.queue.length === 0) space.isStale = true
      this.#writeSoon(space)
      this.#fill()
    })
    this.#attempts.set(controller, attempt)
  }

  #post({ row, secrets }: KnownWebhook, { body, seq, spaceId }: ClaimedDelivery, signal: AbortSignal) {
    const timestamp = Math.floor(this.#parts.world.nowMs() / 1_000)
    const headers = signedHeaders(secrets, { id: messageId(spaceId, seq), timestamp, body })
    return this.#parts.door.post({
      url: row.url,
      headers: { ...headers, 'user-agent': 'Callgate' },
      body,
      signal,
    })
  }

  /** Writes what there is of a Space, together with others. */
  #writeSoon(space: SpaceWork): void {
    this.#gathered.add(space)
    this.#gathering ??= this.#parts.world.after(gatherMs, () => {
      this.#gathering = undefined
      for (const one of this.#gathered) this.#write(one)
      this.#gathered.clear()
    })
  }
}

export const createWebhookSender = (parts: SenderParts): WebhookSender => new Sender(parts)
