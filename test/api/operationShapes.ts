// The operations of the contract by name: those of the REST API, of the dashboard, and of enrolled gateways.

import type { AppShape } from '@callgate/contract/app/appOperation'
import { type AppOperationId, appCommonProblems, appOperations } from '@callgate/contract/app/appOperations'
import { confirmations } from '@callgate/contract/app/confirmations'
import {
  type EnrolmentOperationId,
  enrolmentOperations,
} from '@callgate/contract/enrolment/enrolmentOperations'
import type { CallShape, OperationShape } from '@callgate/contract/rest/operation'
import { type OperationId, operations } from '@callgate/contract/rest/operations'
import type { AppProblemCode } from '@callgate/contract/rest/problem'

export const operationIds = Object.keys(operations) as OperationId[]
export const shapeOf = (id: OperationId): OperationShape => operations[id]

export const appOperationIds = Object.keys(appOperations) as AppOperationId[]
export const appShapeOf = (id: AppOperationId): AppShape => appOperations[id]

/** Every code that an operation of the dashboard can answer with. */
export function appProblemsOf(id: AppOperationId): readonly AppProblemCode[] {
  const shape = appShapeOf(id)
  const isIdempotent = shape.method === 'POST' || shape.method === 'PATCH'
  return [
    ...appCommonProblems,
    ...shape.problems,
    ...(confirmations[id] !== 'never' ? (['confirmation_required'] as const) : []),
    ...(shape.body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(isIdempotent ? (['conflict', 'idempotency_mismatch'] as const) : []),
  ]
}

export const enrolmentOperationIds = Object.keys(enrolmentOperations) as EnrolmentOperationId[]
export const enrolmentShapeOf = (id: EnrolmentOperationId): CallShape => enrolmentOperations[id]

/** Every code that an operation of an enrolled gateway can answer with. */
export function enrolmentProblemsOf(id: EnrolmentOperationId): readonly AppProblemCode[] {
  const { problems } = enrolmentShapeOf(id)
  const ofEach = ['validation_error', 'not_found', 'rate_limited', 'internal_error'] as const
  return [...problems, ...ofEach, 'payload_too_large', 'unsupported_media_type']
}
