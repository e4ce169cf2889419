// The operations of the API as types, in the form of openapi-typescript. The published package has in place of this file
// what openapi-typescript makes of the OpenAPI document, with its comments.

import type { ActivityAction, ActivityDetails } from '@callgate/contract/rest/activity'
import type {
  AnswerOf,
  BodyOf,
  OperationId,
  Operations,
  ParamsOf,
  QueryOf,
} from '@callgate/contract/rest/operations'

type Repeatable = { readonly method: 'POST' | 'PATCH' }
type Conditional = { readonly method: 'PATCH' | 'DELETE' }
/** A read of one resource: it has ids, and no query. */
type ConditionalRead = { readonly method: 'GET'; readonly params: unknown; readonly isStream?: never }
type Stream = { readonly isStream: true }

type HeaderOf<Id extends OperationId> = (Operations[Id] extends Repeatable
  ? { 'Idempotency-Key'?: string }
  : unknown) &
  (Operations[Id] extends Conditional ? { 'If-Match'?: string } : unknown) &
  (Operations[Id] extends ConditionalRead ? { 'If-None-Match'?: string } : unknown) &
  (Operations[Id] extends { readonly rateClass: 'open' } ? { Prefer?: string } : unknown) &
  (Operations[Id] extends Stream ? { 'Last-Event-ID'?: string } : unknown)

type Content<Body> = { content: { 'application/json': Body } }
type AnswerContent<Id extends OperationId, Body> = Operations[Id] extends Stream
  ? { content: { 'text/event-stream': Body } }
  : Content<Body>
type RequestOf<Id extends OperationId> = Operations[Id] extends { readonly bodyOptional: true }
  ? unknown
  : Operations[Id] extends { readonly body: unknown }
    ? Content<BodyOf<Id>>
    : unknown

export type operations = {
  [Id in OperationId]: {
    parameters: {
      header: HeaderOf<Id>
      query?: Operations[Id] extends { readonly query: unknown } ? QueryOf<Id> : never
    } & (Operations[Id] extends { readonly params: unknown } ? { path: ParamsOf<Id> } : { path?: never })
    requestBody: RequestOf<Id>
    responses: {
      [Answer in AnswerOf<Id> as Answer['status'] & number]: Answer extends { readonly body: infer Body }
        ? AnswerContent<Id, Body>
        : unknown
    }
  }
}

/** What an entry of the activity tells in `details`, by its action. */
export type DetailsByAction = { [Action in ActivityAction]: ActivityDetails<Action> }
