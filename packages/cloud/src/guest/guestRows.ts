// The SQL of the guest's page: one member's gates, openings and language.

import type { Language } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { OpeningRow } from '../core/opening.ts'
import type { AccessFacts } from '../core/permit.ts'
import type { Database, Db } from '../database/database.ts'
import type { LinkOwner } from '../member/memberLinks.ts'
import type { Contact } from '../space/spaces.ts'

/** An access with its gate. */
export interface GuestGate extends AccessFacts {
  readonly accessId: string
  readonly gateId: string
  readonly gateName: string
  readonly location: string
}

/** As the database holds it. */
type GuestGateRow = Omit<GuestGate, 'schedules' | 'isActive'> & { readonly schedules: string }

/** An access as decisions need it. Most of the work is to read its schedules. */
export function toGuestGate(row: GuestGateRow): GuestGate {
  return { ...row, isActive: true, schedules: JSON.parse(row.schedules) as Schedule[] }
}

/** The gates that the member may open at some time; the last used first. */
export async function listGuestGates(db: Db, member: LinkOwner): Promise<readonly GuestGateRow[]> {
  return db('accesses as access')
    .join('gates as gate', join => join.on('gate.id', 'access.gateId').on('gate.spaceId', 'access.spaceId'))
    .where({
      'access.spaceId': member.spaceId,
      'access.memberId': member.id,
      'access.isActive': true,
      'gate.isActive': true,
    })
    .orderBy([
      { column: 'access.lastUsedAt', order: 'desc', nulls: 'last' },
      { column: 'gate.name' },
      { column: 'gate.id' },
    ])
    .select({
      accessId: 'access.id',
      gateId: 'gate.id',
      gateName: 'gate.name',
      location: 'gate.location',
      schedules: 'access.schedules',
      maxUsage: 'access.maxUsage',
      usageCount: 'access.usageCount',
    })
}

/** The schedules of an access of the member; none when it is gone. */
export async function readSchedulesOf(
  db: Db,
  member: LinkOwner,
  accessId: string,
): Promise<readonly Schedule[]> {
  const row = await db('accesses')
    .where({ id: accessId, spaceId: member.spaceId, memberId: member.id })
    .first('schedules')
  return row ? (JSON.parse(row.schedules) as Schedule[]) : []
}

/** An opening that the member pressed; undefined for openings of others. */
export function findGuestOpening(
  db: Db,
  member: LinkOwner,
  openingId: string,
): Promise<OpeningRow | undefined> {
  return db<OpeningRow>('openings')
    .where({ id: openingId, spaceId: member.spaceId, memberId: member.id })
    .first()
}

/** How the member's Space speaks to its guests. */
export interface GuestSpace extends Contact {
  /** Not always one of ours. */
  readonly language: string
}

export async function readGuestSpace(db: Db, member: LinkOwner): Promise<GuestSpace> {
  return db('spaces').where({ id: member.spaceId }).first('language', 'contactName', 'contactPhone')
}

/** Remembers the language for every device of the member. */
export async function saveLanguage(
  database: Database,
  member: LinkOwner,
  preferredLanguage: Language,
): Promise<void> {
  const { id, spaceId } = member
  await database.write(tx => tx('members').where({ id, spaceId }).update({ preferredLanguage }))
}
