// Idempotency-Key: keeps the answer of a request for 24 h, written in the transaction of its effect.

import { createHash } from 'node:crypto'
import { refuse } from '@callgate/contract/app/refusals'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { ageMs, type Moment, type World } from '@callgate/world/world'
import { canonicalJson } from '../core/canonicalJson.ts'
import type { Database, Db } from '../database/database.ts'
import { type Write, writeUnlessProblem } from '../database/transaction.ts'
import type { Seal } from '../secrets/sealing.ts'
import { keptAnswers, overtaken, type RequestMark } from './keptAnswers.ts'
import type { Reply } from './reply.ts'

/** A request with an Idempotency-Key. */
export interface IdempotentRequest extends RequestMark {
  readonly receivedAt: Moment
  /** How long after `receivedAt` the request waits for a running one with the same key, in milliseconds. */
  readonly waitMs: number
}

/** Makes an opening happen once. */
export interface Once {
  /** The opening that an earlier request with this key created, if its answer was not kept. */
  readonly openingId: string | undefined
  /** Keeps the opening for the key, in the transaction that creates it. */
  keepOpening(tx: Db, openingId: string): Promise<void>
}

export interface Idempotency {
  /**
   * Runs `handle` unless its answer is kept. `handle` makes its changes through the `write` that it gets, which keeps the answer
   * in the form of `toReply`. A problem is not kept, except that of an opening.
   */
  answer(
    asked: IdempotentRequest,
    toReply: (answer: object) => Reply,
    handle: (write: Write, once: Once) => Promise<object>,
  ): Promise<Reply>
}

const mismatch: Problem = {
  problem: 'idempotency_mismatch',
  message: 'This Idempotency-Key was used before with another body. Send a new key with a new request.',
}
const stillRunning = refuse('request_running')
const unreadable = refuse('request_answer_lost')

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The hashes that identify a request. `path` contains the ids. */
export function hashesOf(request: {
  readonly method: string
  readonly path: string
  readonly key: string
  readonly body: unknown
}): Pick<IdempotentRequest, 'requestHash' | 'bodyHash'> {
  const { body, key, method, path } = request
  return { requestHash: sha256(`${method}\n${path}\n${key}`), bodyHash: sha256(canonicalJson(body)) }
}

/** Whether `run` ends within `withinMs`, with success or an error. */
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

interface IdempotencyParts {
  readonly database: Database
  readonly seal: Seal
  readonly world: World
}

/** Answers one request from its kept answer, or runs it and keeps the answer. */
function answering(parts: IdempotencyParts): Idempotency['answer'] {
  const { database, world } = parts
  const kept = keptAnswers(parts)

  const replayed = (reply: Reply): Reply => ({
    ...reply,
    headers: { ...reply.headers, 'Idempotency-Replayed': 'true' },
  })

  /** A failure loses nothing: the next replay makes the answer from the opening again. */
  function completeOpening(asked: IdempotentRequest, openingId: string, reply: Reply): Promise<void> {
    return kept.complete(asked, reply).catch((error: unknown) => {
      world.log.warn('the answer of an opening was not kept', { openingId, why: String(error) })
    })
  }

  return async (asked, toReply, handle) => {
    const row = await kept.find(asked)
    const isReplay = row?.bodyHash === asked.bodyHash
    if (row && isReplay) {
      const reply = kept.read(asked, row)
      if (reply) return replayed(reply)
      if (row.openingId === null) return toReply(unreadable)
    }
    let written: Reply | undefined
    let openingId = (isReplay && row?.openingId) || undefined
    const write: Write = (work, reach) =>
      writeUnlessProblem(
        database,
        async tx => {
          const answer = await work(tx)
          const isOverLimit = isProblem(answer) && answer.problem === 'plan_limit_reached'
          // After the handler's own 404, 412 and 409, and before the plan's limit. Everything written is rolled back.
          if (row && (isOverLimit || !isProblem(answer))) return mismatch
          if (isProblem(answer)) return answer
          // Reading, writing and sealing the largest answer take 10 ms each, so each has a turn of its own. This request does not
          // wait for the turns of others, because its transaction holds the write lock.
          await world.turn()
          const reply = toReply(answer)
          await world.turn()
          await kept.insert(tx, asked, { reply })
          written = reply
          return answer
        },
        // Writes of other Spaces do not wait for these turns.
        { ...reach, isLong: true },
      )
    const keepOpening: Once['keepOpening'] = async (tx, id) => {
      await kept.insert(tx, asked, { openingId: id })
      openingId = id
    }
    const answer = await handle(write, { openingId, keepOpening })
    // Meanwhile the first request with this key may have run in another process, and its effect may be the cause of this refusal.
    if (!row && openingId === undefined && isProblem(answer) && (await kept.find(asked))) throw overtaken
    // Writing a large answer is the most expensive step, so it is done once.
    const reply = written ?? toReply(answer)
    if (openingId === undefined) return reply
    await completeOpening(asked, openingId, reply)
    return isReplay ? replayed(reply) : reply
  }
}

export function createIdempotency(parts: IdempotencyParts): Idempotency {
  const { world } = parts
  const answerNow = answering(parts)
  /** The requests that run in this process, by key and request. */
  const running = new Map<string, Promise<Reply>>()

  /** Runs the request again when another process kept an answer first: the answer is there then. */
  const answerOnce: Idempotency['answer'] = (asked, toReply, handle) =>
    answerNow(asked, toReply, handle).catch((error: unknown) => {
      if (error !== overtaken) throw error
      return answerNow(asked, toReply, handle)
    })

  return {
    async answer(asked, toReply, handle) {
      const name = `${asked.askerId} ${asked.requestHash}`
      for (let twin = running.get(name); twin; twin = running.get(name)) {
        const leftMs = asked.waitMs - ageMs(world, asked.receivedAt)
        const isOver = leftMs > 0 && (await endsWithin(world, twin, leftMs))
        if (!isOver) return toReply(stillRunning)
      }
      const run = answerOnce(asked, toReply, handle).finally(() => running.delete(name))
      running.set(name, run)
      return run
    },
  }
}
