// The keyring: the cloud's own keys, made once and kept in the data folder, readable by their owner only.

import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type SigningKey, signingKey } from '@callgate/contract/wire/signature'
import type { World } from '@callgate/world/world'
import { createSeal, type Seal, sealingKeyBytes } from './sealing.ts'

export interface Keyring {
  /** What grants and acks are signed with. */
  readonly current: SigningKey
  /** What gateways pin at enrolment; two during a rotation. */
  readonly publicKeys: readonly string[]
  /** What seals links and kept answers in the database. */
  readonly seal: Seal
}

export type LoadedKeyring =
  | { readonly ok: true; readonly keyring: Keyring }
  | { readonly ok: false; readonly message: string }

const signingFile = 'signing-key'
const sealingFile = 'sealing-keys'

/** The files in the data folder that hold keys. */
export const keyFiles: readonly string[] = [signingFile, sealingFile]

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Writes `text` to `file` unless another process was first. The file is whole from the moment it has its name. */
async function createOnce(file: string, draft: string, text: string): Promise<void> {
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
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

/** The text of a key file in `dataFolder`; the first process that asks makes it, of 32 random bytes. */
async function readOrMake(
  world: World,
  dataFolder: string,
  name: string,
  textOf: (key: string) => string,
): Promise<string> {
  const file = join(dataFolder, name)
  const read = () => readFile(file, 'utf8')
  const text = await read().catch(async (error: unknown) => {
    if (!isMissing(error)) throw error
    await mkdir(dataFolder, { recursive: true, mode: 0o700 })
    const draft = `${file}.${Buffer.from(world.randomBytes(8)).toString('hex')}`
    await createOnce(file, draft, textOf(Buffer.from(world.randomBytes(32)).toString('base64url')))
    return read()
  })
  return text.trim()
}

/** The sealing keys by version, from lines `<version> <base64url>`; undefined when one is damaged. */
function readSealingKeys(text: string): ReadonlyMap<number, Uint8Array> | undefined {
  const keys = new Map(
    text.split('\n').map(entry => {
      const [version, key = ''] = entry.trim().split(/ +/)
      return [Number(version), new Uint8Array(Buffer.from(key, 'base64url'))] as const
    }),
  )
  const isWhole = [...keys].every(
    ([version, key]) => Number.isInteger(version) && version > 0 && key.length === sealingKeyBytes,
  )
  return isWhole ? keys : undefined
}

/** The keyring in two files; a message when one is damaged. */
function keyringOf(
  world: World,
  dataFolder: string,
  signingText: string,
  sealingText: string,
): LoadedKeyring {
  const seed = Buffer.from(signingText, 'base64url')
  if (seed.length !== 32)
    return {
      ok: false,
      message: `The signing key ${join(dataFolder, signingFile)} is damaged. Restore it from a backup: gateways trust no other key. Without one, delete it and add every gateway again.`,
    }
  const sealingKeys = readSealingKeys(sealingText)
  if (!sealingKeys)
    return {
      ok: false,
      message: `The sealing keys ${join(dataFolder, sealingFile)} are damaged. Restore them from a backup: without them no magic link can be shown again. Without one, delete the file and reset every link.`,
    }
  const current = signingKey(seed)
  return {
    ok: true,
    keyring: { current, publicKeys: [current.publicKey], seal: createSeal(world, sealingKeys) },
  }
}

const why = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Loads the cloud's signing key and its sealing keys from `dataFolder`; the first process that asks makes them. */
export async function loadKeyring(world: World, dataFolder: string): Promise<LoadedKeyring> {
  try {
    const signing = await readOrMake(world, dataFolder, signingFile, key => key)
    const sealing = await readOrMake(world, dataFolder, sealingFile, key => `1 ${key}`)
    return keyringOf(world, dataFolder, signing, sealing)
  } catch (error) {
    return {
      ok: false,
      message: `The keys in ${dataFolder} cannot be read or made (${why(error)}). Check CALLGATE_DATA and who owns the folder.`,
    }
  }
}

/** Reads the keyring in `folder` and makes no keys: for a backup's keys, and for commands that must not make any. */
export async function readKeyring(world: World, folder: string): Promise<LoadedKeyring> {
  try {
    const [signing = '', sealing = ''] = await Promise.all(
      keyFiles.map(async name => (await readFile(join(folder, name), 'utf8')).trim()),
    )
    return keyringOf(world, folder, signing, sealing)
  } catch (error) {
    return { ok: false, message: `The keys in ${folder} cannot be read (${why(error)}).` }
  }
}

const untilTheNextStart = 'This process still signs with the key that it read at its start'

/**
 * Why the next start would not find the signing key `current` in `dataFolder`, as a sentence without the path; undefined
 * when the file holds it.
 */
export async function signingKeyFault(
  { current }: Pick<Keyring, 'current'>,
  dataFolder: string,
): Promise<string | undefined> {
  try {
    const seed = Buffer.from((await readFile(join(dataFolder, signingFile), 'utf8')).trim(), 'base64url')
    if (seed.length === 32 && signingKey(seed).publicKey === current.publicKey) return undefined
    return `The file of the signing key holds another key. ${untilTheNextStart}: put that key back, since gateways trust no other.`
  } catch (error) {
    const isGone = isMissing(error) ? 'is gone' : 'cannot be read'
    return `The file of the signing key ${isGone}. ${untilTheNextStart}: put the file back, since gateways trust no new key.`
  }
}

/** Why the next start would not open what `seal` has sealed, as a sentence without the path; undefined when it would. */
export async function sealingKeysFault(
  world: World,
  { seal }: Pick<Keyring, 'seal'>,
  dataFolder: string,
): Promise<string | undefined> {
  const stillOpens = 'This process still opens links with the keys that it read at its start'
  try {
    const keys = readSealingKeys((await readFile(join(dataFolder, sealingFile), 'utf8')).trim())
    if (keys && createSeal(world, keys).unseal(seal.seal('', sealingFile), sealingFile) === '')
      return undefined
    return `The file of the sealing keys holds other keys. ${stillOpens}: put those back, since no link can be shown without them.`
  } catch (error) {
    const isGone = isMissing(error) ? 'is gone' : 'cannot be read'
    return `The file of the sealing keys ${isGone}. ${stillOpens}: put the file back, since no link can be shown without it.`
  }
}
