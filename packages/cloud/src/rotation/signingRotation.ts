// The rotation of the signing key: a new key that the old one announces, and the end of the old one.

import { readFile } from 'node:fs/promises'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { enrolmentsOfOtherKeys } from '../enrolment/enrolmentRows.ts'
import { cloudsWithOtherKeys } from '../limit/clouds.ts'
import type { ReadText } from '../secrets/fileWatch.ts'
import { type KeyPlaces, signingPlace } from '../secrets/keyring.ts'
import {
  readSigningKeys,
  type SigningKeys,
  signingFingerprint,
  withNewestAlone,
  withNewKey,
} from '../secrets/signingKeys.ts'
import { type GatewayTrust, readGatewayTrust } from './gatewayTrust.ts'
import { cannotReplace, codeOf, type Refused, refuse, replaceFile } from './replaceFile.ts'

/**
 * The shortest time until a key may be forgotten, milliseconds: running clouds check the file every 30 s, so another cloud may
 * not know the new key before.
 */
export const forgetSigningAfterMs = 2 * 60_000

export interface SigningRotationParts {
  readonly database: Database
  readonly world: World
  readonly places: KeyPlaces
  /** Whether clouds live by the time of the world, for tests that control it. */
  readonly isByWorld?: boolean
  /** The storage of the key file; the disk by default. */
  readonly disk?: KeyDisk
}

/** Reads key files as texts, and replaces them as a whole; returns the system's code where that fails. */
export interface KeyDisk {
  readonly read: ReadText
  readonly replace: typeof replaceFile
}

const realDisk: KeyDisk = { read: file => readFile(file, 'utf8'), replace: replaceFile }

interface Read {
  readonly ok: true
  readonly text: string
  readonly keys: SigningKeys
}

async function signingKeysIn({
  disk = realDisk,
  places,
}: Pick<SigningRotationParts, 'disk' | 'places'>): Promise<Read | Refused> {
  const file = signingPlace(places)
  try {
    const text = await disk.read(file)
    const keys = readSigningKeys(text)
    return keys
      ? { ok: true, text, keys }
      : refuse(`The signing key ${file} is damaged. Restore it from a backup.`)
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    return refuse(
      code === 'ENOENT'
        ? `There is no signing key ${file} yet; "callgate serve" makes it.`
        : `The signing key ${file} cannot be read (${code}).`,
    )
  }
}

async function replace(
  { disk = realDisk, places, world }: SigningRotationParts,
  text: string,
): Promise<Refused | undefined> {
  const file = signingPlace(places)
  const code = await disk.replace(world, file, text)
  return code === undefined ? undefined : cannotReplace('signing keys', file, 'SIGNING_KEY_FILE', code)
}

/** The state of a rotation. */
export interface SigningState {
  /** Oldest first: one, or two during a rotation. */
  readonly keys: readonly { readonly keyId: string; readonly publicKey: string }[]
  /** The time of the last step; null where there was none. */
  readonly changedAt: string | null
  readonly gateways: readonly GatewayTrust[]
  /** How many clouds on the same database lack the keys of this file, where several serve it. */
  readonly cloudsWithOtherKeys: number
}

async function stateOf(
  { isByWorld = false, world }: Pick<SigningRotationParts, 'isByWorld' | 'world'>,
  db: Db,
  held: SigningKeys,
): Promise<SigningState> {
  return {
    keys: held.keys.map(({ keyId, publicKey }) => ({ keyId, publicKey })),
    changedAt: held.number > 0 ? isoTime(held.number) : null,
    gateways: await readGatewayTrust(db, held),
    cloudsWithOtherKeys: await cloudsWithOtherKeys(
      { db, isByWorld, world },
      'signing',
      signingFingerprint(held),
    ),
  }
}

/** The state of a rotation by the file, the gateways' last beats and the other clouds. */
export async function signingState(
  parts: SigningRotationParts,
): Promise<({ readonly ok: true } & SigningState) | Refused> {
  const read = await signingKeysIn(parts)
  return read.ok ? { ok: true, ...(await stateOf(parts, parts.database.knex, read.keys)) } : read
}

