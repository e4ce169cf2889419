// Enrolments in the database: codes are created, gateways take them, and admins confirm or refuse those.

import { createHash, timingSafeEqual } from 'node:crypto'
import type { EnrolmentView } from '@callgate/contract/app/enrolment'
import { type Agreement, fingerprintOf } from '@callgate/contract/enrolment/agreement'
import { codeNameLength, newEnrolmentCode } from '@callgate/contract/enrolment/enrolmentCode'
import type { EnrolmentOperations } from '@callgate/contract/enrolment/enrolmentOperations'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Body } from '@callgate/contract/rest/operation'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Actor, actorWithoutId, recordActivity } from '../activity/activity.ts'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { servedNow } from '../database/servedTime.ts'
import { forgetUnusedPasswords } from '../gateway/gatewayRows.ts'
import {
  codeValidMs,
  confirmWithinMs,
  type EnrolmentFacts,
  enrolmentState,
  loginWithinMs,
} from './core/enrolmentDecision.ts'

export type Device = Body<EnrolmentOperations['takeCode']>['device']

export interface EnrolmentRow extends EnrolmentFacts {
  readonly id: string
  readonly spaceId: string
  readonly name: string
  /** SQLite has no booleans: 0 or 1. */
  readonly isForCard: boolean | 0 | 1
  readonly replaces: string | null
  readonly codeName: string
  /** SHA-256. */
  readonly codeHash: string
  readonly createdAt: string
  readonly takenAt: string | null
  /** JSON. */
  readonly device: string | null
  readonly cloudNonce: string | null
  /** JSON: the key that the forms of the code name; once the code is taken, the keys that were offered to its gateway. */
  readonly cloudKeys: string | null
  readonly gatewayNonce: string | null
  readonly gatewayId: string | null
}

/** The limit on open enrolments of a Space. */
export const mostGoingOn = 20
/** How long an ended enrolment is kept, so that its end can be read. */
const keptForMs = 30 * 24 * 60 * 60_000

const hashOf = (code: string) => createHash('sha256').update(code).digest()

/** Whether `code` is the one of the row. The time does not depend on the difference. */
export function isRightCode(row: Pick<EnrolmentRow, 'codeHash'>, code: string): boolean {
  return timingSafeEqual(hashOf(code), Buffer.from(row.codeHash, 'hex'))
}

/**
 * Finds an enrolment by the first characters of its code. They are no secret: it does not help an attacker to know that they
 * exist.
 */
export function findByCode(db: Db, code: string): Promise<EnrolmentRow | undefined> {
  return db<EnrolmentRow>('enrolments')
    .where({ codeName: code.slice(0, codeNameLength) })
    .first()
}

export function findEnrolment(
  db: Db,
  where: { readonly id: string; readonly spaceId?: string },
): Promise<EnrolmentRow | undefined> {
  return db<EnrolmentRow>('enrolments').where(where).first()
}

/** The open enrolments of a Space, oldest first. */
export async function listGoingOn(db: Db, spaceId: string, nowMs: number): Promise<readonly EnrolmentRow[]> {
  const rows = await db<EnrolmentRow>('enrolments')
    .where({ spaceId })
    .whereNull('endedAt')
    .where('expiresAt', '>', isoTime(nowMs))
    .orderBy(['createdAt', 'id'])
  return rows
}

export function toEnrolmentView(row: EnrolmentRow, nowMs: number): EnrolmentView {
  const { createdAt, expiresAt, fingerprint, gatewayId, id, name, publicKey, replaces, takenAt, wrongTries } =
    row
  const device = row.device === null ? undefined : (JSON.parse(row.device) as Device)
  const { imei = null, model = null, serial = null, version } = device ?? {}
  const gateway =
    publicKey === null || takenAt === null || version === undefined
      ? null
      : { fingerprint, publicKey, takenAt, version, model, serial, imei }
  const state = enrolmentState(row, nowMs)
  const isForCard = Boolean(row.isForCard)
  return { id, name, state, isForCard, replaces, createdAt, expiresAt, wrongTries, gateway, gatewayId }
}

