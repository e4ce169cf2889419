// Answers that are kept for an Idempotency-Key: those that name an erased member are not returned again.

import type { World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { answerPlace } from '../http/keptAnswers.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { Of } from './identityRows.ts'

interface KeptAnswer {
  readonly askerId: string
  readonly requestHash: string
  readonly sealedAnswer: string
}

const answersAtOnce = 100

/** The principals that may get a kept answer of the Space: its keys and its users. */
async function askersOf(db: Db, spaceId: string): Promise<readonly string[]> {
  const keys: string[] = await db('apiKeys').where({ spaceId }).pluck('id')
  const users: string[] = await db('userRoles').where({ spaceId }).pluck('userId')
  return [...keys, ...users]
}

/**
 * Deletes the content of kept answers that name the member. They are sealed, so each is opened. The rows stay, so that no request
 * is carried out twice: a repeated request learns that its answer can no longer be read, and an opening is answered from its row.
 */
export async function forgetAnswersOn(
  { database, seal, world }: { readonly database: Database; readonly seal: Seal; readonly world: World },
  { memberId, spaceId }: Of,
  isStopped: () => boolean,
): Promise<void> {
  for (const askerId of await askersOf(database.knex, spaceId))
    for (let after = ''; !isStopped(); ) {
      await world.turn(spaceId)
      const rows: KeptAnswer[] = await database
        .knex('keptAnswers')
        .where({ askerId })
        .where('requestHash', '>', after)
        .whereNotNull('sealedAnswer')
        .orderBy('requestHash')
        .limit(answersAtOnce)
        .select('askerId', 'requestHash', 'sealedAnswer')
      const naming = rows.filter(row => seal.unseal(row.sealedAnswer, answerPlace(row))?.includes(memberId))
      const hashes = naming.map(({ requestHash }) => requestHash)
      if (hashes.length > 0)
        await database.write(
          tx =>
            tx('keptAnswers')
              .where({ askerId })
              .whereIn('requestHash', hashes)
              .update({ sealedAnswer: null }),
          { spaceId: null },
        )
      const last = rows.at(-1)
      if (!last || rows.length < answersAtOnce) break
      after = last.requestHash
    }
}