/** Adds a key, which the clouds announce to the gateways. Rejects while a rotation is not complete. */
export function beginSigningRotation(
  parts: SigningRotationParts,
): Promise<({ readonly ok: true } & SigningState) | Refused> {
  const { database, world } = parts
  // The write lock prevents two commands at the same time.
  return database.write(async tx => {
    const read = await signingKeysIn(parts)
    if (!read.ok) return read
    const state = await stateOf(parts, tx, read.keys)
    if (state.cloudsWithOtherKeys > 0)
      return refuse(
        `A cloud serves with another signing key (${state.cloudsWithOtherKeys} in all). Give it this file, or wait for half a minute.`,
      )
    const text = withNewKey(read.text, world.randomBytes(32), world.nowMs())
    const keys = text === undefined ? undefined : readSigningKeys(text)
    if (text === undefined || !keys)
      return refuse(
        'A rotation is under way. Finish it first: "callgate signing-key status" says how far it is.',
      )
    const failed = await replace(parts, text)
    return failed ?? { ok: true, ...(await stateOf(parts, tx, keys)) }
  })
}

export const sayGateways = (gateways: readonly Pick<GatewayTrust, 'gatewayId' | 'name'>[]): string =>
  gateways.map(({ gatewayId, name }) => `${name} (${gatewayId})`).join(', ')

/** The reason to keep the old key; undefined where nothing needs it any more. */
async function stillNeeded(
  parts: SigningRotationParts,
  db: Db,
  held: SigningKeys,
  leavesBehind: boolean,
): Promise<Refused | undefined> {
  const freeMs = held.number + forgetSigningAfterMs
  if (parts.world.nowMs() < freeMs)
    return refuse(`A cloud may not know the new key yet. Try again from ${isoTime(freeMs)} on.`)
  const { cloudsWithOtherKeys: others, gateways } = await stateOf(parts, db, held)
  if (others > 0)
    return refuse(
      `A cloud serves with other signing keys (${others} in all). Give it this file, or wait for half a minute.`,
    )
  if (leavesBehind) return undefined
  const newest = held.keys.at(-1)?.publicKey ?? ''
  const enrolling = await enrolmentsOfOtherKeys(db, newest, parts.world.nowMs())
  if (enrolling.length > 0)
    return refuse(
      `These codes and gateways that are being added trust the old key alone: ${enrolling.map(({ id, name }) => `${name} (${id})`).join(', ')}. Wait, 24 hours at most, or take the codes back: "callgate gateway refuse". To give them up: --leave-behind.`,
    )
  const waiting = gateways.filter(({ standing }) => standing !== 'trusts')
  if (waiting.length === 0) return undefined
  return refuse(
    `These gateways do not trust the new key yet: ${sayGateways(waiting)}. "callgate signing-key status" says why. To give them up until somebody writes the new key into their cloudKeys: --leave-behind.`,
  )
}

/**
 * Removes the old key from the file. A message that the new key signs tells gateways to forget it. Rejects while a gateway does
 * not trust the new one, unless `leavesBehind`.
 */
export function forgetOldSigningKey(
  parts: SigningRotationParts,
  { leavesBehind }: { readonly leavesBehind: boolean },
): Promise<
  | { readonly ok: true; readonly forgotten: string | null; readonly leftBehind: readonly GatewayTrust[] }
  | Refused
> {
  const { database, world } = parts
  return database.write(async tx => {
    const read = await signingKeysIn(parts)
    if (!read.ok) return read
    const text = withNewestAlone(read.text, world.nowMs())
    const [old] = read.keys.keys
    if (text === undefined || !old) return { ok: true, forgotten: null, leftBehind: [] }
    const needed = await stillNeeded(parts, tx, read.keys, leavesBehind)
    if (needed) return needed
    const { gateways } = await stateOf(parts, tx, read.keys)
    const failed = await replace(parts, text)
    const leftBehind = gateways.filter(({ standing }) => standing !== 'trusts')
    return failed ?? { ok: true, forgotten: old.keyId, leftBehind }
  })
}
