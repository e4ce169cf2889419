// A process is killed at many moments of its deliveries: each event that it has committed reaches the receiver.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@callgate/cloud/database/migrate'
import { openData } from '@callgate/cloud/database/openData'
import { emptyPostgres, onPostgres, settableClock } from '@callgate/cloud/database/postgres.kit'
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

/** A database with a Space that has a webhook, and how its clock is set. */
async function furnish(name: string) {
  const url = onPostgres ? await emptyPostgres() : join(folder, `${name}.sqlite`)
  const database = await openData({ url, patience: { world, withinMs: 5_000 }, world })
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
  // Postgres reads its own clock, which connections that are opened from now on find set.
  const setClock = onPostgres ? await settableClock(url) : async () => {}
  return { url, spaceId, database, setClock }
}

/** Longer than a claim lasts. */
const claimOverMs = 180_000

/** The statements before which a process dies. */
const points = [2, 5, 9, 14, 20, 27, 35, 44, 54, 65]

it.each([
  ['the only one', false],
  ['beside another', true],
])('W1: no delivery is lost, whichever statement a process is killed before, %s', async (name, isBeside) => {
  const { database, setClock, spaceId, url } = await furnish(name)
  async function start(turn: number, diesAt = 0): Promise<ChildProcess> {
    await setClock(turn * claimOverMs)
    const given = [url, spaceId, String(turn * claimOverMs), String(diesAt)]
    const child = fork(new URL('webhookKillServer.ts', import.meta.url), given, {
      execArgv: ['--import', 'tsx'],
    })
    running.push(child)
    await once(child, 'message')
    return child
  }
  for (const [turn, diesAt] of points.entries()) {
    const other = isBeside ? await start(turn) : undefined
    const child = await start(turn, diesAt)
    const death = once(child, 'exit')
    child.send(8)
    other?.send(8)
    expect((await death)[1]).toBe('SIGKILL')
    other?.kill('SIGKILL')
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
