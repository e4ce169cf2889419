// The admission of users to the operations of the dashboard: 401, 404 for a foreign Space, 403 and 429.

import type { AppShape } from '@callgate/contract/app/appOperation'
import { type AppOperationId, appOperations } from '@callgate/contract/app/appOperations'
import { needsConfirmation } from '@callgate/contract/app/confirmations'
import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Context } from 'koa'
import type { Db } from '../database/database.ts'
import type { Write } from '../database/transaction.ts'
import type { StreamReader } from '../event/eventStreams.ts'
import { answerProblem } from './answerError.ts'
import type { SignedIn, UserPrincipal } from './handler.ts'
import { notFound } from './notFound.ts'
import { type RateLimits, rateHeaders, rateProblem } from './rateLimit.ts'
import { noteUser } from './requestLog.ts'
import { roleProblem, unconfirmed } from './roleProblems.ts'
import type { Admitted } from './serving.ts'
import { csrfProblem, type Visitor, visitorOf } from './visitor.ts'

/** A session that is alive, and the rights of its user in one Space. */
export interface FoundSession {
  readonly signedIn: SignedIn
  /** Undefined where the user has no role in the Space, or no Space was requested. */
  readonly principal: UserPrincipal | undefined
  /** Whether the last use is a minute old, and so due to be written. */
  readonly isUseDue: boolean
}

/** The sessions in the form that the HTTP layer needs. */
export interface Sessions {
  /** The session with this secret; undefined when it is unknown or has ended, or when its user may no longer sign in. */
  find(token: string, spaceId: string | undefined, db?: Db): Promise<FoundSession | undefined>
  /** Writes the time of the session's last use. */
  recordUse(sessionId: string): Promise<void>
  /** A `write` of rows of this user, under locks of its own. */
  writeOf(userId: string, write: Write): Write
}

interface UserAdmissionParts {
  readonly world: World
  readonly sessions: Sessions
  readonly rateLimits: RateLimits
  readonly appUrl: string
}

/**
 * It is not delayed, unlike the 401 for a wrong API key. Nobody can guess a session, because its secret has 256 random bits, and
 * a try costs one lookup in an index. Whole offices come from one address with sessions that ended overnight: a delay would only
 * make them wait for the sign-in.
 */
const notSignedIn: Problem = {
  problem: 'unauthorized',
  message: 'You are not signed in, or your session has ended. Sign in and try again.',
}
/** How many event streams a session may have at once in a Space. The tabs of a browser share one. */
const streamsOfSession = 8

/** The reader of an operation before the sign-in, which has no stream. */
export const noReader: StreamReader = { credential: 'nobody', most: 0, mayStill: async () => false }
const neverRefused = async () => undefined

/** Writes the time of the session's use after the answer is sent: the write's fsync must not delay the answer. */
function recordUseAfter(ctx: Context, { sessions, world }: UserAdmissionParts, found: FoundSession): void {
  if (!found.isUseDue) return
  const { sessionId } = found.signedIn
  ctx.res.once('close', () => {
    sessions
      .recordUse(sessionId)
      .catch((error: unknown) =>
        world.log.warn('lastSeenAt was not written', { sessionId, why: String(error) }),
      )
  })
}

/** Why this user may not call the operation; undefined when they may. */
function refusalOf({ role }: AppShape, principal: UserPrincipal | undefined): Problem | undefined {
  if (role === 'user' || role === 'none') return undefined
  if (!principal) return notFound('Space')
  return roleProblem(principal, role)
}

/** Checks later whether the session may still do this: in the transaction of a change, and while a stream runs. */
function laterChecks(
  sessions: Sessions,
  shape: AppShape,
  given: {
    readonly token: string
    readonly spaceId: string | undefined
    readonly userId: string
    readonly credential: string
  },
): Pick<Admitted, 'reader' | 'refusalIn' | 'ownWrite'> {
  const { credential, spaceId, token, userId } = given
  const refusalIn = async (db?: Db) => {
    const again = await sessions.find(token, spaceId, db)
    return again ? refusalOf(shape, again.principal) : notSignedIn
  }
  const mayStill = async () => (await refusalIn()) === undefined
  const ownWrite = spaceId === undefined ? (write: Write) => sessions.writeOf(userId, write) : undefined
  return { refusalIn, ownWrite, reader: { credential, most: streamsOfSession, mayStill } }
}

interface Asking extends Omit<Admitted, 'given' | 'refusalOf'> {
  readonly counted: string
  readonly refusal: Problem | undefined
  readonly visitor: Visitor
  readonly principal: SignedIn | UserPrincipal | undefined
}

/** Admits a user to an operation of the dashboard, or answers. */
export function userAdmission(parts: UserAdmissionParts) {
  const { appUrl, rateLimits, sessions } = parts
  const isSecure = appUrl.startsWith('https:')

  /** 403 for a request that is not the dashboard's own, then 429, then the principal. */
  async function count(ctx: Context, id: AppOperationId, who: Asking): Promise<Admitted | undefined> {
    const { askerId, principal, counted, of, visitor } = who
    const { method, rateClass, takesNoKey }: AppShape = appOperations[id]
    const refusalOf = (body?: unknown) =>
      needsConfirmation(id, body) && !principal?.isConfirmed ? unconfirmed : undefined
    const sessionToken = askerId === undefined ? undefined : visitor.sessionToken
    const refusal =
      who.refusal ?? (method === 'GET' ? undefined : csrfProblem(ctx, appUrl, sessionToken)) ?? refusalOf()
    const bucket = askerId !== undefined && rateClass === 'read' ? 'userRead' : rateClass
    const status = await rateLimits[refusal ? 'peek' : 'take'](counted, bucket)
    ctx.set(rateHeaders(bucket, status))
    const { ownWrite, reader, refusalIn, spaceId } = who
    if (!refusal && status.isTaken) {
      const keyOf = takesNoKey ? undefined : askerId
      const given = { principal, visitor }
      return { given, spaceId, of, askerId: keyOf, reader, refusalIn, refusalOf, ownWrite }
    }
    answerProblem(
      ctx,
      refusal ?? rateProblem(askerId === undefined ? 'An address' : 'A user', bucket, status),
    )
    return undefined
  }

  return async (id: AppOperationId, ctx: Context): Promise<Admitted | undefined> => {
    const shape: AppShape = appOperations[id]
    const visitor = visitorOf(ctx, isSecure)
    if (shape.role === 'none') {
      const { addressGroup: of } = visitor
      const nobody = {
        principal: undefined,
        spaceId: undefined,
        askerId: undefined,
        refusal: undefined,
        reader: noReader,
        refusalIn: neverRefused,
      }
      return count(ctx, id, { ...nobody, visitor, of, counted: `address ${of}` })
    }
    const { sessionToken } = visitor
    const spaceId: string | undefined = ctx['params'].spaceId
    const found = sessionToken === undefined ? undefined : await sessions.find(sessionToken, spaceId)
    if (!found) {
      answerProblem(ctx, notSignedIn)
      return undefined
    }
    const { signedIn } = found
    noteUser(ctx, signedIn.userId)
    recordUseAfter(ctx, parts, found)
    const { userId } = signedIn
    const principal = spaceId === undefined ? signedIn : found.principal
    const refusal = refusalOf(shape, found.principal)
    const of = spaceId ?? userId
    const later = laterChecks(sessions, shape, {
      token: sessionToken ?? '',
      spaceId,
      userId,
      credential: `session ${signedIn.sessionId} ${of}`,
    })
    const asking = { ...later, principal, visitor, refusal, spaceId, of }
    return count(ctx, id, { ...asking, askerId: userId, counted: userId })
  }
}
