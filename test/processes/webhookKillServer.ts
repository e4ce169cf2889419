// A sender of webhooks as a process that records events, and kills itself (SIGKILL) before one of its statements.

import { openData } from '@callgate/cloud/database/openData'
import { recordEvents } from '@callgate/cloud/event/events'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { createWebhookDoor } from '@callgate/cloud/webhook/webhookRequest'
import { createWebhookSender } from '@callgate/cloud/webhook/webhookSender'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { realWorld } from '@callgate/world/real'

const [url = '', spaceId = '', aheadMs = '0', diesAt = ''] = process.argv.slice(2)
const real = realWorld({ logLevel: 'silent' })
// By then the claims of the processes before are over.
const world = { ...real, nowMs: () => real.nowMs() + Number(aheadMs) }
const database = await openData({ url, patience: { world, withinMs: 5_000 }, world })
const seal = createSeal(world, new Map([[1, new Uint8Array(32).fill(1)]]))
const resolve = async () => ['127.0.0.1']
const door = createWebhookDoor({ world, resolve, isNamed: () => true, ca: selfSigned.cert })
createWebhookSender({ world, database, seal, door }).start()

let statements = 0
database.knex.client.on('query', () => {
  statements += 1
  if (String(statements) === diesAt) process.kill(process.pid, 'SIGKILL')
})
process.on('disconnect', () => process.exit(0))
process.on('message', async (events: number) => {
  for (let event = 0; event < events; event++)
    await database.write(
      tx =>
        recordEvents(tx, spaceId, [{ kind: 'gate.updated', targetId: `gate_${event}`, atMs: world.nowMs() }]),
      { spaceId },
    )
})
process.send?.('ready')
