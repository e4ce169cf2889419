// The rotation of the sealing keys: a new key that seals only when all clouds know it, and the end of the old ones.

import { readFile } from 'node:fs/promises'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { cloudsWithOtherKeys } from '../limit/clouds.ts'
import { type KeyPlaces, sealingPlace } from '../secrets/keyring.ts'
import { sealingVersion } from '../secrets/sealing.ts'
import {
  readSealingKeys,
  type SealingKeys,
  sealingFingerprint,
  textOfSealingKeys,
} from '../secrets/sealingKeys.ts'
import { cannotReplace, codeOf, type Refused, refuse, replaceFile } from './replaceFile.ts'
import { countLeft, type Left, totalLeft } from './resealing.ts'

/**
 * The shortest time between the creation of a key and its first use for sealing, milliseconds: running clouds check every 30 s.
 */
export const leastDelayMs = 2 * 60_000
/** Browsers also hold sealed texts: forms and tickets of five minutes; a clock may be behind by as much. */
export const forgetAfterMs = 10 * 60_000

export interface RotationParts {
  readonly database: Database
  readonly world: World
  readonly places: KeyPlaces
  /** Whether clouds live by the time of the world, for tests that control it. */
  readonly isByWorld?: boolean
}

/** The keys in the file, or the reason why there are none. */
export async function sealingKeysIn(
  places: KeyPlaces,
): Promise<{ readonly ok: true; readonly keys: SealingKeys } | Refused> {
  const file = sealingPlace(places)
  try {
    const keys = readSealingKeys(await readFile(file, 'utf8'))
    return keys
      ? { ok: true, keys }
      : refuse(`The sealing keys ${file} are damaged. Restore them from a backup.`)
  } catch (error) {
    if (codeOf(error) === undefined) throw error
    return refuse(
      codeOf(error) === 'ENOENT'
        ? `There are no sealing keys ${file} yet; "callgate serve" makes them.`
        : `The sealing keys ${file} cannot be read (${codeOf(error)}).`,
    )
  }
}

/** Replaces the file as a whole, so that each reader finds the old keys or the new ones. */
async function replaceKeys(
  { places, world }: RotationParts,
  keys: SealingKeys,
): Promise<Refused | undefined> {
  const named = sealingPlace(places)
  const code = await replaceFile(world, named, textOfSealingKeys(keys))
  return code === undefined ? undefined : cannotReplace('sealing keys', named, 'SEALING_KEYS_FILE', code)
}

const timesOf = (keys: SealingKeys) => [...keys].map(([version, { fromMs }]) => [version, fromMs] as const)
const newestOf = (keys: SealingKeys) => Math.max(...keys.keys())

/** The state of a rotation. */
export interface RotationState {
  readonly versions: readonly {
    readonly version: number
    /** When the key begins to seal; null: always. */
    readonly sealsFrom: string | null
    readonly isSealing: boolean
  }[]
  /** Texts that are not sealed with the newest key. */
  readonly left: Left
  /** How many clouds on the same database lack the keys of this file, where several serve it. */
  readonly cloudsWithOtherKeys: number
}

async function stateOf(
  { isByWorld = false, world }: Pick<RotationParts, 'isByWorld' | 'world'>,
  db: Db,
  keys: SealingKeys,
): Promise<RotationState> {
  const sealing = sealingVersion(timesOf(keys), world.nowMs())
  return {
    versions: [...keys].map(([version, { fromMs }]) => ({
      version,
      sealsFrom: fromMs > 0 ? isoTime(fromMs) : null,
      isSealing: version === sealing,
    })),
    left: await countLeft(db, newestOf(keys)),
    cloudsWithOtherKeys: await cloudsWithOtherKeys(
      { db, isByWorld, world },
      'sealing',
      sealingFingerprint(keys),
    ),
  }
}

export async function rotationState(
  parts: RotationParts,
): Promise<({ readonly ok: true } & RotationState) | Refused> {
  const read = await sealingKeysIn(parts.places)
  return read.ok ? { ok: true, ...(await stateOf(parts, parts.database.knex, read.keys)) } : read
}

/**
 * Adds a key that seals after `delayMs`, at least two minutes. By then every process knows it, also one that starts meanwhile.
 * Rejects while a rotation is not complete.
 */
export function beginRotation(
  parts: RotationParts,
  delayMs: number,
): Promise<{ readonly ok: true; readonly version: number; readonly sealsFrom: string } | Refused> {
  const { database, places, world } = parts
  // The write lock prevents two commands at the same time.
  return database.write(async () => {
    const read = await sealingKeysIn(places)
    if (!read.ok) return read
    const { keys } = read
    if (keys.size > 1)
      return refuse(
        `A rotation to version ${newestOf(keys)} is under way. Finish it first: "callgate sealing-key status" says how far it is.`,
      )
    const version = newestOf(keys) + 1
    const fromMs = world.nowMs() + delayMs
    const failed = await replaceKeys(
      parts,
      new Map([...keys, [version, { key: world.randomBytes(32), fromMs }]]),
    )
    return failed ?? { ok: true, version, sealsFrom: isoTime(fromMs) }
  })
}

/** Why the newest key does not seal yet; undefined when it does. */
export function notYetSealing(
  { world }: Pick<RotationParts, 'world'>,
  keys: SealingKeys,
): Refused | undefined {
  const version = newestOf(keys)
  if (sealingVersion(timesOf(keys), world.nowMs()) === version) return undefined
  const from = isoTime(keys.get(version)?.fromMs ?? 0)
  return refuse(`Version ${version} seals from ${from} on, when all clouds know it. Try again then.`)
}

/** The reason to keep the old keys; undefined where nothing needs them any more. */
async function stillNeeded(parts: RotationParts, db: Db, keys: SealingKeys): Promise<Refused | undefined> {
  const early = notYetSealing(parts, keys)
  if (early) return early
  const freeMs = (keys.get(newestOf(keys))?.fromMs ?? 0) + forgetAfterMs
  if (parts.world.nowMs() < freeMs)
    return refuse(
      `Pages that were opened before the change may still need the old key. Try again from ${isoTime(freeMs)} on.`,
    )
  const { cloudsWithOtherKeys, left } = await stateOf(parts, db, keys)
  if (totalLeft(left) > 0) {
    const where = Object.entries(left).map(([column, rows]) => `${rows} in ${column}`)
    return refuse(
      `The old key is still needed: ${where.join(', ')}. Run "callgate sealing-key reseal" first.`,
    )
  }
  if (cloudsWithOtherKeys > 0)
    return refuse(
      `A cloud serves with other sealing keys (${cloudsWithOtherKeys} in all). Give it this file, or wait for half a minute.`,
    )
  return undefined
}

/** Removes the old keys from the file once nothing in the database needs them. Returns their versions. */
export function forgetOldKeys(
  parts: RotationParts,
): Promise<{ readonly ok: true; readonly forgotten: readonly number[] } | Refused> {
  // No write of another process happens between the count and the new file.
  return parts.database.write(async tx => {
    const read = await sealingKeysIn(parts.places)
    if (!read.ok) return read
    const { keys } = read
    const newest = newestOf(keys)
    const forgotten = [...keys.keys()].filter(version => version !== newest)
    if (forgotten.length === 0) return { ok: true, forgotten }
    const needed = await stillNeeded(parts, tx, keys)
    if (needed) return needed
    const kept = [...keys].filter(([version]) => version === newest)
    const failed = await replaceKeys(
      parts,
      new Map(kept.map(([version, { key }]) => [version, { key, fromMs: 0 }])),
    )
    return failed ?? { ok: true, forgotten }
  })
}
