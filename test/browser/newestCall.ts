// The newest call in a house whose gateway a test simulates.

import type { Database } from '@callgate/cloud/database/database'
import { expect } from 'vitest'

/** The id of the newest opening, or of the one that it joined, once it was granted: the gateway reports about no other. */
export async function newestCall({ knex }: Database): Promise<string> {
  const granted = async (): Promise<string | undefined> => {
    const last = await knex('openings').orderBy('calledAt', 'desc').first('id', 'joinedOpeningId')
    const id = last?.joinedOpeningId ?? last?.id ?? ''
    return (await knex('openings').where({ id }).whereNotNull('grantedAt').first('id'))?.id
  }
  await expect.poll(granted).toBeDefined()
  return (await granted()) ?? ''
}
