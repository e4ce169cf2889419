// Idempotency-Key: the answer that a request was given, kept for 24 h in the transaction of its effect.

import { createHash } from 'node:crypto'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { ageMs, isoTime, type Moment, type World } from '@callgate/world/world'
import { canonicalJson } from '../core/canonicalJson.ts'
import { type Database, type Db, isUniqueViolation } from '../database/database.ts'
import { type Write, writeUnlessProblem } from '../database/transaction.ts'
import type { Seal } from '../secrets/sealing.ts'
import { problemReply, type Reply } from './reply.ts'

const keptMs = 24 * 60 * 60 * 1000
/** Each kept answer takes so many expired ones with it, which keeps the table as small as a day's use. */
const purgedAtOnce = 20

/** A request with an Idempotency-Key. */
export interface Asked {
  readonly apiKeyId: string
  /** SHA-256 of method, path and the client's key. */
  readonly requestHash: string
  /** SHA-256 of the body. */
  readonly bodyHash: string
  readonly receivedAt: Moment
  /** How long after `receivedAt` it waits for a twin that runs, milliseconds. */
  readonly waitMs: number
}

/** What makes an opening happen once. */
export interface Once {
  /** The opening that an earlier request with this key made, and whose answer was not kept. */
  readonly openingId: string | undefined
  /** Keeps the opening for the key; in the transaction that makes it. */
  keepOpening(tx: Db, openingId: string): Promise<void>
}

export interface Idempotency {
  /**
   * Runs `handle` unless its answer is kept. Its changes go through the `write` that it is given, which keeps the
   * answer as `toReply` writes it; problems are not kept, but for those of an opening.
   */
  answer(
    asked: Asked,
    toReply: (answer: object) => Reply,
    handle: (write: Write, once: Once) => Promise<object>,
  ): Promise<Reply>
}

interface KeptRow {
  readonly bodyHash: string
  readonly openingId: string | null
  readonly sealedAnswer: string | null
}

const mismatch: Problem = {
  problem: 'idempotency_mismatch',
  message: 'This Idempotency-Key was used before with another body. Send a new key with a new request.',
}
const stillRunning: Problem = {
  problem: 'conflict',
  message: 'The first request with this Idempotency-Key is still running. Send it again to learn its answer.',
}
const unreadable: Problem = {
  problem: 'conflict',
  message: 'The request with this Idempotency-Key was done, but its answer can no longer be read.',
}

/** Another process kept an answer for the key in the meantime; this transaction is rolled back. */
const overtaken = new Error('an answer was kept meanwhile')

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The hashes by which a request is known again. `path` holds the ids. */
export function hashesOf(request: {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly body: unknown
}): Pick<Asked, 'requestHash' | 'bodyHash'> {
  const { body, key, method, path } = request
  return { requestHash: sha256(`${method}\n${path}\n${key}`), bodyHash: sha256(canonicalJson(body)) }
}

type Place = Pick<Asked, 'apiKeyId' | 'requestHash'>

/** A sealed answer opens in its own row only. */
const contextOf = ({ apiKeyId, requestHash }: Place) => `${apiKeyId}|${requestHash}`

/** Whether the answer that a row keeps opens. */
export function isAnswerReadable(seal: Seal, row: Place & { readonly sealedAnswer: string }): boolean {
  return seal.unseal(row.sealedAnswer, contextOf(row)) !== undefined
}

/** The rows that keep answers. */
function keptAnswers({ database, seal, world }: { database: Database; seal: Seal; world: World }) {
  const expiredAt = () => isoTime(world.nowMs() - keptMs)
  const placeOf = ({ apiKeyId, requestHash }: Asked) => ({ apiKeyId, requestHash })
  const sealed = (asked: Asked, reply: Reply) => seal.seal(JSON.stringify(reply), contextOf(asked))

  return {
    find(asked: Asked): Promise<KeptRow | undefined> {
      return database
        .knex('idempotentAnswers')
        .where(placeOf(asked))
        .where('createdAt', '>', expiredAt())
        .first('bodyHash', 'openingId', 'sealedAnswer')
    },

    /** The kept answer; undefined while there is none, or when it cannot be unsealed. */
    read(asked: Asked, { sealedAnswer }: KeptRow): Reply | undefined {
      const text = sealedAnswer === null ? undefined : seal.unseal(sealedAnswer, contextOf(asked))
      return text === undefined ? undefined : (JSON.parse(text) as Reply)
    },

    async insert(tx: Db, asked: Asked, kept: { openingId?: string; reply?: Reply }): Promise<void> {
      const oldest = tx('idempotentAnswers')
        .select('apiKeyId', 'requestHash')
        .where('createdAt', '<=', expiredAt())
        .orderBy('createdAt')
        .limit(purgedAtOnce)
      await tx('idempotentAnswers').whereIn(['apiKeyId', 'requestHash'], oldest).delete()
      await tx('idempotentAnswers').where(placeOf(asked)).where('createdAt', '<=', expiredAt()).delete()
      try {
        await tx('idempotentAnswers').insert({
          ...placeOf(asked),
          bodyHash: asked.bodyHash,
          openingId: kept.openingId ?? null,
          sealedAnswer: kept.reply ? sealed(asked, kept.reply) : null,
          createdAt: isoTime(world.nowMs()),
        })
      } catch (error) {
        throw isUniqueViolation(error) ? overtaken : error
      }
    },

    /** Adds the answer of an opening, unless somebody was first. */
    async complete(asked: Asked, reply: Reply): Promise<void> {
      const sealedAnswer = sealed(asked, reply)
      const place = { ...placeOf(asked), sealedAnswer: null }
      await database.write(tx => tx('idempotentAnswers').where(place).update({ sealedAnswer }))
    },
  }
}

