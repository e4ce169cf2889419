// One example of the answer for each problem; a test compares them with the codes and their schemas.

import { sayReason } from '../call/sayReason.ts'
import { exampleIds } from './exampleIds.ts'
import type { OpenFailedBody, ProblemCode } from './problem.ts'

interface ErrorBody {
  readonly error: { readonly code: ProblemCode; readonly message: string }
}

const messages: Readonly<Record<Exclude<ProblemCode, 'open_failed'>, string>> = {
  validation_error: 'name must have at most 120 characters; colour is not a known field',
  unauthorized:
    'The API key is missing, unknown, revoked or expired. Send it as "Authorization: Bearer <key>" or as "X-Api-Key: <key>".',
  insufficient_scope: 'The API key lacks the scope gates:write.',
  plan_upgrade_required: 'The plan free of this Space does not include API access.',
  plan_limit_reached:
    'This Space may have 25 active gates, and 25 are in use; this limit does not reset. Deactivate a gate, or have the limit raised.',
  not_found: 'There is no gate with this id.',
  method_not_allowed: 'The method PUT is not allowed here; allowed are GET, HEAD, POST.',
  conflict:
    'gateId: a member has one access for each gate, and there is one for this gate. Give it further schedules instead.',
  precondition_failed: 'The resource is no longer what If-Match names. Read it again, and send its new ETag.',
  payload_too_large: 'The body must have at most 64 KiB.',
  unsupported_media_type: 'The body must be JSON: send Content-Type: application/json.',
  idempotency_mismatch:
    'This Idempotency-Key was used before with another body. Send a new key with a new request.',
  rate_limited: 'An API key may make at most 30 writing requests in any 60 s. Another is taken in 12 s.',
  internal_error:
    'The service failed. Try again later; the X-Request-Id of this answer finds the cause in its log.',
}

const openFailed: OpenFailedBody = {
  error: {
    code: 'open_failed',
    message: sayReason('busy', { gateId: exampleIds.gateId, safeToRetry: true }),
    reason: 'busy',
    openingId: exampleIds.openingId,
    safeToRetry: true,
  },
}

/** The example body of each problem. */
export const problemExamples: Readonly<Record<ProblemCode, ErrorBody>> = {
  ...(Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, { error: { code, message } }]),
  ) as Record<keyof typeof messages, ErrorBody>),
  open_failed: openFailed,
}
