// Puts the sender of pushes together with its way out, and starts it.

import type { World } from '@callgate/world/world'
import type { AlertListener } from '../alert/notifications.ts'
import type { Database } from '../database/database.ts'
import { trustedProxies } from '../network/proxies.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { WebhookPlaces } from '../webhook/webhookPlaces.ts'
import { createWebhookDoor } from '../webhook/webhookRequest.ts'
import { followOpenings } from './openingPushes.ts'
import { createPushSender } from './pushSender.ts'

/** Sends pushes about openings, and about the alerts that are given to `told`, until `stop` is called. */
export function startPushes(parts: {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly appUrl: string
  readonly places: WebhookPlaces
}): { readonly told: AlertListener; readonly stop: () => Promise<void> } {
  const { places, world } = parts
  const door = createWebhookDoor({ world, isNamed: trustedProxies(places.webhookNetworks) })
  const sender = createPushSender({ ...parts, door })
  const leave = followOpenings({ ...parts, sender })
  return {
    told(spaceId, { incidents }) {
      const [first] = incidents
      const id = first && incidents.length === 1 ? first.id : null
      const failed = (error: unknown) => world.log.warn('a push was not sent', { why: String(error) })
      void sender.tell({ kind: 'alert', spaceId, id }).catch(failed)
    },
    async stop() {
      await leave()
      await sender.stop()
    },
  }
}
