// The sender of pushes: a queue in memory. A push is a hint, so none is kept over a restart, and what is too much is dropped.

import type { PushMessage } from '@callgate/contract/app/pushMessage'
import type { Timer, World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { Attempted, WebhookDoor } from '../webhook/webhookRequest.ts'
import { encryptedPush } from './encryptedPush.ts'
import { devicesToTell, removeDevice, subscriptionFor } from './pushDevices.ts'
import { readPushKeys } from './pushKeys.ts'

export interface PushSender {
  /** Sends a push to every device that gets it, but not to those of one user. Resolves when they wait for their turn. */
  tell(message: PushMessage, exceptUserId?: string | null): Promise<void>
  /** Drops what waits, and ends the running attempts. */
  stop(): Promise<void>
}

interface SenderParts {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly door: WebhookDoor
  readonly appUrl: string
}

export const pushLimits = {
  /** How many pushes wait in all, about one Space, and for one user. What comes then is dropped. */
  waiting: 1_000,
  waitingOfSpace: 250,
  waitingOfUser: 30,
  /** How many attempts run at once, about one Space, to one user and to one device: a slow service delays nobody else for long. */
  running: 16,
  runningOfSpace: 4,
  runningOfUser: 2,
  runningOfDevice: 1,
  /** The delays after failed attempts, milliseconds. After the last one the push is dropped. */
  delaysMs: [5_000, 60_000, 300_000],
} as const

interface Waiting {
  readonly deviceId: string
  readonly userId: string
  readonly message: PushMessage
  /** How many attempts have failed. */
  readonly failures: number
}

/** How many of `others` are about the same Space as a push, for the same user, and for the same device. */
function alike(one: Waiting, others: readonly Waiting[]) {
  const count = (isAlike: (other: Waiting) => boolean) => others.filter(isAlike).length
  return {
    ofSpace: count(({ message }) => message.spaceId === one.message.spaceId),
    ofUser: count(({ userId }) => userId === one.userId),
    ofDevice: count(({ deviceId }) => deviceId === one.deviceId),
  }
}

/** Such an address has no subscription any more (RFC 8030, 7.3). */
const isGone = ({ status }: Attempted) => status === 404 || status === 410
/** Whether another attempt may succeed. */
const mayPass = ({ status }: Attempted) => status === null || status === 429 || status >= 500

class Sender implements PushSender {
  readonly #parts: SenderParts
  #waiting: Waiting[] = []
  readonly #paused = new Map<Timer, Waiting>()
  readonly #running = new Map<Promise<void>, Waiting>()
  readonly #aborting = new AbortController()
  #isFilling = false

  constructor(parts: SenderParts) {
    this.#parts = parts
  }

  async tell(message: PushMessage, exceptUserId: string | null = null): Promise<void> {
    const { database, world } = this.#parts
    const devices: { readonly id: string; readonly userId: string }[] = await devicesToTell(
      database.knex,
      message,
    ).select('device.id', 'device.userId')
    const told = devices.filter(({ userId }) => userId !== exceptUserId)
    const dropped = told.filter(
      ({ id, userId }) => !this.#add({ deviceId: id, userId, message, failures: 0 }),
    )
    if (dropped.length > 0)
      world.log.warn('too many pushes wait: some are dropped', { dropped: dropped.length })
    void this.#fill()
  }

  async stop(): Promise<void> {
    this.#aborting.abort()
    for (const timer of this.#paused.keys()) timer.cancel()
    this.#paused.clear()
    this.#waiting = []
    await Promise.all(this.#running.keys())
    this.#parts.door.close()
  }

  /** Puts a push into the queue; false where it is full. */
  #add(one: Waiting): boolean {
    const all = [...this.#waiting, ...this.#paused.values()]
    const { ofSpace, ofUser } = alike(one, all)
    const { waiting, waitingOfSpace, waitingOfUser } = pushLimits
    const isFull = all.length >= waiting || ofSpace >= waitingOfSpace || ofUser >= waitingOfUser
    if (isFull || this.#aborting.signal.aborted) return false
    this.#waiting.push(one)
    return true
  }

  /** Takes the first one that has a place. */
  #next(): Waiting | undefined {
    const running = [...this.#running.values()]
    if (running.length >= pushLimits.running) return undefined
    const { runningOfDevice, runningOfSpace, runningOfUser } = pushLimits
    const hasPlace = (one: Waiting) => {
      const { ofDevice, ofSpace, ofUser } = alike(one, running)
      return ofDevice < runningOfDevice && ofUser < runningOfUser && ofSpace < runningOfSpace
    }
    const place = this.#waiting.findIndex(hasPlace)
    return place < 0 ? undefined : this.#waiting.splice(place, 1)[0]
  }

  /** Begins one attempt in each turn of the event loop: to encrypt takes about a millisecond, in which a press waits. */
  async #fill(): Promise<void> {
    if (this.#isFilling) return
    this.#isFilling = true
    for (let one = this.#next(); one; one = this.#next()) {
      this.#begin(one)
      await this.#parts.world.turn()
    }
    this.#isFilling = false
  }

  #begin(one: Waiting): void {
    const attempt = this.#send(one)
      .catch((error: unknown) => this.#parts.world.log.warn('a push was not sent', { why: String(error) }))
      .finally(() => {
        this.#running.delete(attempt)
        void this.#fill()
      })
    this.#running.set(attempt, one)
  }

  async #send(one: Waiting): Promise<void> {
    const { appUrl, database, door, seal, world } = this.#parts
    const { deviceId, message } = one
    // Asked for each attempt: the user may have been removed, or may have switched it off.
    const subscription = await subscriptionFor(database.knex, seal, one)
    const keys = subscription && (await readPushKeys(database.knex, seal))
    if (!subscription || !keys || this.#aborting.signal.aborted) return
    const request = encryptedPush(subscription, message, { appUrl, keys })
    const attempted = await door.post({ ...request, signal: this.#aborting.signal })
    if (attempted.error === null) return
    if (isGone(attempted)) {
      await database.write(tx => removeDevice(tx, { id: deviceId }), { spaceId: null })
      world.log.info('a device that gets no pushes any more was removed', { status: attempted.status })
    } else if (!this.#tryAgain(one, attempted))
      world.log.info('a push was given up', { status: attempted.status, why: attempted.error })
  }

  /** Puts a push aside for another attempt; false after the last one. */
  #tryAgain(one: Waiting, attempted: Attempted): boolean {
    const { world } = this.#parts
    const delayMs = pushLimits.delaysMs[one.failures]
    if (delayMs === undefined || !mayPass(attempted) || this.#aborting.signal.aborted) return false
    const again = { ...one, failures: one.failures + 1 }
    const timer = world.after(delayMs, () => {
      this.#paused.delete(timer)
      this.#waiting.push(again)
      void this.#fill()
    })
    this.#paused.set(timer, again)
    return true
  }
}

export const createPushSender = (parts: SenderParts): PushSender => new Sender(parts)
