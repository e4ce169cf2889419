// The operations of the contract, by their names: those of the REST API, and those of the dashboard.

import type { AppShape } from '@callgate/contract/app/appOperation'
import { type AppOperationId, appCommonProblems, appOperations } from '@callgate/contract/app/appOperations'
import type { OperationShape } from '@callgate/contract/rest/operation'
import { type OperationId, operations } from '@callgate/contract/rest/operations'
import type { AppProblemCode } from '@callgate/contract/rest/problem'

export const operationIds = Object.keys(operations) as OperationId[]
export const shapeOf = (id: OperationId): OperationShape => operations[id]

export const appOperationIds = Object.keys(appOperations) as AppOperationId[]
export const appShapeOf = (id: AppOperationId): AppShape => appOperations[id]

/** Every code that an operation of the dashboard can answer with. */
export function appProblemsOf(shape: AppShape): readonly AppProblemCode[] {
  const isIdempotent = shape.method === 'POST' || shape.method === 'PATCH'
  return [
    ...appCommonProblems,
    ...shape.problems,
    ...(shape.needsConfirmation ? (['confirmation_required'] as const) : []),
    ...(shape.body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(isIdempotent ? (['conflict', 'idempotency_mismatch'] as const) : []),
  ]
}
