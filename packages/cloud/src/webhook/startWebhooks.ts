// Puts the sender of webhooks together with its way out, and starts it.

import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { trustedProxies } from '../network/proxies.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { WebhookPlaces } from './webhookPlaces.ts'
import { createWebhookDoor } from './webhookRequest.ts'
import { createWebhookSender } from './webhookSender.ts'

/** Sends the events of all Spaces to their webhooks, until the returned function is called. */
export function startWebhooks(parts: {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly places: WebhookPlaces
}): () => Promise<void> {
  const { database, places, seal, world } = parts
  const door = createWebhookDoor({ world, isNamed: trustedProxies(places.webhookNetworks) })
  const sender = createWebhookSender({ world, database, seal, door })
  sender.start()
  return () => sender.stop()
}