/** Whether `run` ends within `withinMs`, however it ends. */
function endsWithin(world: World, run: Promise<unknown>, withinMs: number): Promise<boolean> {
  return new Promise(resolve => {
    const timer = world.after(withinMs, () => resolve(false))
    const end = () => {
      timer.cancel()
      resolve(true)
    }
    run.then(end, end)
  })
}

export function createIdempotency(parts: {
  readonly database: Database
  readonly seal: Seal
  readonly world: World
}): Idempotency {
  const { database, world } = parts
  const kept = keptAnswers(parts)
  /** The requests that run in this process, by key and request. */
  const running = new Map<string, Promise<Reply>>()

  const replayed = (reply: Reply): Reply => ({
    ...reply,
    headers: { ...reply.headers, 'Idempotency-Replayed': 'true' },
  })

  /** A failure costs nothing but this: the next replay makes the answer from the opening again. */
  function completeOpening(asked: Asked, openingId: string, reply: Reply): Promise<void> {
    return kept.complete(asked, reply).catch((error: unknown) => {
      world.log.warn('the answer of an opening was not kept', { openingId, why: String(error) })
    })
  }

  const answerNow: Idempotency['answer'] = async (asked, toReply, handle) => {
    const row = await kept.find(asked)
    const isReplay = row?.bodyHash === asked.bodyHash
    if (row && isReplay) {
      const reply = kept.read(asked, row)
      if (reply) return replayed(reply)
      if (row.openingId === null) return problemReply(unreadable)
    }
    let written: Reply | undefined
    let openingId = (isReplay && row?.openingId) || undefined
    const write: Write = work =>
      writeUnlessProblem(database, async tx => {
        const answer = await work(tx)
        const isOverLimit = isProblem(answer) && answer.problem === 'plan_limit_reached'
        // After the handler's own 404, 412 and 409, and before the plan's limit; what was written is rolled back.
        if (row && (isOverLimit || !isProblem(answer))) return mismatch
        if (isProblem(answer)) return answer
        const reply = toReply(answer)
        await kept.insert(tx, asked, { reply })
        written = reply
        return answer
      })
    const keepOpening: Once['keepOpening'] = async (tx, id) => {
      await kept.insert(tx, asked, { openingId: id })
      openingId = id
    }
    const answer = await handle(write, { openingId, keepOpening })
    // To write a large answer is the most work of all: once is enough.
    const reply = written ?? toReply(answer)
    if (openingId === undefined) return reply
    await completeOpening(asked, openingId, reply)
    return isReplay ? replayed(reply) : reply
  }

  /** As `answerNow`; once more when another process was quicker, whose answer is there then. */
  const answerOnce: Idempotency['answer'] = (asked, toReply, handle) =>
    answerNow(asked, toReply, handle).catch((error: unknown) => {
      if (error !== overtaken) throw error
      return answerNow(asked, toReply, handle)
    })

  return {
    async answer(asked, toReply, handle) {
      const name = `${asked.apiKeyId} ${asked.requestHash}`
      for (let twin = running.get(name); twin; twin = running.get(name)) {
        const leftMs = asked.waitMs - ageMs(world, asked.receivedAt)
        const isOver = leftMs > 0 && (await endsWithin(world, twin, leftMs))
        if (!isOver) return problemReply(stillRunning)
      }
      const run = answerOnce(asked, toReply, handle).finally(() => running.delete(name))
      running.set(name, run)
      return run
    },
  }
}
