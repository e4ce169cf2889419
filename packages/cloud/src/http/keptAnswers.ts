// The rows that keep the answers of requests with an Idempotency-Key, sealed, for 24 hours by the wall clock and by the time of service.

import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Database, type Db, isUniqueViolation } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { unlocked } from '../database/dialect.ts'
import { sentQuery } from '../database/pipeline.ts'
import { servedFor, servedForSql, servedNow } from '../database/servedTime.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { Reply } from './reply.ts'

const keptMs = 24 * 60 * 60 * 1000
/** A date that is further ahead was written by a wrong clock and is ignored: the clocks of several clouds differ less. */
const aheadMs = 60 * 60 * 1000
/** Each kept answer deletes this many expired ones, so that the table stays as small as the use of a day. */
const purgedAtOnce = 20

/** The hashes that identify a request with an Idempotency-Key. */
export interface RequestMark {
  readonly askerId: string
  /** SHA-256 of method, path and the client's key. */
  readonly requestHash: string
  /** SHA-256 of the body. */
  readonly bodyHash: string
}

interface KeptRow {
  readonly bodyHash: string
  readonly openingId: string | null
  readonly sealedAnswer: string | null
}

/** Another process kept an answer for this key first. The transaction that throws it is rolled back. */
export const overtaken = new Error('another process kept an answer first')

type KeptAnswerKey = Pick<RequestMark, 'askerId' | 'requestHash'>

/** A sealed answer can be opened only in its own row. */
export const answerPlace = ({ askerId, requestHash }: KeptAnswerKey) => `${askerId}|${requestHash}`

/**
 * Selects the kept answers that are over. They forbid a second call, so a wall clock that is set or was wrong must not end them
 * early: both times must have passed.
 */
export function answersOver(query: Knex.QueryBuilder, nowMs: number): Knex.QueryBuilder {
  return servedFor(query, keptMs).where(dated =>
    dated
      .where('createdAt', '<=', isoTime(nowMs - keptMs))
      .orWhere('createdAt', '>', isoTime(nowMs + aheadMs)),
  )
}

export function keptAnswers({ database, seal, world }: { database: Database; seal: Seal; world: World }) {
  const placeOf = ({ askerId, requestHash }: KeptAnswerKey) => ({ askerId, requestHash })
  const sealed = (mark: RequestMark, reply: Reply) => seal.seal(JSON.stringify(reply), answerPlace(mark))

  return {
    async find(mark: RequestMark): Promise<KeptRow | undefined> {
      const rowOf = (db: Db) => db('keptAnswers').where(placeOf(mark))
      const columns = ['bodyHash', 'openingId', 'sealedAnswer'] as const
      const isOld = database.knex.raw(`${servedForSql(keptMs)} as "isOld"`)
      const found = await rowOf(database.knex).first(...columns, isOld)
      if (!found?.isOld) return found
      // The date counts now. Only a transaction has the time of the database, by which several clouds date.
      const dated = (tx: Db) => rowOf(tx).whereNot(over => void answersOver(over, timeIn(tx, world)))
      return database.write(tx => dated(tx).first(...columns), { spaceId: null })
    },

    /** The kept answer; undefined while there is none, or when it cannot be unsealed. */
    read(mark: RequestMark, { sealedAnswer }: KeptRow): Reply | undefined {
      const text = sealedAnswer === null ? undefined : seal.unseal(sealedAnswer, answerPlace(mark))
      return text === undefined ? undefined : (JSON.parse(text) as Reply)
    },

    async insert(tx: Db, mark: RequestMark, kept: { openingId?: string; reply?: Reply }): Promise<void> {
      const nowMs = timeIn(tx, world)
      const oldest = answersOver(tx('keptAnswers'), nowMs)
        .select('askerId', 'requestHash')
        .orderBy('createdAt')
        .limit(purgedAtOnce)
      // Before the other ones, whose deletion must not wait for a lock.
      await sentQuery(tx, answersOver(tx('keptAnswers').where(placeOf(mark)), nowMs).delete())
      await sentQuery(
        tx,
        tx('keptAnswers').whereIn(['askerId', 'requestHash'], unlocked(tx, oldest)).delete(),
      )
      const row = tx('keptAnswers').insert({
        ...placeOf(mark),
        bodyHash: mark.bodyHash,
        openingId: kept.openingId ?? null,
        sealedAnswer: kept.reply ? sealed(mark, kept.reply) : null,
        createdAt: isoTime(nowMs),
        servedMs: servedNow(tx),
      })
      await sentQuery(tx, row, error => (isUniqueViolation(error) ? overtaken : error))
    },

    /** Adds the answer of an opening, unless the row has one. */
    async complete(mark: RequestMark, reply: Reply): Promise<void> {
      const sealedAnswer = sealed(mark, reply)
      const place = { ...placeOf(mark), sealedAnswer: null }
      const write = (tx: Db) => sentQuery(tx, tx('keptAnswers').where(place).update({ sealedAnswer }))
      await database.write(write, { spaceId: null })
    },
  }
}
