// Serves an operation: every check after that of the principal, in the documented order, then the handler, then the answer.

import { type CallShape, isTagged } from '@callgate/contract/rest/operation'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { passed } from '@callgate/world/hops'
import type { Moment, World } from '@callgate/world/world'
import type { Context, Middleware } from 'koa'
import type { Database, Db } from '../database/database.ts'
import { type Write, writeUnlessProblem } from '../database/transaction.ts'
import {
  type EventStream,
  type EventStreams,
  isEventStream,
  type StreamReader,
} from '../event/eventStreams.ts'
import { unavailable } from './answerError.ts'
import { bodyReader } from './body.ts'
import { type Conditions, conditionsReader } from './conditions.ts'
import { isUnchanged, staleProblem, type Tags } from './entityTag.ts'
import { hashesOf, type Idempotency } from './idempotency.ts'
import type { keptBodies } from './keptBodies.ts'
import { isLongList, type LongFile, type LongList, type longListSender } from './longList.ts'
import { isPicture, type Picture, sendPicture } from './picture.ts'
import { patienceMs } from './preference.ts'
import { queryReader } from './query.ts'
import {
  type Answer,
  answerReply,
  problemReply,
  type Reply,
  sendBody,
  sendReply,
  type WrittenList,
} from './reply.ts'
import { receivedAt as receivedAtOf } from './stalls.ts'

/** The parts that all operations share. */
export interface Serving {
  readonly world: World
  readonly database: Database
  readonly idempotency: Idempotency
  readonly sendLongList: ReturnType<typeof longListSender>
  readonly streams: EventStreams
  /** The bytes of the lists that may be compressed. */
  readonly bodyOf: ReturnType<typeof keptBodies>
  /** Undefined while requests are admitted; otherwise when another try makes sense. Absent: they always are. */
  readonly shut?: () => Promise<{ readonly againInS: number } | undefined>
}

/** A principal that may call the operation, and has not exceeded a rate. */
export interface Admitted {
  /** The input of the handler beside the parts of the request. */
  readonly given: object
  /** The Space whose rows its changes write; undefined where they may be those of all Spaces. */
  readonly spaceId: string | undefined
  /** Whose turn of the event loop the request takes: that of a Space, a user, an address. */
  readonly of: string
  /** The principal's id for the Idempotency-Key; undefined where the key is ignored. */
  readonly askerId: string | undefined
  /** The reader of the stream, where the operation answers with one. */
  readonly reader: StreamReader
  /**
   * Why the principal may not do this any more. Read in the transaction of a change: the key, session or role may have ended
   * while the body arrived.
   */
  readonly refusalIn: (db: Db) => Promise<Problem | undefined>
  /** Why this body is refused for this principal, by its content. */
  readonly refusalOf?: (body: unknown) => Problem | undefined
  /** Makes the `write` of a user's own rows, which belong to no Space. */
  readonly ownWrite?: ((write: Write) => Write) | undefined
}

export interface Served {
  readonly shape: CallShape
  readonly handle: (request: never) => Promise<object>
  /** Whether a refusal's name is sent too. The REST API has only code and message. */
  readonly tellsRefusals?: boolean
  /** Whether its lists are compressed for clients that accept it: see `mayCompress`. */
  readonly isCompressed?: boolean
  /** The checks from 401 to 429. Undefined when the request was answered. */
  admit(ctx: Context): Promise<Admitted | undefined>
}

/** The parts of a request that have passed the schemas of its operation. */
interface Checked {
  readonly admitted: Admitted
  readonly receivedAt: Moment | undefined
  readonly params: Record<string, string>
  readonly query: unknown
  readonly body: unknown
}

/** 304 in place of a body that the client has already. */
function unlessUnchanged(reply: Reply, ifNoneMatch: Tags | undefined): Reply {
  const tag = reply.headers['ETag']
  if (ifNoneMatch === undefined || tag === undefined || !isUnchanged(ifNoneMatch, tag)) return reply
  return { status: 304, headers: reply.headers, body: null }
}

/** `write` in the principal's Space, unless the handler says otherwise, and only while the principal may still do it. */
function whileAdmitted({ ownWrite, refusalIn, spaceId }: Admitted, write: Write): Write {
  const own: Write = ownWrite?.(write) ?? ((work, reach = { spaceId }) => write(work, reach))
  return (work, reach) => (reach ? write : own)(async tx => (await refusalIn(tx)) ?? work(tx), reach)
}

