// API keys: how one is made, shown, found and revoked.

import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Problem } from '@callgate/contract/rest/problem'
import { limitableScopes, type Scope } from '@callgate/contract/rest/scope'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Actor, actorWithoutId, recordActivity } from '../activity/activity.ts'
import { type KeyRights, readRights, rightsColumns } from '../core/keyRights.ts'
import { type PlanName, planInForce } from '../core/plan.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { keptRows } from '../database/keptRows.ts'
import { statement } from '../database/statement.ts'
import type { KeyPrincipal } from '../http/handler.ts'

/** What a key begins with, by the mode of its Space. Both have the same length. */
const prefixes = { live: 'svc_live_', sandbox: 'svc_test_' } as const
type Mode = keyof typeof prefixes
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const lastUsedEveryMs = 60_000

/** How a key is shown later: the prefix and four characters. */
const shownLength = prefixes.live.length + 4

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let place = 0; place < 6; place++) {
    digits = base62.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** 30 characters of base 62, uniformly distributed: 178.6 bits. */
function secret(world: World): string {
  let text = ''
  while (text.length < 30)
    // 248 is the largest multiple of 62 in a byte. Larger bytes would favour the first characters.
    for (const byte of world.randomBytes(64))
      if (byte < 248 && text.length < 30) text += base62.charAt(byte % 62)
  return text
}

/** A new key: `svc_live_` or `svc_test_`, 30 random base62 characters, and 6 characters with the base62 CRC-32 of all before. */
export function newApiKey(world: World, mode: Mode = 'live'): string {
  const body = prefixes[mode] + secret(world)
  return body + checksum(body)
}

/** Whether `text` has the form and the checksum of a key, so that typos fail before the database is read. */
export function isApiKey(text: string): boolean {
  return /^svc_(?:live|test)_[0-9A-Za-z]{36}$/.test(text) && text.slice(-6) === checksum(text.slice(0, -6))
}

function hashOf(key: string): string {
  return hash('sha256', key)
}

export interface ApiKey extends KeyRights {
  readonly apiKeyId: string
  readonly spaceId: string
  readonly name: string
  readonly shownPrefix: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
  /** The user who made it; null: the operator, or unknown. */
  readonly madeById: string | null
}

/** The principal that makes a key, and the key's fields. */
interface Creation extends Actor {
  readonly spaceId: string
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Null or absent: all gates. */
  readonly gateIds?: readonly string[] | null
  readonly expiresAt: string | null
}

/** Why a key cannot be limited to these gates; undefined where it can, or is not. */
export async function keyLimitProblem(
  db: Db,
  { gateIds, scopes, spaceId }: Pick<Creation, 'gateIds' | 'scopes' | 'spaceId'>,
): Promise<Problem | undefined> {
  if (!gateIds) return undefined
  const beyond = scopes.filter(scope => !limitableScopes.includes(scope))
  if (beyond.length > 0) {
    const message = `A key that is limited to gates cannot have ${beyond.join(', ')}, only ${limitableScopes.join(', ')}.`
    return { problem: 'validation_error', message }
  }
  const known: string[] = await db('gates').where({ spaceId }).whereIn('id', gateIds).pluck('id')
  const unknown = gateIds.find(id => !known.includes(id))
  if (unknown === undefined) return undefined
  return { problem: 'not_found', message: `gateIds: there is no gate ${unknown}.` }
}

/** `createApiKey`, inside the transaction `tx`. */
export async function insertApiKey(
  tx: Knex.Transaction,
  world: World,
  { actor, actorId, expiresAt, name, spaceId, ...given }: Creation,
): Promise<(ApiKey & { readonly key: string }) | undefined> {
  const space: { mode: Mode } | undefined = await tx('spaces').where({ id: spaceId }).first('mode')
  if (!space) return undefined
  const rights: KeyRights = {
    scopes: [...new Set(given.scopes)],
    gateIds: given.gateIds ? [...new Set(given.gateIds)] : null,
  }
  const { gateIds, scopes } = rights
  const key = newApiKey(world, space.mode)
  const apiKeyId = newId(world, idPrefix.apiKey)
  const createdAt = isoTime(timeIn(tx, world))
  const shown = {
    spaceId,
    name,
    shownPrefix: key.slice(0, shownLength),
    createdAt,
    expiresAt,
    madeById: actorId,
  }
  await tx('apiKeys').insert({ id: apiKeyId, ...shown, keyHash: hashOf(key), ...rightsColumns(rights) })
  const details = { scopes: [...scopes], expiresAt, gateIds: gateIds && [...gateIds] }
  const of = { spaceId, actor, actorId, targetId: apiKeyId, targetLabel: name }
  await recordActivity(tx, world, { ...of, action: 'api_key.created', details })
  return { apiKeyId, key, ...shown, ...rights, revokedAt: null, lastUsedAt: null }
}

/** Makes a key. Its secret is only in the answer. Undefined when there is no such Space. */
export function createApiKey(
  { database, world }: { readonly database: Database; readonly world: World },
  { actor, ...given }: Omit<Creation, 'actorId'>,
): Promise<(ApiKey & { readonly key: string }) | undefined> {
  const { spaceId } = given
  return database.write(tx => insertApiKey(tx, world, { ...given, ...actorWithoutId(actor) }), { spaceId })
}

/** The keys of one Space, or of all, oldest first; without their secrets, which are not stored. */
export async function listApiKeys(database: Database, spaceId?: string): Promise<readonly ApiKey[]> {
  const rows = await database
    .knex('apiKeys')
    .where(spaceId === undefined ? {} : { spaceId })
    .orderBy(['createdAt', 'id'])
  return rows.map(({ id, keyHash: _, limited, scopes, ...row }) => ({
    apiKeyId: id,
    ...row,
    ...readRights({ scopes, limited }),
  }))
}

/** `revokeApiKey` for the key at `place`, inside the transaction `tx`. */
export async function endApiKey(
  tx: Knex.Transaction,
  world: World,
  place: { readonly id: string; readonly spaceId?: string },
  by: Actor,
): Promise<boolean> {
  const row = await tx('apiKeys').where(place).first('spaceId', 'name', 'revokedAt')
  if (!row) return false
  if (row.revokedAt !== null) return true
  await tx('apiKeys')
    .where({ id: place.id })
    .update({ revokedAt: isoTime(timeIn(tx, world)) })
  const { name: targetLabel, spaceId } = row
  const of = { spaceId, ...by, targetId: place.id, targetLabel }
  await recordActivity(tx, world, { ...of, action: 'api_key.revoked', details: {} })
  return true
}

/** Ends the active keys that a user made in a Space. */
export async function endKeysOf(
  tx: Knex.Transaction,
  world: World,
  { by, spaceId, userId }: { readonly spaceId: string; readonly userId: string; readonly by: Actor },
): Promise<void> {
  const ids: string[] = await tx('apiKeys')
    .where({ spaceId, madeById: userId, revokedAt: null })
    .orderBy('id')
    .pluck('id')
  for (const id of ids) await endApiKey(tx, world, { id, spaceId }, by)
}

/** Ends a key permanently; it is refused from the next request on. False when there is no key with that id. */
export function revokeApiKey(
  { database, world }: { readonly database: Database; readonly world: World },
  { actor, apiKeyId }: { readonly apiKeyId: string; readonly actor: string },
): Promise<boolean> {
  return database.write(tx => endApiKey(tx, world, { id: apiKeyId }, actorWithoutId(actor)))
}

interface PrincipalRow {
  readonly mode: Mode
  readonly apiKeyId: string
  readonly spaceId: string
  readonly keyName: string
  readonly scopes: string
  readonly limited: string | null
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
  readonly country: string
  readonly plan: PlanName
  readonly trialEndsAt: string | null
  readonly hasApi: boolean | number
  readonly freeHasApi: boolean | number
}

const principalByHash = statement<{ readonly keyHash: string }, PrincipalRow>((db, { keyHash }) =>
  db('apiKeys as key')
    .join('spaces as space', 'space.id', 'key.spaceId')
    .join('plans as chosen', 'chosen.name', 'space.plan')
    .join('plans as free', 'free.name', db.raw('?', ['free']))
    .where('key.keyHash', keyHash)
    .select({
      mode: 'space.mode',
      apiKeyId: 'key.id',
      spaceId: 'key.spaceId',
      keyName: 'key.name',
      scopes: 'key.scopes',
      limited: 'key.limited',
      expiresAt: 'key.expiresAt',
      revokedAt: 'key.revokedAt',
      lastUsedAt: 'key.lastUsedAt',
      country: 'space.country',
      plan: 'space.plan',
      trialEndsAt: 'space.trialEndsAt',
      hasApi: 'chosen.hasApi',
      freeHasApi: 'free.hasApi',
    }),
)

type KnownPrincipal = Omit<PrincipalRow, 'scopes' | 'limited'> & KeyRights

/** The rows with the rights of the keys as values. */
async function readPrincipal(
  db: Db,
  wanted: { readonly keyHash: string },
): Promise<readonly KnownPrincipal[]> {
  const rows = await principalByHash(db, wanted)
  return rows.map(({ limited, scopes, ...row }) => ({ ...row, ...readRights({ limited, scopes }) }))
}

/**
 * Finds the principal of a key, by one query or by cached rows; undefined when the key is unknown, revoked or expired. With `db`
 * it reads inside that transaction.
 */
export function callerFinder({
  database,
  world,
}: {
  readonly database: Pick<Database, 'knex' | 'version'>
  readonly world: World
}): (key: string, db?: Db) => Promise<KeyPrincipal | undefined> {
  const keptPrincipal = keptRows(database, readPrincipal)
  return async (key, db) => {
    if (!isApiKey(key)) return undefined
    const wanted = { keyHash: hashOf(key) }
    const version = db ? undefined : database.version?.()
    const [row] = await (db ? readPrincipal(db, wanted) : keptPrincipal(wanted, version))
    // A key of another mode than its Space is none, however it came into the table.
    if (!row || !key.startsWith(prefixes[row.mode])) return undefined
    return callerOf(row, timeIn(db ?? database.knex, world), version)
  }
}

/** The principal of a key's row; undefined when the key is revoked or expired at that time. */
function callerOf(row: KnownPrincipal, nowMs: number, version: number | undefined): KeyPrincipal | undefined {
  if (row.revokedAt !== null) return undefined
  if (row.expiresAt !== null && Date.parse(row.expiresAt) <= nowMs) return undefined
  const { apiKeyId, country, keyName, lastUsedAt, spaceId } = row
  const plan = planInForce(row, nowMs)
  return {
    spaceId,
    identity: { kind: 'key', apiKeyId },
    actor: `api:${keyName}`,
    name: `api:${keyName}`,
    email: null,
    base: '/api/v1',
    scopes: row.scopes,
    gateIds: row.gateIds,
    version,
    country,
    plan,
    trialEndedAt: plan === row.plan ? null : row.trialEndsAt,
    hasApi: Boolean(plan === row.plan ? row.hasApi : row.freeHasApi),
    isUseDue: lastUsedAt === null || nowMs - Date.parse(lastUsedAt) >= lastUsedEveryMs,
  }
}
