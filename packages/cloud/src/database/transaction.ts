// Transactions of the API: a transaction that ends in a problem has no effect.

import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Knex } from 'knex'
import type { Database } from './database.ts'
import type { WriteOptions } from './transactions.ts'

/** The Spaces whose rows the work writes, and whether that may take long: see `WriteOptions`. */
export type Reach = Pick<WriteOptions, 'isLong' | 'spaceId' | 'spaceIds'>

/** Runs `work` in one transaction; a problem rolls it back. */
export type Write = <T extends object>(
  work: (tx: Knex.Transaction) => Promise<T | Problem>,
  reach?: Reach,
) => Promise<T | Problem>

/** Thrown to roll back. The problem itself is returned as a value. */
const rolledBack = new Error('rolled back')

export async function writeUnlessProblem<T extends object>(
  database: Database,
  work: (tx: Knex.Transaction) => Promise<T | Problem>,
  reach: Reach = {},
): Promise<T | Problem> {
  let refused: Problem | undefined
  try {
    return await database.write(async tx => {
      const answer = await work(tx)
      if (!isProblem(answer)) return answer
      refused = answer
      throw rolledBack
    }, reach)
  } catch (error) {
    if (refused && error === rolledBack) return refused
    throw error
  }
}
