// What a handler of an operation is given and answers with.

import type {
  AnswerOf,
  BodyOf,
  OperationId,
  operations,
  ParamsOf,
  QueryOf,
} from '@callgate/contract/rest/operations'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Scope } from '@callgate/contract/rest/scope'
import type { Moment } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Once } from './idempotency.ts'
import type { LongList } from './longList.ts'
import type { Preference } from './preference.ts'

/** Who makes a request. */
export interface Caller {
  readonly spaceId: string
  readonly apiKeyId: string
  readonly keyName: string
  /** As the activity log and `openedBy` name it: `api:<key name>`. */
  readonly actor: string
  readonly scopes: readonly Scope[]
  /** The Space's country, for national phone numbers. */
  readonly country: string
  /** The plan in force. */
  readonly plan: string
  /** When the Space's trial ended; null where none has. */
  readonly trialEndedAt: string | null
  readonly hasApi: boolean
  /** Whether `lastUsedAt` is a minute old, and so due to be written. */
  readonly isUseDue: boolean
}

/** What a handler is given: the caller, and what has passed the schemas. Ids in `params` may have any shape. */
export interface Request<Id extends OperationId> {
  readonly caller: Caller
  readonly params: ParamsOf<Id>
  readonly query: QueryOf<Id>
  readonly body: BodyOf<Id>
  /** When the request came in. Measured only for operations that can wait. */
  readonly receivedAt: (typeof operations)[Id]['method'] extends 'GET' ? undefined : Moment
  /**
   * Runs `work` in one transaction, in which the answer to an Idempotency-Key is kept as well. A problem rolls it back.
   * Call it once, and answer with what it answers.
   */
  write<T extends AnswerOf<Id> | Problem>(work: (tx: Knex.Transaction) => Promise<T>): Promise<T | Problem>
  /**
   * The problem when If-Match names another state than `current`: the body that the resource's GET answers. Call it
   * inside the transaction, after 404 and before 409.
   */
  stale(current: object): Problem | undefined
  /** What Prefer asks of an opening. */
  readonly prefer?: Preference | undefined
  /** With an Idempotency-Key: what makes an opening happen once. */
  readonly once?: Once | undefined
}

/** The operations that can answer with a list too long for one turn. */
type ListOperation = 'listMembers' | 'listActivity'

/** One handler for each operation of the contract: the compiler's checklist. */
export type Handlers = {
  readonly [Id in OperationId]: (
    request: Request<Id>,
  ) => Promise<AnswerOf<Id> | Problem | (Id extends ListOperation ? LongList : never)>
}