/** An entry of the activity about an enrolment. */
function entryOf({ id, name, spaceId }: Pick<EnrolmentRow, 'id' | 'name' | 'spaceId'>, by: Actor) {
  return { ...by, spaceId, targetId: id, targetLabel: name }
}

/** Creates a code, and deletes the enrolments of the Space that ended long ago. */
export async function insertEnrolment(
  tx: Knex.Transaction,
  world: World,
  given: Pick<EnrolmentRow, 'spaceId' | 'name' | 'replaces'> & {
    readonly isForCard: boolean
    /** The public key that the link and the card name. */
    readonly cloudKey: string
  },
  by: Actor,
): Promise<{ readonly row: EnrolmentRow; readonly code: string }> {
  const nowMs = timeIn(tx, world)
  const { cloudKey, isForCard, name, replaces, spaceId } = given
  await tx('enrolments')
    .where({ spaceId })
    .where('expiresAt', '<', isoTime(nowMs - keptForMs))
    .delete()
  let code = newEnrolmentCode(world.randomBytes(10))
  // There are 2^30 names, so a name is hardly ever taken.
  while (await findByCode(tx, code)) code = newEnrolmentCode(world.randomBytes(10))
  const row: EnrolmentRow = {
    spaceId,
    name,
    replaces,
    isForCard,
    id: newId(world, idPrefix.enrolment),
    codeName: code.slice(0, codeNameLength),
    codeHash: hashOf(code).toString('hex'),
    wrongTries: 0,
    createdAt: isoTime(nowMs),
    expiresAt: isoTime(nowMs + codeValidMs[isForCard ? 'card' : 'typed']),
    takenAt: null,
    publicKey: null,
    commitment: null,
    device: null,
    cloudNonce: null,
    cloudKeys: JSON.stringify([cloudKey]),
    gatewayNonce: null,
    fingerprint: null,
    endedAt: null,
    endedAs: null,
    gatewayId: null,
    storedAt: null,
  }
  await tx('enrolments').insert({ ...row, servedMs: servedNow(tx) })
  const details = { expiresAt: row.expiresAt, replaces: row.replaces }
  await recordActivity(tx, world, { ...entryOf(row, by), action: 'gateway.code_created', details })
  return { row, code }
}

/** Changes the columns of a row. */
async function changed<Columns extends Partial<EnrolmentRow>>(
  tx: Knex.Transaction,
  row: EnrolmentRow,
  columns: Columns,
): Promise<EnrolmentRow & Columns> {
  const { id, spaceId } = row
  await tx('enrolments').where({ id, spaceId }).update(columns)
  return { ...row, ...columns }
}

export function countWrongTry(tx: Knex.Transaction, row: EnrolmentRow): Promise<EnrolmentRow> {
  return changed(tx, row, { wrongTries: row.wrongTries + 1 })
}

/**
 * The keys of the cloud that are offered to whoever takes the code: the one of its link and card, which is the only one that they
 * trust; all keys, where the cloud does not have that one any more.
 */
export function offeredKeys({ cloudKeys }: EnrolmentRow, held: readonly string[]): readonly string[] {
  const named: readonly string[] = cloudKeys === null ? [] : JSON.parse(cloudKeys)
  const offered = held.filter(key => named.includes(key))
  return offered.length > 0 ? offered : held
}

/** The enrolments of all Spaces that are open, or whose login is not fetched, and that trust only other keys than this one. */
export async function enrolmentsOfOtherKeys(
  db: Db,
  publicKey: string,
  nowMs: number,
): Promise<readonly Pick<EnrolmentRow, 'id' | 'name' | 'spaceId' | 'cloudKeys'>[]> {
  const rows = await db<EnrolmentRow>('enrolments')
    .where(going => going.whereNull('endedAt').where('expiresAt', '>', isoTime(nowMs)))
    .orWhere(unfetched =>
      unfetched
        .where({ endedAs: 'confirmed', storedAt: null })
        .where('endedAt', '>', isoTime(nowMs - loginWithinMs)),
    )
    .orderBy('id')
    .select('id', 'name', 'spaceId', 'cloudKeys')
  return rows.filter(({ cloudKeys }) => cloudKeys !== null && !JSON.parse(cloudKeys).includes(publicKey))
}

