// Problems: the errors of the REST API, and the one shape of their bodies.

import Type, { type Static } from 'typebox'
import { Reason } from '../call/reason.ts'
import { SafeToRetry } from '../call/verdict.ts'
import { OpeningId } from '../ids.ts'
import { closed, growingWords } from '../text.ts'

/** Each code, the HTTP status it comes with, and what it means (specification, section 7, and decisions.md). */
export const problemCodes = {
  validation_error: {
    status: 400,
    meaning: 'The body, the query or a header does not fit; the message names the field',
  },
  unauthorized: {
    status: 401,
    meaning: 'Missing, invalid, revoked or expired key',
  },
  insufficient_scope: {
    status: 403,
    meaning: 'The key lacks the scope that the operation needs',
  },
  plan_upgrade_required: {
    status: 403,
    meaning: "The Space's plan does not include API access",
  },
  plan_limit_reached: {
    status: 403,
    meaning: 'A limit of the plan is reached',
  },
  not_found: {
    status: 404,
    meaning: 'There is no such resource in this Space',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The path exists, the method does not; see Allow',
  },
  conflict: {
    status: 409,
    meaning: 'The state of the resource does not allow it; the message says why',
  },
  precondition_failed: {
    status: 412,
    meaning: 'The resource is no longer what If-Match names; read it again',
  },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than 64 KiB, or than 1 MiB with many members at once',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The body is not application/json',
  },
  idempotency_mismatch: {
    status: 422,
    meaning: 'The Idempotency-Key was used before with another body',
  },
  rate_limited: {
    status: 429,
    meaning: 'Too many requests of this kind; Retry-After says in how many seconds another is taken',
  },
  internal_error: {
    status: 500,
    meaning: 'A fault of the service; retry with backoff',
  },
  open_failed: {
    status: 502,
    meaning: 'The gate was not opened, or nobody can know whether it was; reason and safeToRetry say more',
  },
} as const

export type ProblemCode = keyof typeof problemCodes

/** The codes that only operations of the dashboard answer with. The REST API has none of them. */
export const appOnlyCodes = {
  insufficient_role: {
    status: 403,
    meaning: 'The role of the user in this Space does not allow the operation',
  },
  confirmation_required: {
    status: 403,
    meaning: 'The operation needs the password of the user once more, and it was not sent or is not right',
  },
  second_factor_needed: {
    status: 401,
    meaning:
      'The password is right, and the code of the second factor is needed as well; the error has a ticket for it',
  },
  wrong_password: {
    status: 403,
    meaning: 'The password of the signed-in user is another one',
  },
  csrf_refused: {
    status: 403,
    meaning: 'The request did not come from the dashboard itself, or its token is not the one of the session',
  },
} as const

/** Every code that an operation of the dashboard can answer with. */
export type AppProblemCode = ProblemCode | keyof typeof appOnlyCodes

/** The HTTP status of each code. */
export function statusOf(code: AppProblemCode): number {
  return { ...problemCodes, ...appOnlyCodes }[code].status
}

/** The name of a refusal in `app/refusals.ts`, and the values for the placeholders in its text. */
export interface Refusal {
  readonly name: string
  readonly values: Readonly<Record<string, string | number>>
}

/** An expected failure, as a value. `status` differs from the code's own only for `internal_error` (500 or 503). */
export interface Problem {
  readonly problem: AppProblemCode
  readonly message: string
  readonly status?: number
  /** The whole message as refusals, which the dashboard translates. The REST API leaves them out. */
  readonly refusals?: readonly Refusal[] | undefined
  /** Further members of the error object: `open_failed` has them. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

export function isProblem(value: unknown): value is Problem {
  return typeof value === 'object' && value !== null && 'problem' in value
}

export const Code = growingWords(Object.keys(problemCodes) as ProblemCode[], {
  description: 'What went wrong, for a program',
})

/** What an error can tell beside its message, for a program. */
export const moreOfProblem = {
  existingId: Type.Optional(
    Type.String({
      description: 'With `conflict` where another has the `externalId` already: the id of that one',
    }),
  ),
  faults: Type.Optional(
    Type.Array(
      closed({
        index: Type.Integer({ minimum: 0, description: 'The place of the item, from 0' }),
        message: Type.String({ description: 'What is wrong with it' }),
      }),
      { description: 'Where several things were sent at once: each wrong one' },
    ),
  ),
}

export const ProblemBody = closed({
  error: closed(
    {
      code: Code,
      message: Type.String({
        description: 'What happened and what would be right, for a person',
      }),
      ...moreOfProblem,
    },
    { description: 'What went wrong' },
  ),
})

/** Present where the press joined the call of another press. It is our addition to the specification. */
export const Joined = Type.Optional(
  Type.Literal(true, {
    description:
      'Only there when true: no call was placed for this press. It ends as the call of another press ends, which ran already or was just over',
  }),
)

export const OpenFailedBody = closed({
  error: closed(
    {
      code: Type.Literal('open_failed', { description: 'Always this' }),
      message: Type.String({ description: 'Readable alone' }),
      reason: Reason,
      openingId: OpeningId,
      safeToRetry: SafeToRetry,
      joined: Joined,
    },
    { description: 'What went wrong' },
  ),
})
export type OpenFailedBody = Static<typeof OpenFailedBody>
