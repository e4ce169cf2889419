// The operations of the contract by name.

import { type OperationId, type OperationShape, operations } from '@callgate/contract/rest/operations'

export const operationIds = Object.keys(operations) as OperationId[]
export const shapeOf = (id: OperationId): OperationShape => operations[id]
