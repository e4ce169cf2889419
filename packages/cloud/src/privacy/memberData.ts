// All data about one member, as JSON in small pieces. Without the link, which opens gates.

import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { afterOf, entriesOf, type Of, openingsOf, type RowPosition } from './identityRows.ts'

interface MemberDataParts {
  readonly database: Database
  readonly world: World
}

const rowsInPiece = 200

/** The rows of a list as elements of a JSON array, in batches. */
async function* listOf(
  read: (place: RowPosition | undefined) => Promise<readonly (RowPosition & { readonly row: object })[]>,
) {
  let place: RowPosition | undefined
  for (let isFirst = true; ; isFirst = false) {
    const rows = await read(place)
    const text = rows.map(({ row }) => JSON.stringify(row)).join(',\n')
    if (text !== '') yield isFirst ? text : `,\n${text}`
    place = rows.at(-1)
    if (rows.length < rowsInPiece) return
  }
}

/** Undefined where the Space has no such member, or the member was erased. */
export async function memberData(
  parts: MemberDataParts,
  of: Of,
): Promise<AsyncGenerator<string> | undefined> {
  const { knex } = parts.database
  const { memberId, spaceId } = of
  const member = await knex('members')
    .where({ id: memberId, spaceId })
    .whereNull('erasedAt')
    .select('id', 'name', 'email', 'phone', 'note', 'isActive', 'isAdmin', 'preferredLanguage', 'createdAt')
    .first('externalId', 'metadata')
  if (!member) return undefined
  const few = await fewRows(parts, of)
  return pieces(parts, of, {
    exportedAt: isoTime(parts.world.nowMs()),
    member: {
      ...member,
      isActive: Boolean(member.isActive),
      isAdmin: Boolean(member.isAdmin),
      metadata: JSON.parse(member.metadata ?? 'null'),
    },
    ...few,
  })
}

async function fewRows({ database: { knex } }: MemberDataParts, { memberId, spaceId }: Of): Promise<object> {
  const accesses = await knex('accesses')
    .where({ memberId, spaceId })
    .orderBy(['createdAt', 'id'])
    .select('id', 'gateId', 'schedules', 'maxUsage', 'usageCount', 'isActive', 'lastUsedAt', 'createdAt')
  const mails = await knex('mailRecords')
    .where({ memberId, spaceId })
    .orderBy(['createdAt', 'mailId'])
    .select('mailId', 'kind', 'actor', 'recipient', 'createdAt')
  const phones = await knex('linkUses')
    .where({ memberId, spaceId })
    .orderBy('firstUsedAt')
    .select('firstUsedAt')
  return {
    accesses: accesses.map(access => ({
      ...access,
      schedules: JSON.parse(access.schedules),
      isActive: Boolean(access.isActive),
    })),
    mails,
    phones,
  }
}

async function* pieces(parts: MemberDataParts, of: Of, beginning: object): AsyncGenerator<string> {
  const { knex } = parts.database
  yield `${JSON.stringify(beginning).slice(0, -1)},\n"openings":[`
  yield* listOf(async place => {
    const rows = await openingsOf(knex, { ...of, ...afterOf(place, rowsInPiece) })
    return rows.map(row => ({ at: row.calledAt, id: row.id, row }))
  })
  yield '],\n"activity":['
  yield* listOf(async place => {
    const rows = await entriesOf(knex, { ...of, ...afterOf(place, rowsInPiece) })
    return rows.map(row => ({
      at: row.timestamp,
      id: row.id,
      row: { ...row, details: JSON.parse(row.details) },
    }))
  })
  yield ']}\n'
}