/** Calls the operation's handler, through the Idempotency-Key where there is one. */
function replier(
  serving: Serving,
  served: Served,
): (
  checked: Checked,
  conditions: Conditions,
) => Promise<Reply | LongFile | LongList | Picture | EventStream> {
  const { method, path } = served.shape
  // The checked values fit the schemas of this operation, which the compiler cannot see through `unknown`.
  const handle = served.handle as unknown as (
    request: object,
  ) => Promise<Answer | WrittenList | LongFile | LongList | Picture | EventStream | Problem>
  const hasTag = isTagged(served.shape)
  const replyOf = (answer: Answer | WrittenList | Problem, isAsIs = true) =>
    isProblem(answer) ? problemReply(answer, served.tellsRefusals) : answerReply(answer, hasTag && isAsIs)
  const writeAlone: Write = (work, reach) => writeUnlessProblem(serving.database, work, reach)
  const neverStale = () => undefined

  return async ({ admitted, ...checked }, conditions) => {
    const { idempotencyKey, ifMatch, ifNoneMatch, lastEventId, prefer } = conditions
    const stale = ifMatch ? (current: object) => staleProblem(ifMatch, current) : neverStale
    const { body, params, receivedAt } = checked
    const { askerId, given } = admitted
    if (idempotencyKey === undefined || !receivedAt || askerId === undefined) {
      const write = whileAdmitted(admitted, writeAlone)
      const answer = await handle({ ...given, ...checked, lastEventId, prefer, stale, write })
      if (isLongList(answer) || isPicture(answer) || isEventStream(answer)) return answer
      // The query of an operation with an ETag adds what changes by itself.
      const isAsIs = Object.keys(checked.query as object).length === 0
      return unlessUnchanged(replyOf(answer, isAsIs), ifNoneMatch)
    }
    const place = `${path} ${JSON.stringify(params)}`
    const asked = {
      ...hashesOf({ method, path: place, key: idempotencyKey, body }),
      askerId,
      receivedAt,
      // The same time for which it would wait for its own outcome.
      waitMs: patienceMs(prefer),
    }
    return serving.idempotency.answer(
      asked,
      answer => replyOf(answer as Answer | Problem),
      (write, once) =>
        handle({ ...given, ...checked, once, prefer, stale, write: whileAdmitted(admitted, write) }),
    )
  }
}

/**
 * Serves one operation: 503 while no request is admitted, the checks of the principal, then 415, 413, 400, and the handler's own.
 */
export function serveOperation(serving: Serving, served: Served): Middleware {
  const { world } = serving
  const { shape } = served
  const readBody = bodyReader(shape)
  const readQuery = queryReader(shape)
  const readConditions = conditionsReader(shape)
  const reply = replier(serving, served)
  const sendProblem = (ctx: Context, problem: Problem) =>
    sendReply(ctx, problemReply(problem, served.tellsRefusals))

  return async ctx => {
    if (served.isCompressed) ctx.set('Vary', 'Accept-Encoding')
    // The uptime of the machine is read from a file, so it is read only for requests that can wait.
    const receivedAt = shape.method === 'GET' ? undefined : receivedAtOf(world, ctx.req)
    const isPress = shape.rateClass === 'open'
    if (isPress) passed('received')
    const shut = await serving.shut?.()
    if (shut) return sendProblem(ctx, unavailable(shut.againInS))
    const admitted = await served.admit(ctx)
    if (!admitted) return
    if (isPress) passed('admitted')
    // One request in a turn of the event loop, however many arrive at once. A press does not wait for reads.
    const giveWay = async () => {
      if (!isPress) await world.turn(admitted.of)
    }
    await giveWay()
    const body = await readBody(ctx)
    if (!body.ok) return sendProblem(ctx, body.problem)
    const query = readQuery(ctx.querystring)
    if (!query.ok) return sendProblem(ctx, query.problem)
    const conditions = readConditions(ctx.req.headers)
    if (isProblem(conditions)) return sendProblem(ctx, conditions)
    const refusal = admitted.refusalOf?.(body.value)
    if (refusal) return sendProblem(ctx, refusal)
    const checked = { admitted, receivedAt, params: ctx['params'], query: query.value, body: body.value }
    // Many bodies may have arrived at the same moment.
    if (shape.body) await giveWay()
    const answer = await reply(checked, conditions)
    if (isPicture(answer)) return sendPicture(ctx, answer)
    if ('body' in answer) {
      if (!served.isCompressed || answer.status !== 200 || answer.body === null) return sendReply(ctx, answer)
      return sendBody(ctx, answer.headers, serving.bodyOf(`${admitted.of} ${ctx.url}`, answer.body))
    }
    const problem = isLongList(answer)
      ? await serving.sendLongList(ctx, admitted.of, answer)
      : await serving.streams.open(ctx, admitted.reader, answer)
    if (problem) sendProblem(ctx, problem)
  }
}
