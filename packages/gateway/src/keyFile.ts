// The file of the gateway's private key: 32 secret bytes as base64url, readable by their owner only.

import { open, readFile, stat } from 'node:fs/promises'
import { type SigningKey, signingKey } from '@callgate/contract/wire/signature'
import { systemCode } from './journalDisk.ts'

export type KeyResult =
  | { readonly ok: true; readonly key: SigningKey }
  | { readonly ok: false; readonly message: string }

/** The rights of other users. The owner's group may have rights. */
const othersMode = 0o007

function refused(error: unknown, what: string): KeyResult {
  const code = systemCode(error)
  if (code === undefined) throw error
  return { ok: false, message: `${what}: ${code}` }
}

/** Makes a key pair of `seed` (32 random bytes) and writes the private half, mode 0600. Never overwrites a file. */
export async function writeKeyFile(path: string, seed: Uint8Array): Promise<KeyResult> {
  const key = signingKey(seed)
  try {
    const file = await open(path, 'wx', 0o600)
    try {
      await file.appendFile(`${Buffer.from(seed).toString('base64url')}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    return { ok: true, key }
  } catch (error) {
    if (systemCode(error) === 'EEXIST')
      return { ok: false, message: `${path} exists already; a key is never overwritten: name another file` }
    return refused(error, `cannot write ${path}`)
  }
}

/** Reads a key file. Rejects a file that everybody on the machine can read, because it is not secret. */
export async function readKeyFile(path: string): Promise<KeyResult> {
  try {
    const { mode } = await stat(path)
    if (mode & othersMode)
      return { ok: false, message: `${path} can be read by everybody on this machine: chmod 600 ${path}` }
    const text = (await readFile(path, 'utf8')).trim()
    const seed = Buffer.from(text, 'base64url')
    if (seed.length !== 32 || seed.toString('base64url') !== text)
      return { ok: false, message: `${path} holds no private key: make one with the command keygen` }
    return { ok: true, key: signingKey(seed) }
  } catch (error) {
    if (systemCode(error) === 'ENOENT')
      return { ok: false, message: `there is no ${path}: make it with the command keygen` }
    return refused(error, `cannot read ${path}`)
  }
}
