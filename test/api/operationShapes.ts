// The operations of the contract, by their names.

import type { OperationShape } from '@callgate/contract/rest/operation'
import { type OperationId, operations } from '@callgate/contract/rest/operations'

export const operationIds = Object.keys(operations) as OperationId[]
export const shapeOf = (id: OperationId): OperationShape => operations[id]
