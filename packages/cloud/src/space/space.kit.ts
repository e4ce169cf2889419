// A seal for links, and a Space in a database, for tests.

import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { createSeal, type Seal } from '../secrets/sealing.ts'
import { createSpace } from './spaces.ts'

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
