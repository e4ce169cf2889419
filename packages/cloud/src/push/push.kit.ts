// For the tests of pushes: a browser that decrypts what it gets as RFC 8291 says, and a push service on this machine.

import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import type { PushDevice } from '@callgate/contract/app/push'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { writeUnlessProblem } from '../database/transaction.ts'
import { bodyOf } from '../http/requests.kit.ts'
import type { Seal } from '../secrets/sealing.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { type Answering, doorOf, type Receiver, startReceiver } from '../webhook/webhook.kit.ts'
import type { PushSubscription } from './encryptedPush.ts'
import { pushHandlers } from './pushHandlers.ts'
import { publicPushKey } from './pushKeys.ts'
import { createPushSender, type PushSender } from './pushSender.ts'

/** A browser with a subscription at a push service. */
export class PushedBrowser {
  readonly subscription: PushSubscription
  readonly #key = createECDH('prime256v1')
  readonly #auth: Buffer

  constructor(world: Pick<World, 'randomBytes'>, endpoint: string) {
    this.#key.setPrivateKey(Buffer.from(world.randomBytes(32)))
    this.#auth = Buffer.from(world.randomBytes(16))
    const keys = { p256dh: this.#key.getPublicKey('base64url'), auth: this.#auth.toString('base64url') }
    this.subscription = { endpoint, keys }
  }

  /** The text that a push has for this browser. */
  read({ bytes }: { readonly bytes: Buffer }): string {
    const salt = bytes.subarray(0, 16)
    const sender = bytes.subarray(21, 86)
    const about = Buffer.concat([Buffer.from('WebPush: info\0'), this.#key.getPublicKey(), sender])
    const secret = Buffer.from(hkdfSync('sha256', this.#key.computeSecret(sender), this.#auth, about, 32))
    const derive = (name: string, length: number) =>
      Buffer.from(hkdfSync('sha256', secret, salt, `Content-Encoding: ${name}\0`, length))
    const decipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
    decipher.setAuthTag(bytes.subarray(-16))
    const padded = Buffer.concat([decipher.update(bytes.subarray(86, -16)), decipher.final()])
    // The last byte ends the text; no padding follows.
    return padded.subarray(0, -1).toString()
  }
}

/** A subscription of a browser of its own, at a service that nobody asks. */
export const newSubscription = (world: Pick<World, 'randomBytes'>): PushSubscription => {
  const place = Buffer.from(world.randomBytes(9)).toString('base64url')
  return new PushedBrowser(world, `https://push.example.com/${place}`).subscription
}

/** A Space with a sender, and a push service on this machine that gets what is sent. */
export interface PushHouse {
  readonly world: FakeWorld
  readonly database: Database
  readonly seal: Seal
  readonly spaceId: string
  readonly service: Receiver
  readonly sender: PushSender
  /** Adds a browser of a user, by the operation of the dashboard. */
  add(
    user: { readonly userId: string },
    switches?: Partial<Pick<PushDevice, 'alerts' | 'openings'>>,
  ): Promise<{ readonly browser: PushedBrowser; readonly id: string }>
  request(userId: string, given?: object): never
  readonly handlers: ReturnType<typeof pushHandlers>
  close(): Promise<void>
}

export async function pushHouse(answer?: Answering): Promise<PushHouse> {
  const world = fakeWorld(1)
  const database = await testDatabase(world)
  const seal = newSeal(world)
  const spaceId = await newSpace({ database, world }, { name: 'Lake view' })
  const service = await startReceiver(answer)
  const rules = { ports: [service.port], hasNetworks: true, ownHost: 'callgate.example' }
  const handlers = pushHandlers({ world, database, seal, rules })
  const appUrl = 'https://callgate.example'
  const sender = createPushSender({ world, database, seal, appUrl, door: doorOf(world) })
  await publicPushKey({ world, database, seal })
  const request = (userId: string, given: object = {}) =>
    ({
      principal: { userId },
      visitor: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
      write: (work: Parameters<Database['write']>[0]) => writeUnlessProblem(database, work as never),
      ...given,
    }) as never
  let browsers = 0
  return {
    world,
    database,
    seal,
    spaceId,
    service,
    sender,
    handlers,
    request,
    async add({ userId }, switches = {}) {
      browsers += 1
      const browser = new PushedBrowser(world, `https://localhost:${service.port}/${browsers}`)
      const body = { ...browser.subscription, alerts: true, openings: true, ...switches }
      const { device } = await bodyOf<{ device: PushDevice }>(
        handlers.addPushDevice(request(userId, { body })) as never,
      )
      return { browser, id: device.id }
    },
    async close() {
      await sender.stop()
      await service.close()
      await database.close()
    },
  }
}