/** Gives the code to a gateway, which has until `expiresAt` to be confirmed. */
export async function takeCode(
  tx: Knex.Transaction,
  world: World,
  row: EnrolmentRow,
  given: {
    readonly publicKey: string
    readonly commitment: string
    readonly device: Device
    readonly cloudKeys: readonly string[]
  },
): Promise<EnrolmentRow> {
  const { cloudKeys, commitment, device, publicKey } = given
  const nowMs = timeIn(tx, world)
  return changed(tx, row, {
    takenAt: isoTime(nowMs),
    expiresAt: isoTime(nowMs + confirmWithinMs[row.isForCard ? 'card' : 'typed']),
    publicKey,
    commitment,
    device: JSON.stringify(device),
    cloudNonce: Buffer.from(world.randomBytes(16)).toString('base64url'),
    cloudKeys: JSON.stringify(cloudKeys),
  })
}

/** The facts that both sides know once the code was taken; undefined before. */
export function agreementOf(row: EnrolmentRow): Omit<Agreement, 'gatewayNonce'> | undefined {
  const { cloudKeys, cloudNonce, id: enrolmentId, publicKey } = row
  if (publicKey === null || cloudNonce === null || cloudKeys === null) return undefined
  return { enrolmentId, publicKey, cloudNonce, cloudKeys: JSON.parse(cloudKeys) as string[] }
}

/**
 * Notes the nonce that the gateway has revealed. From now on there is a fingerprint to compare. A second call changes nothing.
 */
export async function noteNonce(tx: Knex.Transaction, world: World, agreement: Agreement): Promise<void> {
  const { enrolmentId, gatewayNonce, publicKey } = agreement
  const row = await findEnrolment(tx, { id: enrolmentId })
  if (!row || row.gatewayNonce !== null) return
  await changed(tx, row, { gatewayNonce, fingerprint: fingerprintOf(agreement) })
  const entry = entryOf(row, actorWithoutId('system'))
  await recordActivity(tx, world, { ...entry, action: 'gateway.pending', details: { publicKey } })
}

export async function endAsConfirmed(
  tx: Knex.Transaction,
  world: World,
  row: EnrolmentRow,
  gatewayId: string,
): Promise<EnrolmentRow> {
  return changed(tx, row, { endedAt: isoTime(timeIn(tx, world)), endedAs: 'confirmed', gatewayId })
}

export async function endAsRefused(
  tx: Knex.Transaction,
  world: World,
  row: EnrolmentRow,
  by: Actor,
): Promise<void> {
  await changed(tx, row, { endedAt: isoTime(timeIn(tx, world)), endedAs: 'refused' })
  await recordActivity(tx, world, { ...entryOf(row, by), action: 'gateway.refused', details: {} })
}

export async function noteStored(tx: Knex.Transaction, world: World, row: EnrolmentRow): Promise<void> {
  await changed(tx, row, { storedAt: isoTime(timeIn(tx, world)) })
}

/**
 * Deletes the sealed passwords of a Space's gateways that were confirmed, did not ask for their login in time, and were never
 * heard: nobody can have those passwords.
 */
export async function forgetUnfetched(tx: Db, spaceId: string, nowMs: number): Promise<void> {
  const unfetched = tx('enrolments')
    .where({ spaceId, endedAs: 'confirmed', storedAt: null })
    .where('endedAt', '<=', isoTime(nowMs - loginWithinMs))
    .select('gatewayId')
  await forgetUnusedPasswords(tx, spaceId, unfetched)
}
