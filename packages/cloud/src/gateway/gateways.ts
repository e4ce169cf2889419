// Gateways: how one is enrolled, accepted at the broker, and revoked.

import { createHash, timingSafeEqual } from 'node:crypto'
import { refuse } from '@callgate/contract/app/refusals'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Beat } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Actor, actorWithoutId, recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement } from '../database/statement.ts'
import type { Seal } from '../secrets/sealing.ts'
import { isSandbox } from '../space/spaceModes.ts'
import { limitProblem } from '../space/spaces.ts'
import { isCutOff } from './cutOff.ts'
import { oldProgramOf } from './oldPrograms.ts'

export interface Gateway {
  readonly gatewayId: string
  readonly spaceId: string
  readonly name: string
  readonly publicKey: string
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly lastBeatAt: string | null
  /** The modem in the last beat. */
  readonly modem: Beat['modem'] | null
  /** It is running, but its program is too old for its beats to be read. */
  readonly tooOld: { readonly version: string | null } | null
}

function hashOf(password: string | Uint8Array): Buffer {
  return createHash('sha256').update(password).digest()
}

/** The form of a password in the database. */
export const passwordHashOf = (password: string | Uint8Array): string => hashOf(password).toString('hex')
/** 256 random bits. */
const newPassword = (world: World): string => Buffer.from(world.randomBytes(32)).toString('base64url')

/** Seals the password of a gateway for a broker that needs it; only where there is such a broker. */
export type KeepPassword = (gatewayId: string, mqttPassword: string) => string

/** The place to which a sealed password belongs. */
export const passwordPlace = (gatewayId: string) => `mqttPassword of ${gatewayId}`

/** Seals passwords with `seal`. */
export const passwordKeeper =
  ({ seal }: Pick<Seal, 'seal'>): KeepPassword =>
  (gatewayId, mqttPassword) =>
    seal(mqttPassword, passwordPlace(gatewayId))

/** The password of a gateway; undefined when its key is missing or the row was altered. */
export const openPassword = (
  { unseal }: Pick<Seal, 'unseal'>,
  gatewayId: string,
  passwordSealed: string,
): string | undefined => unseal(passwordSealed, passwordPlace(gatewayId))

/** A gateway that was just enrolled. It is the only form with the MQTT password. */
export type AddedGateway = Gateway & { readonly mqttPassword: string }

/** `known_key`: `holder` has this key already, and may be revoked. */
export type AddGatewayAnswer =
  | { readonly ok: true; readonly gateway: AddedGateway }
  | { readonly ok: false; readonly code: 'no_space' }
  | { readonly ok: false; readonly code: 'limit'; readonly problem: Problem }
  | {
      readonly ok: false
      readonly code: 'known_key'
      readonly holder: Pick<Gateway, 'gatewayId' | 'name' | 'spaceId' | 'revokedAt'>
    }

/** The actor, the gateway and the Space of an addition. */
interface Addition extends Actor {
  readonly spaceId: string
  readonly name: string
  readonly publicKey: string
  readonly keepPassword?: KeepPassword | undefined
  /** It replaces a gateway that is shut out in the same transaction. */
  readonly isInPlace?: boolean
}

/** `addGateway`, inside the transaction `tx`. */
export async function insertGateway(
  tx: Knex.Transaction,
  world: World,
  { actor, actorId, isInPlace = false, keepPassword, name, publicKey, spaceId }: Addition,
): Promise<AddGatewayAnswer> {
  if (!(await tx('spaces').where({ id: spaceId }).first('id'))) return { ok: false, code: 'no_space' }
  if (await isSandbox(tx, spaceId)) return { ok: false, code: 'limit', problem: refuse('sandbox_gateway') }
  const holder = await tx('gateways')
    .where({ publicKey })
    .orderBy('createdAt')
    .first({ gatewayId: 'id' }, 'name', 'spaceId', 'revokedAt')
  if (holder) return { ok: false, code: 'known_key', holder }
  const room = { spaceId, nowMs: timeIn(tx, world), freed: isInPlace ? 1 : 0 }
  const problem = await limitProblem(tx, 'gatewayLimit', room)
  if (problem) return { ok: false, code: 'limit', problem }
  const gatewayId = newId(world, idPrefix.gateway)
  const mqttPassword = newPassword(world)
  const createdAt = isoTime(timeIn(tx, world))
  const passwordHash = passwordHashOf(mqttPassword)
  const passwordSealed = keepPassword?.(gatewayId, mqttPassword) ?? null
  await tx('gateways').insert({
    id: gatewayId,
    spaceId,
    name,
    publicKey,
    passwordHash,
    passwordSealed,
    createdAt,
  })
  const of = { spaceId, actor, actorId, targetId: gatewayId, targetLabel: name }
  await recordActivity(tx, world, { ...of, action: 'gateway.enrolled', details: { publicKey } })
  const unheard = { revokedAt: null, lastBeatAt: null, modem: null, tooOld: null }
  const gateway = { gatewayId, mqttPassword, spaceId, name, publicKey, createdAt, ...unheard }
  return { ok: true, gateway }
}

