// Paging: by limit and offset, as specified, or by an opaque cursor that stays true while rows are added.

import Type, { type TProperties } from 'typebox'
import { GateId, MemberId } from '../ids.ts'
import { closed, filledIn, instant, nullable } from '../text.ts'

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

/** What follows from an offset. */
export const OffsetPage = closed({ limit, offset })

/**
 * The page of a history: `{limit, nextCursor}` when a cursor was sent, else `{limit, offset}`. Each alternative names the
 * member that the other has, so that a program can ask `pagination.nextCursor !== undefined`.
 */
export type Pagination =
  | { limit: number; offset: number; nextCursor?: undefined }
  | { limit: number; nextCursor: string | null; offset?: undefined }
export const Pagination = Type.Unsafe<Pagination>({
  ...Type.Union([OffsetPage, CursorPage]),
  description: 'OffsetPage, or CursorPage when a cursor was sent: only that one has nextCursor',
})

/** The page and the filters that all histories have. */
export const historyFields = {
  limit: filledIn(limit, 50),
  cursor: Type.Optional(cursor),
  gateId: Type.Optional({ ...GateId, description: 'Only what concerns this gate' }),
  memberId: Type.Optional({ ...MemberId, description: 'Only what concerns this member' }),
  from: Type.Optional(instant('From this instant on, with Z or an offset; in an address + is written %2B')),
  to: Type.Optional(
    instant(
      'Before this instant, which is not included, with Z or an offset; in an address + is written %2B',
    ),
  ),
}

/** The query of a history with `more` fields. `limit` is filled in by the validator; an absent offset is 0. */
export function historyQuery<More extends TProperties>(more: More) {
  return closed({ ...historyFields, offset: Type.Optional(offset), ...more })
}

/** The query of a list that is answered whole unless `limit` or `cursor` asks for pages. */
export const ListQuery = closed({
  isActive: Type.Optional(Type.Boolean({ description: 'Only those that are, or are not, active' })),
  limit: Type.Optional(limit),
  cursor: Type.Optional(cursor),
})

/** What the documentation says of every list that is answered whole. */
export const listText =
  'Without `limit` and `cursor` the list is answered whole, without `pagination`. With either it comes in pages: follow `nextCursor` until it is null, or the `Link` headers.'

/** What the documentation says of every history. */
export const historyText =
  'By `limit` and `offset`, or by `cursor` (empty for the first page), which neither repeats nor hides rows while others are added. The `Link` headers lead to the next, the previous and the first page, with the same filters. Several filters narrow each other.'
