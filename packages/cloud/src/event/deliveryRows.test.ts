import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { claimDeliveries, noteWebhooks } from './deliveryRows.ts'
import { recordEvents } from './events.ts'

const world = fakeWorld()
let database: Database
let spaceId: string
let webhookId: string
beforeEach(async () => {
  database = await testDatabase(world)
  spaceId = await newSpace({ database, world })
  webhookId = newId(world, 'hook')
  const createdAt = isoTime(world.nowMs())
  const row = { id: webhookId, spaceId, url: 'https://hooks.example/', secretSealed: 'sealed', createdAt }
  await write(async tx => {
    await tx('webhooks').insert(row)
    await noteWebhooks(tx, spaceId)
  })
})
afterEach(() => database.close())

const write = <T>(work: (tx: Knex.Transaction) => Promise<T>) => database.write(work, { spaceId })
const record = (tx: Knex, count: number) =>
  recordEvents(
    tx,
    spaceId,
    Array.from({ length: count }, () => ({ kind: 'gate.updated', targetId: 'gate_1', atMs: world.nowMs() })),
  )
const counted = async (tx: Knex) => (await tx('webhookDeliveries').where({ webhookId })).length

describe('a delivery', () => {
  it('W1: is written in the transaction of its event, and taken back with it', async () => {
    const failed = write(async tx => {
      await record(tx, 2)
      throw new Error(`${await counted(tx)} are taken back`)
    })
    await expect(failed).rejects.toThrow()
    expect(await counted(database.knex)).toBe(0)
    const inside = await write(async tx => {
      await record(tx, 2)
      return counted(tx)
    })
    expect(inside).toBe(2)
    expect(await counted(database.knex)).toBe(2)
  })

  it('W1: is claimed once, until its claim is over', async () => {
    await write(tx => record(tx, 3))
    const claim = (afterMs: number) => {
      const nowMs = world.nowMs() + afterMs
      const given = { webhookId, now: isoTime(nowMs), until: isoTime(nowMs + 60_000), most: 2 }
      return write(tx => claimDeliveries(tx, { ...given, render: async () => '{}' }))
    }
    const lengths: number[] = []
    for (const afterMs of [0, 0, 0, 59_999, 60_000]) lengths.push((await claim(afterMs)).length)
    expect(lengths).toEqual([2, 1, 0, 0, 2])
  })
})
