// The types of handlers: the request that a handler gets, and the answer that it returns.

import type { RoleName } from '@callgate/contract/app/appOperation'
import type { OwnOperationId, OwnOperations } from '@callgate/contract/app/appOperations'
import type {
  EnrolmentOperationId,
  EnrolmentOperations,
} from '@callgate/contract/enrolment/enrolmentOperations'
import type { Answer, Body, CallShape, Params, Query } from '@callgate/contract/rest/operation'
import type { OperationId, Operations } from '@callgate/contract/rest/operations'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Scope } from '@callgate/contract/rest/scope'
import type { Moment } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Identity } from '../core/identity.ts'
import type { Reach } from '../database/transaction.ts'
import type { EventStream } from '../event/eventStreams.ts'
import type { Once } from './idempotency.ts'
import type { LongFile, LongList } from './longList.ts'
import type { Picture } from './picture.ts'
import type { Preference } from './preference.ts'
import type { WrittenList } from './reply.ts'
import type { Visitor } from './visitor.ts'

/** The principal of a request in a Space. */
export interface Principal {
  readonly spaceId: string
  readonly identity: Identity
  /** The name in the activity log: `api:<key name>`, `user:<e-mail>` or `operator`. */
  readonly actor: string
  /** The name in `openedBy`: `api:<key name>`, or the user's name. */
  readonly name: string
  /** Null for a key and for the operator. */
  readonly email: string | null
  /** The Space's country, for national phone numbers. */
  readonly country: string
  /** The version of the database when the request was admitted, where it has one: see `keptRows`. */
  readonly version?: number | undefined
  /** The gates that a key is limited to; null or absent: it has all of its Space, as users have. */
  readonly gateIds?: readonly string[] | null
  /** The path of the operations that this principal calls: `/api/v1`, or the Space's own place below `/app/v1`. */
  readonly base: string
}

/** The principal of a request with an API key. */
export interface KeyPrincipal extends Principal {
  readonly identity: Extract<Identity, { kind: 'key' }>
  readonly scopes: readonly Scope[]
  readonly gateIds: readonly string[] | null
  /** The plan in force. */
  readonly plan: string
  /** When the Space's trial ended; null where none has. */
  readonly trialEndedAt: string | null
  readonly hasApi: boolean
  /** Whether `lastUsedAt` is a minute old, and so due to be written. */
  readonly isUseDue: boolean
}

/** A user of the dashboard in one of their Spaces, or the operator, who has the rights of an owner. */
export interface UserPrincipal extends Principal {
  readonly identity: Exclude<Identity, { kind: 'key' }>
  readonly role: RoleName
  /** Whether the user has confirmed their identity in the last five minutes. */
  readonly isConfirmed: boolean
}

/** A user of the dashboard, independent of a Space. */
export interface SignedIn {
  readonly userId: string
  readonly sessionId: string
  readonly email: string
  readonly name: string
  /** Whether the user has confirmed their identity in the last five minutes. */
  readonly isConfirmed: boolean
}

/** The input of a handler: the principal, and the parts that have passed the schemas. Ids in `params` may have any form. */
export interface RequestTo<Shape extends CallShape, Who> {
  readonly principal: Who
  readonly params: Params<Shape>
  readonly query: Query<Shape>
  readonly body: Body<Shape>
  /** When the request came in. Measured only for operations that can wait. */
  readonly receivedAt: Shape['method'] extends 'GET' ? undefined : Moment
  /**
   * Runs `work` in one transaction, which also keeps the answer to an Idempotency-Key. A problem rolls it back. Call it once, and
   * answer with its result. It writes rows of the principal's Space, unless `reach` says otherwise.
   */
  write<T extends Answer<Shape> | Problem>(
    work: (tx: Knex.Transaction) => Promise<T>,
    reach?: Reach,
  ): Promise<T | Problem>
  /**
   * The problem when If-Match names another state than `current`, the body of a GET of the resource. `changeRow` calls it inside
   * the transaction, after 404 and before 409.
   */
  stale(current: object): Problem | undefined
  /** The preferences for the answer of an opening, from the header Prefer. */
  readonly prefer?: Preference | undefined
  /** The header `Last-Event-ID` of an operation that answers with a stream. */
  readonly lastEventId?: string | undefined
  /** With an Idempotency-Key: makes an opening happen once. */
  readonly once?: Once | undefined
}

/** A principal who presses. By HTTP, the operator presses with a key like everybody. */
type PressPrincipal = Principal & { readonly identity: Exclude<Identity, { kind: 'operator' }> }

/** The principals of operations that not every principal may call. */
interface SpecialPrincipals {
  readonly openGate: PressPrincipal
  readonly getSelf: KeyPrincipal
  readonly listEvents: KeyPrincipal
  readonly followEvents: KeyPrincipal
}

export type Request<Id extends OperationId> = RequestTo<
  Operations[Id],
  Id extends keyof SpecialPrincipals ? SpecialPrincipals[Id] : Principal
>

/** The operations whose list can be too long for one turn. */
type ListOperation = 'listMembers' | 'listActivity'

/** The operations whose answer is written as JSON already. */
type WrittenOperation = 'listGates' | 'listMembers'

/** The answer of an operation, beside problems. */
type Answering<Id extends OperationId> = Operations[Id] extends { readonly isStream: true }
  ? EventStream
  :
      | Answer<Operations[Id]>
      | (Id extends ListOperation ? LongList : never)
      | (Id extends WrittenOperation ? WrittenList : never)

/** One handler for each operation of the REST API: the compiler's checklist. They serve keys and users alike. */
export type Handlers = {
  readonly [Id in OperationId]: (request: Request<Id>) => Promise<Answering<Id> | Problem>
}

/** The principal of an operation that needs `Role`. */
interface PrincipalOf {
  readonly admin: UserPrincipal
  readonly owner: UserPrincipal
  readonly user: SignedIn
  readonly none: undefined
}

/** A request to an operation that only the dashboard has. */
export type AppRequest<Id extends OwnOperationId> = RequestTo<
  OwnOperations[Id],
  PrincipalOf[OwnOperations[Id]['role']]
> & { readonly visitor: Visitor }

/** One handler for each operation that only the dashboard has. */
export type AppHandlers = {
  readonly [Id in OwnOperationId]: (
    request: AppRequest<Id>,
  ) => Promise<
    | Problem
    | (OwnOperations[Id] extends { readonly isStream: true }
        ? EventStream
        : Answer<OwnOperations[Id]> | LongList | LongFile | Picture)
  >
}

/** A request of a gateway that is being enrolled. `addressGroup` is the network that it comes from. */
type EnrolmentRequest<Shape extends CallShape> = Pick<RequestTo<Shape, undefined>, 'params' | 'body'> & {
  readonly addressGroup: string
}

/** One handler for each operation of a gateway that is being enrolled. */
export type EnrolmentHandlers = {
  readonly [Id in EnrolmentOperationId]: (
    request: EnrolmentRequest<EnrolmentOperations[Id]>,
  ) => Promise<Problem | Answer<EnrolmentOperations[Id]>>
}
