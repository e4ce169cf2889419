// The file with which another machine joins this cloud: the settings that all clouds share, and their keys, sealed by a passphrase.

import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { World } from '@callgate/world/world'
import { createSeal, sealingKeyBytes } from '../secrets/sealing.ts'

export interface SharedCloud {
  /** The variables that are the same on each machine. Where one names a file, its value is the name in `files`. */
  readonly variables: Readonly<Record<string, string>>
  /** The content of the files that the variables name. */
  readonly files: Readonly<Record<string, string>>
  /** The content of the files of keys, by their names in the data folder. */
  readonly keys: Readonly<Record<string, string>>
}

const format = 'callgate-join-1'
const saltBytes = 16
/** 32 MiB of memory for each guess (RFC 7914). A passphrase of 100 random bits cannot be guessed in any case. */
const cost = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 }

const derive = promisify(scrypt) as (
  passphrase: string,
  salt: Uint8Array,
  bytes: number,
  options: typeof cost,
) => Promise<Buffer>

async function sealOf(world: World, passphrase: string, salt: Uint8Array) {
  const key = await derive(passphrase, salt, sealingKeyBytes, cost)
  return createSeal(world, new Map([[1, key]]))
}

/** The text of the file. */
export async function writeJoinFile(world: World, shared: SharedCloud, passphrase: string): Promise<string> {
  const salt = world.randomBytes(saltBytes)
  const seal = await sealOf(world, passphrase, salt)
  const sealed = seal.seal(JSON.stringify(shared), format)
  return `${[format, Buffer.from(salt).toString('base64url'), sealed].join('\n')}\n`
}

export type ReadJoinFile =
  | { readonly ok: true; readonly shared: SharedCloud }
  | { readonly ok: false; readonly message: string }

/** Whether the text is that of such a file, of any passphrase. */
export const isJoinFile = (text: string): boolean => text.startsWith(`${format}\n`)

/** Opens the text of the file. */
export async function readJoinFile(world: World, text: string, passphrase: string): Promise<ReadJoinFile> {
  const [, salt = '', sealed = ''] = text.split('\n')
  const seal = await sealOf(world, passphrase.trim().toLowerCase(), Buffer.from(salt, 'base64url'))
  const opened = seal.unseal(sealed.trim(), format)
  return opened === undefined
    ? { ok: false, message: 'The passphrase does not open this file, or the file is damaged.' }
    : { ok: true, shared: JSON.parse(opened) as SharedCloud }
}
