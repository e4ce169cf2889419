// The keyring: the cloud's own signing key, made once and kept in the data folder, readable by its owner only.

import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type SigningKey, signingKey } from '@callgate/contract/signature'
import type { World } from '@callgate/world/world'

export interface Keyring {
  /** What grants and acks are signed with. */
  readonly current: SigningKey
  /** What gateways pin at enrolment; two during a rotation. */
  readonly publicKeys: readonly string[]
}

export type LoadedKeyring =
  | { readonly ok: true; readonly keyring: Keyring }
  | { readonly ok: false; readonly message: string }

const fileName = 'signing-key'

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Writes `seed` to `file` unless somebody else was first: the file is whole from the moment it has its name. */
async function createOnce(file: string, draft: string, seed: Uint8Array): Promise<void> {
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${Buffer.from(seed).toString('base64url')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await link(draft, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(draft, { force: true })
  }
}

/** Loads the cloud's signing key from `dataFolder`; the first process that asks makes it. */
export async function loadKeyring(world: World, dataFolder: string): Promise<LoadedKeyring> {
  const file = join(dataFolder, fileName)
  const read = () => readFile(file, 'utf8')
  try {
    const text = await read().catch(async (error: unknown) => {
      if (!isMissing(error)) throw error
      await mkdir(dataFolder, { recursive: true, mode: 0o700 })
      const draft = `${file}.${Buffer.from(world.randomBytes(8)).toString('hex')}`
      await createOnce(file, draft, world.randomBytes(32))
      return read()
    })
    const seed = Buffer.from(text.trim(), 'base64url')
    if (seed.length !== 32)
      return {
        ok: false,
        message: `The signing key ${file} is damaged. Restore it from a backup: gateways trust no other key. Without one, delete it and add every gateway again.`,
      }
    const current = signingKey(seed)
    return { ok: true, keyring: { current, publicKeys: [current.publicKey] } }
  } catch (error) {
    return {
      ok: false,
      message: `The signing key ${file} cannot be read or made (${error instanceof Error ? error.message : String(error)}). Check CALLGATE_DATA and who owns the folder.`,
    }
  }
}
