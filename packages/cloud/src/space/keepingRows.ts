// How long a Space keeps who opened and who changed what: its row, or the default where there is none.

import { usualKeeping } from '@callgate/contract/keeping'
import type { Db } from '../database/database.ts'

/** A Space's setting, and how far the removal of older identities has come. */
export interface Keeping {
  readonly keeping: string
  readonly openingsAt: string | null
  readonly openingsId: string | null
  readonly activityAt: string | null
  readonly activityId: string | null
  readonly sweptAt: string | null
}

const fresh: Keeping = {
  keeping: usualKeeping,
  openingsAt: null,
  openingsId: null,
  activityAt: null,
  activityId: null,
  sweptAt: null,
}

export async function readKeepingRow(db: Db, spaceId: string): Promise<Keeping> {
  return (await db<Keeping & { spaceId: string }>('identityKeeping').where({ spaceId }).first()) ?? fresh
}

/** Changes the row of the Space, and makes it where there is none. */
export async function writeKeeping(tx: Db, spaceId: string, columns: Partial<Keeping>): Promise<void> {
  await tx('identityKeeping')
    .insert({ ...fresh, spaceId, ...columns })
    .onConflict('spaceId')
    .merge(columns)
}

/** Sets how long the Space keeps identities from now on. Older ones are removed within the hour. */
export function setKeeping(tx: Db, spaceId: string, keeping: string): Promise<void> {
  return writeKeeping(tx, spaceId, { keeping, sweptAt: null })
}
