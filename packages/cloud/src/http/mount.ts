// The API over HTTP: every operation of the contract on its route, and the answer where there is no route.

import type { AppShape } from '@callgate/contract/app/appOperation'
import { mirroredOperations, type OwnOperationId, ownOperations } from '@callgate/contract/app/appOperations'
import {
  type EnrolmentOperationId,
  enrolmentOperations,
} from '@callgate/contract/enrolment/enrolmentOperations'
import { openApiDocument } from '@callgate/contract/openapi/openapi'
import type { CallShape } from '@callgate/contract/rest/operation'
import { type OperationId, operations } from '@callgate/contract/rest/operations'
import type { Problem } from '@callgate/contract/rest/problem'
import { commit, version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import { Router } from '@koa/router'
import Koa, { type Context } from 'koa'
import type { Database } from '../database/database.ts'
import type { EventStreams } from '../event/eventStreams.ts'
import type { Limits } from '../limit/limits.ts'
import type { IsTrustedProxy } from '../network/proxies.ts'
import type { Seal } from '../secrets/sealing.ts'
import { answerErrors, answerProblem } from './answerError.ts'
import type { KeyPrincipals } from './authenticate.ts'
import { compressed, mayCompress } from './compression.ts'
import { dispatch } from './exactRoutes.ts'
import { gatewayAdmission } from './gatewayAdmission.ts'
import type { AppHandlers, EnrolmentHandlers, Handlers } from './handler.ts'
import { createIdempotency } from './idempotency.ts'
import { keptBodies } from './keptBodies.ts'
import { keyAdmission } from './keyAdmission.ts'
import { knowClients } from './knowClients.ts'
import { longListSender } from './longList.ts'
import type { RateLimits } from './rateLimit.ts'
import { logRequests } from './requestLog.ts'
import { type Served, type Serving, serveOperation } from './serving.ts'
import { type Sessions, userAdmission } from './userAdmission.ts'

export interface HttpParts {
  readonly world: World
  readonly database: Database
  readonly handlers: Handlers
  /** The operations that only the dashboard has. Without it no user can sign in. */
  readonly dashboard?: { readonly handlers: AppHandlers; readonly sessions: Sessions }
  /** The operations of gateways that are being enrolled. Without it none can be enrolled. */
  readonly enrolment?: EnrolmentHandlers
  /** The API keys and their holders. */
  readonly principals: KeyPrincipals
  readonly streams: EventStreams
  /** What keys, users and strangers have used. */
  readonly limits: Limits
  /** The rate limits of keys and users, counted in them. */
  readonly rateLimits: RateLimits
  /** Seals the kept answers. */
  readonly seal: Seal
  /** The address that integrators call, without a trailing slash. */
  readonly appUrl: string
  /** The proxies that are trusted to name the client of a request; none when absent. */
  readonly isTrustedProxy?: IsTrustedProxy
  /** Undefined while keys and users are admitted; otherwise when another try makes sense. Absent: they always are. */
  readonly shut?: () => Promise<{ readonly againInS: number } | undefined>
  /** Adds the routes that are no operations: the pages behind the magic links, and the documentation. */
  readonly addPages?: (router: Router) => void
  /** Answers a browser with a page where there is no route. Absent: it gets the JSON for programs. */
  readonly answerNoPage?: (ctx: Context) => void
}

/** The paths of programs. A request to them gets JSON, even if it claims to come from a browser. */
const ofPrograms = /^\/(api|app|enrol\/v1|releases)(\/|$)/

/** Whether a person reads the answer. A client that accepts any type, such as curl, is not a browser. */
const isBrowser = (ctx: Context) =>
  ['GET', 'HEAD'].includes(ctx.method) && !ofPrograms.test(ctx.path) && ctx.accepts('json', 'html') === 'html'

/** 404 for an unknown path, 405 for a method that the path does not have. */
function answerUnrouted(ctx: Context, answerNoPage: HttpParts['answerNoPage']): void {
  const methods = new Set((ctx.matched ?? []).flatMap((layer: { methods: string[] }) => layer.methods))
  const allowed = [...methods].sort().join(', ')
  const unknownPath: Problem = { problem: 'not_found', message: 'There is nothing at this address.' }
  const wrongMethod: Problem = {
    problem: 'method_not_allowed',
    message: `The method ${ctx.method} is not allowed here; allowed are ${allowed}.`,
    headers: { Allow: allowed },
  }
  if (methods.size > 0) answerProblem(ctx, wrongMethod)
  else if (answerNoPage && isBrowser(ctx)) answerNoPage(ctx)
  else answerProblem(ctx, unknownPath)
}

/** The routes of every operation: those of the REST API, and those of the dashboard where there is one. */
function addOperations(router: Router, parts: HttpParts): void {
  const { appUrl, limits, principals, dashboard, enrolment, handlers, rateLimits, world } = parts
  const idempotency = createIdempotency(parts)
  const serving: Serving = {
    ...parts,
    idempotency,
    sendLongList: longListSender(world),
    bodyOf: keptBodies(),
  }
  const add = (served: Served) => {
    const { method, path } = served.shape
    router.register(path, [method], [serveOperation(serving, served)])
  }
  const admitKey = keyAdmission({ world, limits, principals, rateLimits })
  for (const id of Object.keys(operations) as OperationId[]) {
    const shape = operations[id]
    const isCompressed = mayCompress(shape)
    add({ shape, handle: handlers[id], admit: ctx => admitKey(shape, ctx), isCompressed })
  }
  const admitGateway = gatewayAdmission(rateLimits)
  for (const id of enrolment ? (Object.keys(enrolmentOperations) as EnrolmentOperationId[]) : []) {
    const shape: CallShape = enrolmentOperations[id]
    add({ shape, handle: enrolment?.[id] as Served['handle'], admit: ctx => admitGateway(shape, ctx) })
  }
  if (!dashboard) return
  const admitUser = userAdmission({ world, sessions: dashboard.sessions, rateLimits, appUrl })
  for (const id of Object.keys(mirroredOperations) as (keyof typeof mirroredOperations)[]) {
    const shape = mirroredOperations[id]
    const served = { shape, handle: handlers[id], admit: (ctx: Context) => admitUser(id, ctx) }
    add({ ...served, tellsRefusals: true, isCompressed: mayCompress(operations[id]) })
  }
  for (const id of Object.keys(ownOperations) as OwnOperationId[]) {
    const shape: AppShape = ownOperations[id]
    const served = { shape, handle: dashboard.handlers[id], admit: (ctx: Context) => admitUser(id, ctx) }
    add({ ...served, tellsRefusals: true, isCompressed: shape.isCompressed === true })
  }
}

/** The application that serves the API; ready for `http.createServer(app.callback())`. */
export function createHttp(parts: HttpParts): Koa {
  const { appUrl, world } = parts
  const router = new Router({ sensitive: true })
  addOperations(router, parts)
  const document = JSON.stringify(openApiDocument(appUrl))
  router.get('/api/v1/openapi.json', compressed, ctx => {
    ctx.type = 'json'
    ctx.body = document
  })
  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok', version, commit }
  })

  parts.addPages?.(router)

  const app = new Koa()
  // Errors after our own layers: a client disconnected while the answer was written.
  app.on('error', (error: unknown) => world.log.debug('an answer was not delivered', { why: String(error) }))
  app.use(knowClients(parts.isTrustedProxy))
  app.use(logRequests(world))
  app.use(answerErrors(world))
  app.use(dispatch(router))
  app.use(ctx => answerUnrouted(ctx, parts.answerNoPage))
  return app
}
