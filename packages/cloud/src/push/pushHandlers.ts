// Pushes in the dashboard's API: the devices of a user, and the sentence behind a push.

import type { Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import type { Seal } from '../secrets/sealing.ts'
import { browserWords } from '../user/browserWords.ts'
import { readWebhookUrl, type WebhookRules } from '../webhook/webhookUrl.ts'
import { isPublicKey } from './encryptedPush.ts'
import {
  addDevice,
  changeDevice,
  deviceIdOf,
  devicesOf,
  type PushDeviceRow,
  pushDevicePlace,
  removeDevice,
  toDevice,
} from './pushDevices.ts'
import { publicPushKey } from './pushKeys.ts'
import { readPushText } from './pushText.ts'

/** Browsers send neither; so no person reads it. */
const notASubscription: Problem = {
  problem: 'validation_error',
  message: 'endpoint must be an https address with a public name, and keys.p256dh a point of the curve P-256',
}

export function pushHandlers(parts: {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  /** Where a request may lead: the endpoint comes from a browser. */
  readonly rules: WebhookRules
}): Pick<AppHandlers, 'getPush' | 'addPushDevice' | 'updatePushDevice' | 'removePushDevice' | 'getPushText'> {
  const { database, rules, seal, world } = parts
  return {
    async getPush({ principal }) {
      const publicKey = await publicPushKey(parts)
      const devices = (await devicesOf(database.knex, principal.userId)).map(toDevice)
      return { status: 200, body: { publicKey, devices } }
    },

    async addPushDevice({ body, principal, visitor, write }) {
      const { alerts, endpoint, keys, openings } = body
      const read = readWebhookUrl(endpoint, rules)
      if (!read.ok || !isPublicKey(keys.p256dh)) return notASubscription
      const id = deviceIdOf(endpoint)
      const row: PushDeviceRow = {
        id,
        userId: principal.userId,
        browser: browserWords(visitor.userAgent),
        subscriptionSealed: seal.seal(JSON.stringify({ endpoint, keys }), pushDevicePlace(id)),
        alerts,
        openings,
        createdAt: isoTime(world.nowMs()),
      }
      return write(async tx => {
        await addDevice(tx, row)
        return { status: 201, body: { device: toDevice(row) } } as const
      })
    },

    updatePushDevice: ({ body, params, principal, write }) =>
      write(async tx => {
        const row = await changeDevice(tx, { id: params.deviceId, userId: principal.userId }, body)
        return row ? ({ status: 200, body: { device: toDevice(row) } } as const) : notFound('device')
      }),

    removePushDevice: ({ params, principal, write }) =>
      write(async tx =>
        (await removeDevice(tx, { id: params.deviceId, userId: principal.userId }))
          ? ({ status: 204 } as const)
          : notFound('device'),
      ),

    async getPushText({ principal, query }) {
      const { identity, spaceId } = principal
      const userId = identity.kind === 'user' ? identity.userId : ''
      const message = { kind: query.kind, id: query.id ?? null, spaceId }
      const text = await readPushText(database.knex, message, userId)
      return text ? { status: 200, body: text } : notFound(query.kind === 'alert' ? 'incident' : 'opening')
    },
  }
}
