// A database in memory, a seal for its links, and a Space in it, for tests.

import type { World } from '@callgate/world/world'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { createSeal, type Seal } from '../secrets/sealing.ts'
import { createSpace } from './spaces.ts'

export async function memoryDatabase(): Promise<Database> {
  const database = await openDatabase({ url: ':memory:' })
  await migrate(database)
  return database
}

export function newSeal(world: World): Seal {
  return createSeal(world, new Map([[1, world.randomBytes(32)]]))
}

/** Makes a Space of the plan pro in Romania, except for what is given. Resolves with its id. */
export async function newSpace(
  parts: { readonly database: Database; readonly world: World },
  given: Partial<Parameters<typeof createSpace>[1]> = {},
): Promise<string> {
  const usual = { name: 'Test', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  return (await createSpace(parts, { ...usual, ...given })).spaceId
}
