// The file of an enrolment that is not yet complete: the state that an interrupted run needs to go on. It is deleted at the end.

import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EnrolmentId, Random128 } from '@callgate/contract/ids'
import { checker } from '@callgate/contract/validate'
import { type SigningKey, signingKey } from '@callgate/contract/wire/signature'
import type { World } from '@callgate/world/world'
import Type, { type Static } from 'typebox'
import { systemCode } from '../journalDisk.ts'
import { readKeyFile } from '../keyFile.ts'
import { type Locked, lock, type NotLocked, sayLockFault } from '../lock.ts'
import { writeWhole } from './syncedFile.ts'

const Begun = Type.Object({
  cloudUrl: Type.String(),
  /** The first characters of the code. */
  codeName: Type.String(),
  /** The name of the file in the same folder. */
  keyFile: Type.String({ pattern: '^[a-z0-9.-]+$' }),
  gatewayNonce: Random128,
  /** The cloud's answer to the code. */
  offer: Type.Optional(
    Type.Object({
      enrolmentId: EnrolmentId,
      cloudNonce: Random128,
      cloudKeys: Type.Array(Type.String(), { minItems: 1, maxItems: 2 }),
    }),
  ),
  /** Whether the login is in the configuration. */
  isStored: Type.Optional(Type.Boolean()),
})
export type Begun = Static<typeof Begun>

const check = checker(Begun, 'the file')
const placeIn = (folder: string) => join(folder, 'enrolment.json')

/**
 * Keeps others from enrolling with the files of this folder until it is released or the process ends. Makes the folder where it
 * is missing. Rejects with the system's error.
 */
export async function lockEnrolment(folder: string): Promise<Locked> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return lock([{ file: join(folder, 'enrolment.lock'), formerName: `enrolment in ${folder}` }])
}

/** The text for a person where the lock cannot be taken. */
export const enrolsElsewhere = (folder: string, locked: NotLocked): string =>
  locked.code === 'held'
    ? `Another enrolment goes on in ${folder}. Wait until it ends; or end it, with Ctrl-C or sudo systemctl stop callgate-gateway-first-boot, and run this again.`
    : `It cannot be known whether another enrolment goes on in ${folder}: ${sayLockFault(locked)}. Put sudo before the command.`

/** The enrolment that was begun in this folder; undefined where there is none. */
export async function readBegun(folder: string): Promise<Begun | undefined> {
  try {
    const checked = check(JSON.parse(await readFile(placeIn(folder), 'utf8')))
    return checked.ok ? checked.value : undefined
  } catch (error) {
    if (error instanceof SyntaxError || systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Rejects with the system's error. */
export function keepBegun(folder: string, begun: Begun): Promise<void> {
  return writeWhole(placeIn(folder), `${JSON.stringify(begun, null, 2)}\n`)
}

export async function forgetBegun(folder: string): Promise<void> {
  await rm(placeIn(folder), { force: true })
}

/** Makes a key pair for a new enrolment, beside the key of a gateway that may be running. */
export async function begin(
  world: World,
  folder: string,
  given: Pick<Begun, 'cloudUrl' | 'codeName'>,
): Promise<Begun> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const before = await readBegun(folder)
  const seed = world.randomBytes(32)
  const keyFile = `gateway-${signingKey(seed).keyId}.key`
  const gatewayNonce = Buffer.from(world.randomBytes(16)).toString('base64url')
  const begun = { ...given, keyFile, gatewayNonce }
  await writeWhole(join(folder, keyFile), `${Buffer.from(seed).toString('base64url')}\n`)
  await keepBegun(folder, begun)
  // A key whose code was not accepted is useless. The key of a later step may be in the configuration already.
  if (before && !before.offer) await rm(join(folder, before.keyFile), { force: true })
  return begun
}

/** The key of an incomplete enrolment; undefined when its file is missing. */
export async function keyOf(folder: string, { keyFile }: Begun): Promise<SigningKey | undefined> {
  const read = await readKeyFile(join(folder, keyFile))
  return read.ok ? read.key : undefined
}