/**
 * Gives a new sandbox its stand-in. It has one boot for good, no key, and a password that nobody has. It is revoked from the start, so that
 * everything that asks, shows or counts gateways leaves it out.
 */
export async function insertStandIn(tx: Knex.Transaction, world: World, spaceId: string): Promise<void> {
  const now = isoTime(timeIn(tx, world))
  await tx('gateways').insert({
    id: newId(world, idPrefix.gateway),
    spaceId,
    name: 'Sandbox gateway',
    isStandIn: true,
    publicKey: '',
    passwordHash: passwordHashOf(world.randomBytes(32)),
    bootId: Buffer.from(world.randomBytes(16)).toString('base64url'),
    createdAt: now,
    revokedAt: now,
  })
}

/**
 * Enrols a gateway by its public key, which no other gateway may have: with a shared key, the holder of one could sign as the
 * other; and a key that was revoked may be stolen.
 */
export function addGateway(
  { database, world }: { readonly database: Database; readonly world: World },
  { actor, ...given }: Omit<Addition, 'actorId'>,
): Promise<AddGatewayAnswer> {
  return database.write(tx => insertGateway(tx, world, { ...given, ...actorWithoutId(actor) }))
}

/** The gateways of one Space, or of all, oldest first. */
export async function listGateways(
  { database, world }: { readonly database: Database; readonly world: World },
  spaceId?: string,
): Promise<readonly Gateway[]> {
  const rows = await database
    .knex('gateways')
    .select({ gatewayId: 'id' }, 'spaceId', 'name', 'publicKey', 'createdAt', 'revokedAt', 'lastBeatAt')
    .select('lastBeat', 'tooOldAt', 'tooOldVersion')
    .where({ isStandIn: false, ...(spaceId !== undefined && { spaceId }) })
    .orderBy(['createdAt', 'id'])
  return rows.map(({ lastBeat, tooOldAt, tooOldVersion, ...gateway }) => ({
    ...gateway,
    tooOld:
      gateway.revokedAt === null
        ? oldProgramOf({ tooOldAt, tooOldVersion }, timeIn(database.knex, world))
        : null,
    modem: lastBeat === null ? null : (JSON.parse(lastBeat) as Beat).modem,
  }))
}

/** Shuts a gateway out for good, with its activity entry; changes nothing where it is shut out already. */
export async function shutOut(
  tx: Knex.Transaction,
  world: World,
  gateway: Pick<Gateway, 'gatewayId' | 'spaceId' | 'name' | 'revokedAt'>,
  by: Actor,
): Promise<void> {
  const { gatewayId, name, revokedAt, spaceId } = gateway
  if (revokedAt !== null) return
  await tx('gateways')
    .where({ id: gatewayId })
    .update({ revokedAt: isoTime(timeIn(tx, world)) })
  const of = { spaceId, ...by, targetId: gatewayId, targetLabel: name }
  await recordActivity(tx, world, { ...of, action: 'gateway.revoked', details: {} })
}

/** Revokes a gateway for good; the broker disconnects it within 5 s. False when there is no gateway with that id. */
export async function revokeGateway(
  { database, world }: { readonly database: Database; readonly world: World },
  { actor, gatewayId }: { readonly gatewayId: string; readonly actor: string },
): Promise<boolean> {
  return database.write(async tx => {
    const row = await tx('gateways').where({ id: gatewayId }).first('spaceId', 'name', 'revokedAt')
    if (row) await shutOut(tx, world, { gatewayId, ...row }, actorWithoutId(actor))
    return row !== undefined
  })
}

