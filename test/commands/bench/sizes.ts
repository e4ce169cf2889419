// The first page of the history at growing sizes, by the clock and beside the floor.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { realWorld } from '@callgate/world/real'
import { type ClockFigures, measureWarm } from './gateListClock.ts'
import { fillHistory } from './rest.ts'
import { furnish } from './served.ts'

const sizes = [1, 100, 10_000, 1_000_000] as const
const [rounds, requestsInRound] = [9, 720]

/** Measures each size up to `most`, in a database of its own. */
export async function measureSizes(
  most: number,
  tell: (size: number, figures: ClockFigures) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-sizes-'))
  try {
    for (const size of sizes.filter(rows => rows <= most)) {
      const file = join(folder, `${size}.sqlite`)
      const database = await openDatabase({ url: file })
      await migrate(database)
      const tenant = await furnish(realWorld({ logLevel: 'silent' }), database, 1)
      await database.close()
      fillHistory(file, tenant, size)
      const asked = { file, tenant, path: '/api/v1/openings' }
      for (const figures of await measureWarm(asked, rounds, requestsInRound)) tell(size, figures)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
