// A Space with one gateway in a database in memory, for the tests of tasks.

import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { memoryDatabase } from '../database/tables.kit.ts'

export interface GatewayInSpace {
  readonly database: Database
  readonly spaceId: string
  readonly gatewayId: string
}

/** `columns` are additional columns of the gateway's row. */
export async function gatewayInSpace(world: World, columns: object = {}): Promise<GatewayInSpace> {
  const database = await memoryDatabase()
  const createdAt = isoTime(world.nowMs())
  const [spaceId, gatewayId] = [newId(world, 'space'), newId(world, 'gw')]
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await database.knex('spaces').insert({ id: spaceId, name: 'A', plan: 'free', ...zone, createdAt })
  const row = { id: gatewayId, spaceId, name: 'Pi', publicKey: 'k', passwordHash: 'p', createdAt }
  await database.knex('gateways').insert({ ...row, ...columns })
  return { database, spaceId, gatewayId }
}
