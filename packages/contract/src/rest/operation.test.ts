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

it('types a query as it may be sent: what is optional or filled in may be left out, and nothing else', () => {
  type Sent = SentQuery<{ readonly query: typeof query }>
  expectTypeOf<{ gateId: string }>().toExtend<Sent>()
  expectTypeOf<{ limit: number }>().not.toExtend<Sent>()
  expectTypeOf<{ gateId: string; limit: string }>().not.toExtend<Sent>()
  expectTypeOf<Record<never, never>>().toExtend<QueryOf<'listOpenings'>>()
})
