// Operations: every call of the REST API as data. Types, validators, the OpenAPI document and the checklist of
// handlers come from this table.

import { accessOperations } from './access.ts'
import { activityOperations } from './activityRecord.ts'
import { decisionOperations } from './decision.ts'
import { eventOperations } from './event.ts'
import { gateOperations } from './gate.ts'
import { gatewayOperations } from './gatewayView.ts'
import { linkOperations } from './link.ts'
import { memberOperations } from './member.ts'
import { memberBulkOperations } from './memberBulk.ts'
import { openingOperations } from './opening.ts'
import { openingProofOperations } from './openingProof.ts'
import type { Answer, Body, Params, SentQuery } from './operation.ts'
import type { ProblemCode } from './problem.ts'
import { readinessOperations } from './readiness.ts'
import { sandboxOperations } from './sandbox.ts'
import { schedulePreviewOperations } from './schedulePreview.ts'
import { selfOperations } from './self.ts'
import { webhookOperations } from './webhookOperations.ts'

export const operations = {
  ...gateOperations,
  ...readinessOperations,
  ...gatewayOperations,
  ...memberOperations,
  ...memberBulkOperations,
  ...accessOperations,
  ...linkOperations,
  ...decisionOperations,
  ...schedulePreviewOperations,
  ...openingOperations,
  ...openingProofOperations,
  ...activityOperations,
  ...eventOperations,
  ...webhookOperations,
  ...selfOperations,
  ...sandboxOperations,
}

export type Operations = typeof operations
export type OperationId = keyof Operations

export type ParamsOf<Id extends OperationId> = Params<Operations[Id]>
/** As it may be sent. */
export type QueryOf<Id extends OperationId> = SentQuery<Operations[Id]>
export type BodyOf<Id extends OperationId> = Body<Operations[Id]>

/** One of the operation's declared answers of success. */
export type AnswerOf<Id extends OperationId> = Answer<Operations[Id]>

/** The problems that any operation can answer with. */
export const commonProblems: readonly ProblemCode[] = [
  'validation_error',
  'unauthorized',
  'insufficient_scope',
  'plan_upgrade_required',
  'rate_limited',
  'internal_error',
]
