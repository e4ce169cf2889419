import Type from 'typebox'
import { expectTypeOf, it } from 'vitest'
import { closed, filledIn } from '../text.ts'
import type { SentQuery } from './operation.ts'
import type { QueryOf } from './operations.ts'

const query = closed({
  gateId: Type.String(),
  from: Type.Optional(Type.String()),
  limit: filledIn(Type.Integer(), 50),
})

it('makes exactly the optional fields of a query, and those with a default, optional in its type', () => {
  type Sent = SentQuery<{ readonly query: typeof query }>
  expectTypeOf<{ gateId: string }>().toExtend<Sent>()
  expectTypeOf<{ limit: number }>().not.toExtend<Sent>()
  expectTypeOf<{ gateId: string; limit: string }>().not.toExtend<Sent>()
  expectTypeOf<Record<never, never>>().toExtend<QueryOf<'listOpenings'>>()
})
