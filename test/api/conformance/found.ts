// The body of an answer that succeeded, with the type of its operation.

import type { AnswerOf, OperationId } from '@callgate/contract/rest/operations'
import { expect } from 'vitest'
import type { Answer } from '../apiServer.ts'

type Found<Id extends OperationId> = Extract<AnswerOf<Id>, { readonly status: 200 }>['body']

/** The body of an answer 200 of the operation. */
export async function found<Id extends OperationId>(_id: Id, answer: Promise<Answer>): Promise<Found<Id>> {
  const { status, text } = await answer
  expect(status).toBe(200)
  return JSON.parse(text)
}
