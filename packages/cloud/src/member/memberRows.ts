// Members in the database, and how one is found.

import { refuse } from '@callgate/contract/app/refusals'
import type { Language } from '@callgate/contract/rest/member'
import type { Knex } from 'knex'
import { byIndex } from '../database/byIndex.ts'
import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { ExternalRow } from '../space/externalIds.ts'
import { noLink } from './memberLinks.ts'

export interface MemberRow extends ExternalRow {
  readonly id: string
  readonly spaceId: string
  readonly name: string
  readonly email: string | null
  readonly phone: string | null
  readonly note: string | null
  /** SQLite has 0 and 1. */
  readonly isAdmin: boolean | number
  readonly isActive: boolean | number
  readonly preferredLanguage: string | null
  readonly createdAt: string
  /** Null while the link is dead: the member is inactive and has no access. */
  readonly linkSealed: string | null
  readonly spaceLanguage: string
}

/** The refusal of operations on a deactivated member. */
export const inactiveMember = refuse('member_inactive')

/** The members of a Space except for erased ones, each with the Space's language, to be narrowed further. */
export function selectMembers(db: Db, spaceId: string, members: Knex.QueryBuilder = db('members')) {
  return members
    .select<MemberRow[]>(
      'id',
      'spaceId',
      'name',
      'email',
      'phone',
      'note',
      'isAdmin',
      'isActive',
      'preferredLanguage',
      'createdAt',
      'linkSealed',
      'externalId',
      'metadata',
      db('spaces').where({ id: spaceId }).select('language').as('spaceLanguage'),
    )
    .where({ spaceId, erasedAt: null })
}

/** What the rows of members are narrowed by; what is absent does not narrow. */
export interface MemberFilter {
  readonly isActive?: boolean | undefined
  readonly externalId?: string | undefined
  /** In any case. */
  readonly email?: string | undefined
}

/** The members of a Space that fit the filter, to be sorted and limited. */
export function selectFitting(db: Db, spaceId: string, { email, externalId, isActive }: MemberFilter) {
  const index =
    externalId !== undefined ? 'members_external_id' : email !== undefined ? 'members_of_email' : undefined
  const query = selectMembers(
    db,
    spaceId,
    index === undefined ? db('members') : byIndex(db, 'members', index),
  )
  if (isActive !== undefined) query.where({ isActive })
  if (externalId !== undefined) query.where({ externalId }).whereNotNull('externalId')
  if (email !== undefined) query.whereRaw('lower("email") = lower(?)', [email]).whereNotNull('email')
  return query
}

const memberOf = statement<{ readonly spaceId: string; readonly id: string }, MemberRow>(
  (db, { id, spaceId }) => selectMembers(db, spaceId).where({ id }),
)

/** The row of the member; undefined when the Space has none with that id. */
export async function findMember(db: Db, spaceId: string, memberId: string): Promise<MemberRow | undefined> {
  const [row] = await memberOf(db, { spaceId, id: memberId })
  return row
}

interface MemberRowKey {
  readonly spaceId: string
  readonly id: string
}

/** Sets the language of the member. */
export async function keepLanguage(tx: Db, place: MemberRowKey, preferredLanguage: Language): Promise<void> {
  await tx('members').where(place).update({ preferredLanguage })
}

/** Writes whether a member is a user who may sign in. */
export async function showAdmin(tx: Db, place: MemberRowKey, isAdmin: boolean): Promise<void> {
  await tx('members').where(place).update({ isAdmin })
}

/** Deactivates all members of a Space, which revokes their accesses and ends their links. Returns how many were active. */
export async function deactivateAllMembers(tx: Db, spaceId: string): Promise<number> {
  await tx('accesses').where({ spaceId }).delete()
  return tx('members')
    .where({ spaceId, isActive: true })
    .update({ isActive: false, ...noLink })
}
