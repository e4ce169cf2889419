// The REST API on HTTP: every operation of the contract with its checks in the documented order, and the error shape.

import { openApiDocument } from '@callgate/contract/openapi/openapi'
import type { OperationShape } from '@callgate/contract/rest/operation'
import { type OperationId, operations } from '@callgate/contract/rest/operations'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { type Moment, moment, type World } from '@callgate/world/world'
import { Router } from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import { addressGroup } from '../core/connectionBounds.ts'
import type { Database } from '../database/database.ts'
import { type Write, writeUnlessProblem } from '../database/transaction.ts'
import type { IsTrustedProxy } from '../network/proxies.ts'
import type { Seal } from '../secrets/sealing.ts'
import { answerErrors, answerProblem, unavailable } from './answerError.ts'
import { authenticate, type Callers, refusalOf } from './authenticate.ts'
import { bodyReader } from './body.ts'
import { compressed, mayCompress } from './compression.ts'
import { type Conditions, conditionsReader } from './conditions.ts'
import { isUnchanged, staleProblem, type Tags } from './entityTag.ts'
import { createFailedKeys, type FailedKeys } from './failedKeys.ts'
import type { Caller, Handlers } from './handler.ts'
import { createIdempotency, hashesOf, type Idempotency } from './idempotency.ts'
import { knowClients } from './knowClients.ts'
import { isLongList, type LongList, longListSender } from './longList.ts'
import { patienceMs } from './preference.ts'
import { queryReader } from './query.ts'
import { createRateLimits, type RateLimits, rateHeaders, rateProblem } from './rateLimit.ts'
import { type Answer, answerReply, problemReply, type Reply, sendReply } from './reply.ts'
import { logRequests, noteKey } from './requestLog.ts'

export interface HttpParts {
  readonly world: World
  readonly database: Database
  readonly handlers: Handlers
  /** The API keys and who holds them. */
  readonly callers: Callers
  /** What seals the kept answers. */
  readonly seal: Seal
  /** The address that integrators call, without a trailing slash. */
  readonly appUrl: string
  /** The proxies that are trusted to name the client of a request; none when absent. */
  readonly isTrustedProxy?: IsTrustedProxy
  /** Undefined while keys are let in, else when another try makes sense. Absent: they always are. */
  readonly shut?: () => Promise<{ readonly againInS: number } | undefined>
  /** Adds the routes that are no operations: the pages behind the magic links, and the documentation. */
  readonly addPages?: (router: Router) => void
}

/** The parts, and what the operations share. */
interface Shared extends HttpParts {
  readonly failedKeys: FailedKeys
  readonly rateLimits: RateLimits
  readonly idempotency: Idempotency
  readonly sendLongList: ReturnType<typeof longListSender>
}

const operationIds = Object.keys(operations) as OperationId[]

/** Writes when the key was used, once the answer is out: the write's fsync must not delay it. */
function recordUseAfter(ctx: Context, parts: HttpParts, { apiKeyId, isUseDue }: Caller): void {
  if (!isUseDue) return
  ctx.res.once('close', () => {
    parts.callers
      .recordUse(apiKeyId)
      .catch((error: unknown) =>
        parts.world.log.warn('lastUsedAt was not written', { apiKeyId, why: String(error) }),
      )
  })
}

/** 401, 403 and 429: the caller, if it may do this and has not asked too often. Undefined when it was answered. */
async function admit(shared: Shared, operation: OperationShape, ctx: Context): Promise<Caller | undefined> {
  const { rateLimits } = shared
  const { rateClass, scope } = operation
  const caller = await authenticate(shared.callers, ctx.req, scope)
  if (isProblem(caller)) {
    await shared.failedKeys.delay(addressGroup(ctx.ip))
    answerProblem(ctx, caller)
    return undefined
  }
  noteKey(ctx, caller.apiKeyId)
  recordUseAfter(ctx, shared, caller)
  const refusal = refusalOf(caller, scope)
  const standing = await rateLimits[refusal ? 'peek' : 'take'](caller.apiKeyId, rateClass)
  ctx.set(rateHeaders(rateClass, standing))
  if (!refusal && standing.isTaken) return caller
  answerProblem(ctx, refusal ?? rateProblem(rateClass, standing))
  return undefined
}

/** The parts of a request that have passed the schemas of its operation. */
interface Checked {
  readonly caller: Caller
  readonly receivedAt: Moment | undefined
  readonly params: Record<string, string>
  readonly query: unknown
  readonly body: unknown
}

/** 304 instead of a body that the client has already. */
function unlessUnchanged(reply: Reply, ifNoneMatch: Tags | undefined): Reply {
  const tag = reply.headers['ETag']
  if (ifNoneMatch === undefined || tag === undefined || !isUnchanged(ifNoneMatch, tag)) return reply
  return { status: 304, headers: reply.headers, body: null }
}

