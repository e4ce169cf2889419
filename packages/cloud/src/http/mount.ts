// The REST API on HTTP: every operation of the contract with its checks in the documented order, and the error shape.

import { openApiDocument } from '@callgate/contract/openapi'
import {
  type AnswerOf,
  type BodyOf,
  type OperationId,
  type OperationShape,
  operations,
  type ParamsOf,
  type QueryOf,
} from '@callgate/contract/operations'
import { isProblem, type Problem } from '@callgate/contract/problem'
import { type Moment, moment, type World } from '@callgate/world/world'
import { Router } from '@koa/router'
import Koa, { type Context, type Middleware } from 'koa'
import helmet from 'koa-helmet'
import { type Caller, recordUse } from '../apiKeys.ts'
import type { Database } from '../database.ts'
import { answerErrors, answerProblem } from './answerError.ts'
import { authenticate } from './authenticate.ts'
import { bodyReader } from './body.ts'
import { queryReader } from './query.ts'

/** What a handler is given: who asks, and what has passed the schemas. Ids in `params` may have any shape. */
export interface Request<Id extends OperationId> {
  readonly caller: Caller
  readonly params: ParamsOf<Id>
  readonly query: QueryOf<Id>
  readonly body: BodyOf<Id>
  /** When the request came in. */
  readonly receivedAt: Moment
}

/** One handler for each operation of the contract: the compiler's checklist. */
export type Handlers = {
  readonly [Id in OperationId]: (request: Request<Id>) => Promise<AnswerOf<Id> | Problem>
}

export interface HttpParts {
  readonly world: World
  readonly database: Database
  readonly handlers: Handlers
  /** The address that integrators call, without a trailing slash. */
  readonly appUrl: string
}

const operationIds = Object.keys(operations) as OperationId[]

/** Writes when the key was used, once the answer is out: the write's fsync must not delay it. */
function recordUseAfter(ctx: Context, parts: HttpParts, { apiKeyId, isUseDue }: Caller): void {
  if (!isUseDue) return
  ctx.res.once('close', () => {
    recordUse(parts.database, parts.world, apiKeyId).catch((error: unknown) =>
      parts.world.log.warn('lastUsedAt was not written', { apiKeyId, why: String(error) }),
    )
  })
}

function serveOperation<Id extends OperationId>(parts: HttpParts, id: Id): Middleware {
  const { world } = parts
  const operation: OperationShape = operations[id]
  const handle = parts.handlers[id]
  const readBody = bodyReader(operation)
  const readQuery = queryReader(operation)

  return async ctx => {
    const receivedAt = moment(world)
    const caller = await authenticate(parts, ctx.req.headers, operation.scope)
    if (isProblem(caller)) return answerProblem(ctx, caller)
    recordUseAfter(ctx, parts, caller)
    // Rate limits (429) belong here: after what the key may do, before what the request holds.
    const body = await readBody(ctx)
    if (!body.ok) return answerProblem(ctx, body.problem)
    const query = readQuery(ctx.querystring)
    if (!query.ok) return answerProblem(ctx, query.problem)
    // The two readers are made from this very operation's schemas, which the compiler cannot see through `unknown`.
    const checked = { params: ctx.params, query: query.value, body: body.value } as Pick<
      Request<Id>,
      'params' | 'query' | 'body'
    >
    const answer = await handle({ caller, receivedAt, ...checked })
    if (isProblem(answer)) return answerProblem(ctx, answer)
    const { body: answerBody = null, headers = {}, status } = answer as Answer
    ctx.status = status
    ctx.set(headers)
    ctx.body = answerBody
  }
}

/** What every `AnswerOf` is, to write it out. */
interface Answer {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
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
  const router = new Router({ sensitive: true })
  for (const id of operationIds) {
    const { method, path } = operations[id]
    router.register(path, [method], serveOperation(parts, id))
  }
  const document = openApiDocument(appUrl)
  router.get('/api/v1/openapi.json', ctx => {
    ctx.body = document
  })
  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' }
  })

  const app = new Koa()
  // What fails after our own layers: a client that went away while the answer was written.
  app.on('error', (error: unknown) => world.log.debug('an answer was not delivered', { why: String(error) }))
  app.use(answerErrors(world))
  app.use(
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          frameAncestors: ["'none'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
        },
      },
    }),
  )
  app.use(router.routes())
  app.use(answerUnrouted)
  return app
}
