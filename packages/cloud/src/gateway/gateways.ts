// Gateways: how one is enrolled, let in at the broker, and revoked.

import { createHash, timingSafeEqual } from 'node:crypto'
import { idPrefix } from '@callgate/contract/ids'
import type { Beat } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import { recordActivity } from '../activity/activity.ts'
import type { Database } from '../database/database.ts'
import { cutOffForMs } from '../opening/gatewayLimits.ts'

export interface Gateway {
  readonly gatewayId: string
  readonly spaceId: string
  readonly name: string
  readonly publicKey: string
  readonly createdAt: string
  readonly revokedAt: string | null
  readonly lastBeatAt: string | null
  /** What the last beat said of the modem. */
  readonly modem: Beat['modem'] | null
}

function hashOf(password: string | Uint8Array): Buffer {
  return createHash('sha256').update(password).digest()
}

/** Enrols a gateway by its public key. Only the answer holds the MQTT password. Undefined: no such Space. */
export async function addGateway(
  parts: { readonly database: Database; readonly world: World },
  given: {
    readonly spaceId: string
    readonly name: string
    readonly publicKey: string
    readonly actor: string
  },
): Promise<(Gateway & { readonly mqttPassword: string }) | undefined> {
  const { database, world } = parts
  const { actor, name, publicKey, spaceId } = given
  const gatewayId = newId(world, idPrefix.gateway)
  const mqttPassword = Buffer.from(world.randomBytes(32)).toString('base64url')
  const createdAt = isoTime(world.nowMs())
  return database.write(async tx => {
    if (!(await tx('spaces').where({ id: spaceId }).first('id'))) return undefined
    const passwordHash = hashOf(mqttPassword).toString('hex')
    await tx('gateways').insert({ id: gatewayId, spaceId, name, publicKey, passwordHash, createdAt })
    const targetLabel = name
    const details = { publicKey }
    await recordActivity(tx, world, { spaceId, action: 'gateway.enrolled', actor, targetLabel, details })
    const unheard = { revokedAt: null, lastBeatAt: null, modem: null }
    return { gatewayId, mqttPassword, spaceId, name, publicKey, createdAt, ...unheard }
  })
}

/** The gateways of one Space, or of all, oldest first. */
export async function listGateways(database: Database, spaceId?: string): Promise<readonly Gateway[]> {
  const rows = await database
    .knex('gateways')
    .select({ gatewayId: 'id' }, 'spaceId', 'name', 'publicKey', 'createdAt', 'revokedAt', 'lastBeatAt')
    .select('lastBeat')
    .where(spaceId === undefined ? {} : { spaceId })
    .orderBy(['createdAt', 'id'])
  return rows.map(({ lastBeat, ...gateway }) => ({
    ...gateway,
    modem: lastBeat === null ? null : (JSON.parse(lastBeat) as Beat).modem,
  }))
}

/** Revokes a gateway for good; the broker disconnects it within 5 s. False when there is no gateway with that id. */
export async function revokeGateway(
  parts: { readonly database: Database; readonly world: World },
  given: { readonly gatewayId: string; readonly actor: string },
): Promise<boolean> {
  const { database, world } = parts
  const { actor, gatewayId } = given
  return database.write(async tx => {
    const row = await tx('gateways').where({ id: gatewayId }).first('spaceId', 'name', 'revokedAt')
    if (!row) return false
    if (row.revokedAt !== null) return true
    const { name, spaceId } = row
    await tx('gateways')
      .where({ id: gatewayId })
      .update({ revokedAt: isoTime(world.nowMs()) })
    const targetLabel = name
    await recordActivity(tx, world, { spaceId, action: 'gateway.revoked', actor, targetLabel, details: {} })
    return true
  })
}

const nobody = Buffer.alloc(32)

interface Admission {
  readonly revokedAt: string | null
  readonly cutOffUntil: string | null
}

/** A cut lasts an hour. One that seems to last longer was written before a clock was set. */
function isCutOff({ cutOffUntil }: Pick<Admission, 'cutOffUntil'>, nowMs: number): boolean {
  const leftMs = cutOffUntil === null ? 0 : Date.parse(cutOffUntil) - nowMs
  return leftMs > 0 && leftMs <= cutOffForMs
}

/**
 * What the broker does with a login. `revoked`: the password is right, and the gateway is shut out for good. It takes as
 * long for a wrong password as for an unknown gateway.
 */
export async function judgeLogin(
  database: Database,
  gatewayId: string,
  password: Uint8Array,
  nowMs: number,
): Promise<'admitted' | 'revoked' | 'refused'> {
  const wanted = ['passwordHash', 'revokedAt', 'cutOffUntil'] as const
  const row = await database
    .knex('gateways')
    .where({ id: gatewayId })
    .first(...wanted)
  const isRight = timingSafeEqual(hashOf(password), row ? Buffer.from(row.passwordHash, 'hex') : nobody)
  if (!isRight || !row || isCutOff(row, nowMs)) return 'refused'
  return row.revokedAt === null ? 'admitted' : 'revoked'
}

/** Which of these gateways may stay connected. */
export async function admittedGateways(
  database: Database,
  gatewayIds: readonly string[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await database
    .knex('gateways')
    .select('id', 'revokedAt', 'cutOffUntil')
    .whereIn('id', gatewayIds)
  return new Set(
    rows.filter(row => row.revokedAt === null && !isCutOff(row, nowMs)).map(row => String(row.id)),
  )
}