/** Calls the operation's handler, through the Idempotency-Key where there is one. */
function replier(
  shared: Shared,
  id: OperationId,
): (checked: Checked, conditions: Conditions) => Promise<Reply | LongList> {
  const operation: OperationShape = operations[id]
  const { method, path, query, rateClass } = operation
  // The checked values fit the schemas of this operation, which the compiler cannot see through `unknown`.
  const handle = shared.handlers[id] as unknown as (request: object) => Promise<Answer | LongList | Problem>
  // Lists have a query, single resources have none.
  const isTagged = query === undefined && rateClass !== 'open'
  const replyOf = (answer: Answer | Problem) =>
    isProblem(answer) ? problemReply(answer) : answerReply(answer, isTagged)
  const writeAlone: Write = work => writeUnlessProblem(shared.database, work)
  const neverStale = () => undefined

  return async (checked, conditions) => {
    const { idempotencyKey, ifMatch, ifNoneMatch, prefer } = conditions
    const stale = ifMatch ? (current: object) => staleProblem(ifMatch, current) : neverStale
    const { body, caller, params, receivedAt } = checked
    if (idempotencyKey === undefined || !receivedAt) {
      const answer = await handle({ ...checked, prefer, stale, write: writeAlone })
      return isLongList(answer) ? answer : unlessUnchanged(replyOf(answer), ifNoneMatch)
    }
    const place = `${path} ${JSON.stringify(params)}`
    const asked = {
      ...hashesOf({ method, path: place, key: idempotencyKey, body }),
      apiKeyId: caller.apiKeyId,
      receivedAt,
      // The same time that it would wait for its own outcome.
      waitMs: patienceMs(prefer),
    }
    return shared.idempotency.answer(
      asked,
      answer => replyOf(answer as Answer | Problem),
      (write, once) => handle({ ...checked, once, prefer, stale, write }),
    )
  }
}

function serveOperation(shared: Shared, id: OperationId): Middleware {
  const operation: OperationShape = operations[id]
  const readBody = bodyReader(operation)
  const readQuery = queryReader(operation)
  const readConditions = conditionsReader(operation)
  const reply = replier(shared, id)

  return async ctx => {
    // The uptime of the machine is read from a file, so only requests that can wait pay for it.
    const receivedAt = operation.method === 'GET' ? undefined : moment(shared.world)
    const shut = await shared.shut?.()
    if (shut) return answerProblem(ctx, unavailable(shut.againInS))
    const caller = await admit(shared, operation, ctx)
    if (!caller) return
    const { spaceId } = caller
    // One request in a turn of the event loop, however many come at once. A press does not wait for reads.
    const giveWay = async () => {
      if (operation.rateClass !== 'open') await shared.world.turn(spaceId)
    }
    await giveWay()
    const body = await readBody(ctx)
    if (!body.ok) return answerProblem(ctx, body.problem)
    const query = readQuery(ctx.querystring)
    if (!query.ok) return answerProblem(ctx, query.problem)
    const conditions = readConditions(ctx.req.headers)
    if (isProblem(conditions)) return answerProblem(ctx, conditions)
    const checked = { caller, receivedAt, params: ctx['params'], query: query.value, body: body.value }
    // Many bodies may have come in at one moment.
    if (operation.body) await giveWay()
    const answer = await reply(checked, conditions)
    if (!isLongList(answer)) return sendReply(ctx, answer)
    const problem = await shared.sendLongList(ctx, spaceId, answer)
    if (problem) answerProblem(ctx, problem)
  }
}

/** 404 for a path that is not there, 405 for a method that it does not have. */
function answerUnrouted(ctx: Context): void {
  const methods = new Set((ctx.matched ?? []).flatMap((layer: { methods: string[] }) => layer.methods))
  const allowed = [...methods].sort().join(', ')
  const unknownPath: Problem = { problem: 'not_found', message: 'There is nothing at this address.' }
  const wrongMethod: Problem = {
    problem: 'method_not_allowed',
    message: `The method ${ctx.method} is not allowed here; allowed are ${allowed}.`,
    headers: { Allow: allowed },
  }
  answerProblem(ctx, methods.size === 0 ? unknownPath : wrongMethod)
}

/** The application that serves the API; ready for `http.createServer(app.callback())`. */
export function createHttp(parts: HttpParts): Koa {
  const { appUrl, world } = parts
  const shared: Shared = {
    ...parts,
    failedKeys: createFailedKeys(world),
    rateLimits: createRateLimits(world, parts.callers.openingsSince),
    idempotency: createIdempotency(parts),
    sendLongList: longListSender(world),
  }
  const router = new Router({ sensitive: true })
  for (const id of operationIds) {
    const { method, path } = operations[id]
    const serve = serveOperation(shared, id)
    router.register(path, [method], mayCompress(operations[id]) ? [compressed, serve] : [serve])
  }
  const document = openApiDocument(appUrl)
  router.get('/api/v1/openapi.json', compressed, ctx => {
    ctx.body = document
  })
  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' }
  })

  parts.addPages?.(router)

  const app = new Koa()
  // Errors after our own layers: a client that went away while the answer was written.
  app.on('error', (error: unknown) => world.log.debug('an answer was not delivered', { why: String(error) }))
  app.use(knowClients(parts.isTrustedProxy))
  app.use(logRequests(world))
  app.use(answerErrors(world))
  app.use(router.routes())
  app.use(answerUnrouted)
  return app
}
