// A process is killed at many moments of its deliveries: each event that it has committed reaches the receiver.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { noteWebhooks } from '@callgate/cloud/event/deliveryRows'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { newSpace } from '@callgate/cloud/space/space.kit'
import { type Receiver, startReceiver } from '@callgate/cloud/webhook/webhook.kit'
import { messageId, webhookSecretPlace } from '@callgate/cloud/webhook/webhookRows'
import { webhookSecret } from '@callgate/cloud/webhook/webhookSignature'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
let receiver: Receiver
const running: ChildProcess[] = []
const world = realWorld({ logLevel: 'silent' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-webhook-kill-'))
  receiver = await startReceiver()
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await receiver.close()
  await rm(folder, { recursive: true })
})

/** A database with a Space that has a webhook. */
async function furnish() {
  const url = join(folder, 'callgate.sqlite')
  const database = await openDatabase({ url, patience: { world, withinMs: 5_000 } })
  await migrate(database)
  const spaceId = await newSpace({ database, world })
  const seal = createSeal(world, new Map([[1, new Uint8Array(32).fill(1)]]))
  const id = 'hook_00000000000000000000000001'
  const secretSealed = seal.seal(webhookSecret(world.randomBytes(32)), webhookSecretPlace(id))
  const hook = { id, spaceId, url: `https://localhost:${receiver.port}/`, createdAt: isoTime(world.nowMs()) }
  await database.write(async tx => {
    await tx('webhooks').insert({ ...hook, secretSealed })
    await noteWebhooks(tx, spaceId)
  })
  return { url, spaceId, database }
}

/** Longer than a claim lasts. */
const claimOverMs = 180_000

it('A7: no delivery is lost, whichever statement a process is killed before', async () => {
  const { database, spaceId, url } = await furnish()
  async function start(turn: number, diesAt = 0): Promise<ChildProcess> {
    const given = [url, spaceId, String(turn * claimOverMs), String(diesAt)]
    const child = fork(new URL('webhookKillServer.ts', import.meta.url), given, {
      execArgv: ['--import', 'tsx'],
    })
    running.push(child)
    await once(child, 'message')
    return child
  }
  const points = [2, 5, 9, 14, 20, 27, 35, 44, 54, 65]
  for (const [turn, diesAt] of points.entries()) {
    const child = await start(turn, diesAt)
    const death = once(child, 'exit')
    child.send(8)
    expect((await death)[1]).toBe('SIGKILL')
  }
  await start(points.length)
  const seqs: number[] = await database.knex('events').where({ spaceId }).pluck('seq')
  expect(seqs.length).toBeGreaterThan(points.length)
  const missing = () => {
    const came = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    return seqs.filter(seq => !came.has(messageId(spaceId, Number(seq))))
  }
  await expect.poll(missing, { timeout: 20_000, interval: 50 }).toEqual([])
  await database.close()
})
