// The SQL of the guest's page: one member's gates, openings and language.

import type { Language } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { AccessFacts } from '../core/accessDecision.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { SpaceClock } from '../core/spaceTime.ts'
import type { Database, Db } from '../database/database.ts'
import type { LinkOwner } from '../member/memberLinks.ts'
import { keepLanguage } from '../member/memberRows.ts'
import type { Contact } from '../space/spaces.ts'

/** An access with its gate. */
export interface GuestGate extends AccessFacts {
  readonly accessId: string
  readonly gateId: string
  readonly gateName: string
  readonly location: string
  /** The hash of its photo. */
  readonly photo: string | null
}

/** The form of an access in the database. */
type GuestGateRow = Omit<GuestGate, 'schedules' | 'isActive' | 'isGateActive'> & {
  readonly schedules: string
}

/** Converts a row to an access. Most of the work is parsing its schedules. */
export function toGuestGate(row: GuestGateRow): GuestGate {
  return { ...row, isActive: true, isGateActive: true, schedules: JSON.parse(row.schedules) as Schedule[] }
}

/** The gates that the member may open at some time; the last used first. */
export async function listGuestGates(
  db: Db,
  member: LinkOwner,
  gateId?: string,
): Promise<readonly GuestGateRow[]> {
  return (
    db('accesses as access')
      .join('gates as gate', join => join.on('gate.id', 'access.gateId').on('gate.spaceId', 'access.spaceId'))
      .leftJoin('gatePhotos as photo', 'photo.gateId', 'gate.id')
      .where({
        'access.spaceId': member.spaceId,
        'access.memberId': member.id,
        'access.isActive': true,
        'gate.isActive': true,
        ...(gateId !== undefined && { 'gate.id': gateId }),
      })
      // Knex would put the unused ones first: it sorts `is null` by the direction of the column.
      .orderByRaw('"access"."lastUsedAt" is null, "access"."lastUsedAt" desc')
      .orderBy(['gate.name', 'gate.id'])
      .select({
        accessId: 'access.id',
        gateId: 'gate.id',
        gateName: 'gate.name',
        location: 'gate.location',
        photo: 'photo.hash',
        schedules: 'access.schedules',
        maxUsage: 'access.maxUsage',
        usageCount: 'access.usageCount',
      })
  )
}

/** The member's access to one gate, if it opens the gate at some time. */
export async function findGuestGate(
  db: Db,
  member: LinkOwner,
  gateId: string,
): Promise<GuestGate | undefined> {
  const rows = await listGuestGates(db, member, gateId)
  return rows[0] && toGuestGate(rows[0])
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

/** The Space's settings for its guests: language, time zone, contact and clock. */
export interface GuestSpace extends Contact, SpaceClock {
  readonly name: string
  /** IANA name. */
  readonly timezone: string
  /** The language may be unknown to this version. */
  readonly language: string
  /** Since when an admin has locked all gates; null: they are not locked. */
  readonly lockDownAt: string | null
}

export async function readGuestSpace(db: Db, member: LinkOwner): Promise<GuestSpace> {
  return db('spaces')
    .where({ id: member.spaceId })
    .first(
      'name',
      'timezone',
      'language',
      'contactName',
      'contactPhone',
      'clockAt',
      'clockSetAt',
      'lockDownAt',
    )
}

/** Stores the language for every device of the member. */
export async function saveLanguage(
  database: Database,
  member: LinkOwner,
  preferredLanguage: Language,
): Promise<void> {
  const { id, spaceId } = member
  const write = (tx: Db) => keepLanguage(tx, { id, spaceId }, preferredLanguage)
  await database.write(write, { spaceId })
}

/** The gate on an opening's page: its name at the press, and its place. */
export interface OpeningGate {
  readonly gateName: string
  readonly location: string
}

export async function readOpeningGate(
  db: Db,
  { gateId, gateName, spaceId }: OpeningRow,
): Promise<OpeningGate> {
  const { location } = await db('gates').where({ id: gateId, spaceId }).first('location')
  return { gateName, location }
}

/**
 * When the call of an opening was granted and the gate rang (ISO 8601, UTC). A joined opening has the times of the call that it
 * joined.
 */
export interface CallTimes {
  readonly grantedAt: string | null
  readonly ringingAt: string | null
  readonly isConnected: boolean
}

export async function readCallTimes(db: Db, row: OpeningRow): Promise<CallTimes> {
  const { id, joinedOpeningId, spaceId } = row
  const openingId = joinedOpeningId ?? id
  const { grantedAt, status } =
    joinedOpeningId === null
      ? row
      : await db('openings').where({ id: openingId, spaceId }).first('grantedAt', 'status')
  const ringing = await db('openingReports')
    .where({ openingId, phase: 'ringing' })
    .orderBy('receivedAt')
    .first('receivedAt')
  return { grantedAt, ringingAt: ringing?.receivedAt ?? null, isConnected: status === 'connected' }
}