export type ChangedPassword =
  | { readonly ok: true; readonly name: string; readonly mqttPassword: string }
  | { readonly ok: false; readonly code: 'no_gateway' | 'revoked' }

interface PasswordChange {
  readonly gatewayId: string
  readonly keepPassword: KeepPassword
  readonly isKept: boolean
}

/**
 * Gives a gateway of the Space a new password at the broker. The old one is no longer valid, and a connection with it is cut
 * within 5 s. The new one is sealed where `isKept`, or where the former one was: an enrolled gateway may still have to fetch it.
 */
export async function givePassword(
  tx: Knex.Transaction,
  world: World,
  { gatewayId, isKept, keepPassword, spaceId }: PasswordChange & { readonly spaceId: string },
  by: Actor,
): Promise<ChangedPassword> {
  const one = tx('gateways').where({ id: gatewayId, spaceId })
  const found = await one.clone().first('name', 'revokedAt', 'passwordSealed')
  if (!found) return { ok: false, code: 'no_gateway' }
  const { name, passwordSealed, revokedAt } = found
  if (revokedAt !== null) return { ok: false, code: 'revoked' }
  const mqttPassword = newPassword(world)
  const isSealed = isKept || passwordSealed !== null
  await one.update({
    passwordHash: passwordHashOf(mqttPassword),
    passwordSealed: isSealed ? keepPassword(gatewayId, mqttPassword) : null,
    passwordChangedAt: isoTime(timeIn(tx, world)),
  })
  const of = { spaceId, ...by, targetId: gatewayId, targetLabel: name }
  await recordActivity(tx, world, { ...of, action: 'gateway.password_changed', details: {} })
  return { ok: true, name, mqttPassword }
}

/** The same by its id alone, for the operator. */
export async function changePassword(
  { database, world }: { readonly database: Database; readonly world: World },
  { actor, ...given }: PasswordChange & { readonly actor: string },
): Promise<ChangedPassword> {
  const found = await database.knex('gateways').where({ id: given.gatewayId }).first('spaceId')
  if (!found) return { ok: false, code: 'no_gateway' }
  const { spaceId } = found
  const by = actorWithoutId(actor)
  return database.write(tx => givePassword(tx, world, { ...given, spaceId }, by), { spaceId })
}

const nobody = Buffer.alloc(32)

interface Admission {
  readonly revokedAt: string | null
  readonly cutOffUntil: string | null
}

const loginOf = statement<{ readonly id: string }, Admission & { readonly passwordHash: string }>(
  (db, { id }) => db('gateways').select('passwordHash', 'revokedAt', 'cutOffUntil').where({ id }),
)

/** By an index that contains no others: this is queried every 2 s, and a fleet has thousands of gateways. */
const notAdmitted = statement<Record<never, never>, Admission & { readonly id: string }>(db =>
  db('gateways')
    .select('id', 'revokedAt', 'cutOffUntil')
    .whereRaw('"revokedAt" is not null or "cutOffUntil" is not null'),
)

/**
 * The broker's decision on a login. `revoked`: the password is right, and the gateway is shut out for good. It takes the same
 * time for a wrong password and an unknown gateway.
 */
export async function checkLogin(
  database: Database,
  gatewayId: string,
  password: Uint8Array,
  nowMs: number,
): Promise<'admitted' | 'revoked' | 'refused'> {
  const [row] = await loginOf(database.knex, { id: gatewayId })
  const isRight = timingSafeEqual(hashOf(password), row ? Buffer.from(row.passwordHash, 'hex') : nobody)
  if (!isRight || !row || isCutOff(row, nowMs)) return 'refused'
  return row.revokedAt === null ? 'admitted' : 'revoked'
}

const changedHashes = statement<Record<never, never>, { readonly id: string; readonly passwordHash: string }>(
  db => db('gateways').select('id', 'passwordHash').whereNotNull('passwordChangedAt'),
)

/** The hashes of the gateways that were ever given a new password: a connection with another one must end. */
export const changedPasswords = ({ knex }: Pick<Database, 'knex'>) => changedHashes(knex, {})

/** The gateways that may not stay connected. */
export async function shutOutGateways(
  { knex }: Pick<Database, 'knex'>,
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await notAdmitted(knex, {})
  return new Set(rows.filter(row => row.revokedAt !== null || isCutOff(row, nowMs)).map(({ id }) => id))
}
