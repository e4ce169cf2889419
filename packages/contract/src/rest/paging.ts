// Paging: by limit and offset, as specified, or by an opaque cursor that stays true while rows are added.

import Type from 'typebox'
import { closed, nullable } from '../text.ts'

const limit = Type.Integer({ minimum: 1, maximum: 200, description: 'At most this many rows' })
const offset = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: 'This many rows are skipped first',
})
const nextCursor = nullable(
  Type.String({ description: 'What to send as `cursor` for the next page; null at the end' }),
)
const cursor = Type.String({
  maxLength: 200,
  description:
    'Empty for the first page, then the `nextCursor` of the page before. Rows that are added between two pages neither repeat nor hide others. Not together with offset',
})

/** What follows from a cursor. */
export const CursorPage = closed({ limit, nextCursor })

/** The page of a history: `{limit, offset}`, or `{limit, nextCursor}` when a cursor was sent. */
export const Pagination = Type.Union([closed({ limit, offset }), CursorPage])

/** The query of a history. `limit` is filled in by the validator; an absent offset is 0. */
export const HistoryQuery = closed({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'At most this many rows' }),
  offset: Type.Optional(offset),
  cursor: Type.Optional(cursor),
})

/** The query of a list that is answered whole unless `limit` or `cursor` asks for pages. */
export const ListQuery = closed({
  isActive: Type.Optional(Type.Boolean({ description: 'Only those that are, or are not, active' })),
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
})

/** What the documentation says of every list that is answered whole. */
export const listText =
  'Without `limit` and `cursor` the list is answered whole, without `pagination`. With either it comes in pages: follow `nextCursor` until it is null.'

/** What the documentation says of every history. */
export const historyText =
  'By `limit` and `offset`, or by `cursor` (empty for the first page), which neither repeats nor hides rows while others are added.'
