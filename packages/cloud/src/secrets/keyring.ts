// The keyring: the cloud's own keys, made once and kept in the data folder, readable by their owner only.

import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { World } from '@callgate/world/world'
import { createSeal, type Seal } from './sealing.ts'
import { readSealingKeys, type SealingKeys, sealingFingerprint } from './sealingKeys.ts'
import { readSigningKeys, type SigningKeys, signingFingerprint, signingFollows } from './signingKeys.ts'

/** Values that distinguish keys and reveal nothing of them. */
export interface KeyFingerprints {
  readonly signing: string
  readonly sealing: string
}

export interface Keyring {
  /** The keys that sign grants and acks; two during a rotation. */
  signing(): SigningKeys
  /** Uses these keys from now on, because the file has changed. */
  useSigningKeys(keys: SigningKeys): void
  /** The keys that gateways pin at enrolment. */
  publicKeys(): readonly string[]
  /** Seals links and kept answers in the database. The object stays the same after `useSealingKeys`. */
  readonly seal: Seal
  sealingKeys(): SealingKeys
  /** Uses these keys from now on, because the file has changed. */
  useSealingKeys(keys: SealingKeys): void
  /** Calls `check` before each sealing from now on, which may replace the keys. */
  beforeSealing(check: () => void): void
  /** The fingerprints of the present keys. */
  readonly fingerprints: KeyFingerprints
}

export type LoadedKeyring =
  | { readonly ok: true; readonly keyring: Keyring }
  | { readonly ok: false; readonly message: string }

const signingFile = 'signing-key'
const sealingFile = 'sealing-keys'

/** The places of the keys: two files in a folder, or given files, which must exist. */
export interface KeyPlaces {
  readonly folder: string
  readonly signing?: string
  readonly sealing?: string
}

/** The file of the signing keys. */
export const signingPlace = ({ folder, signing }: KeyPlaces) => signing ?? join(folder, signingFile)
/** The file of the sealing keys. */
export const sealingPlace = ({ folder, sealing }: KeyPlaces) => sealing ?? join(folder, sealingFile)

/** The files of the keys, each with the variable that names it. */
export function keyPaths(places: KeyPlaces): readonly { readonly variable: string; readonly file: string }[] {
  const variableOf = (own: string | undefined, name: string) => (own === undefined ? 'CALLGATE_DATA' : name)
  return [
    { variable: variableOf(places.signing, 'SIGNING_KEY_FILE'), file: signingPlace(places) },
    { variable: variableOf(places.sealing, 'SEALING_KEYS_FILE'), file: sealingPlace(places) },
  ]
}

/** The files in the data folder that hold keys. */
export const keyFiles: readonly string[] = [signingFile, sealingFile]

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Writes `text` to `file` unless another process was first. The file is complete once it has its name. */
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

/** The text of a key file. Where `mayMake`, the first process makes it of 32 random bytes. */
async function readOrMake(
  world: World,
  file: string,
  mayMake: boolean,
  textOf: (key: string) => string,
): Promise<string> {
  const read = () => readFile(file, 'utf8')
  const text = await read().catch(async (error: unknown) => {
    if (!mayMake || !isMissing(error)) throw error
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const draft = `${file}.${Buffer.from(world.randomBytes(8)).toString('hex')}`
    await createOnce(file, draft, textOf(Buffer.from(world.randomBytes(32)).toString('base64url')))
    return read()
  })
  return text.trim()
}

function sealWith(world: World, keys: SealingKeys): Seal {
  const column = <T>(of: (key: { key: Uint8Array; fromMs: number }) => T) =>
    new Map([...keys].map(([version, key]) => [version, of(key)] as const))
  return createSeal(
    world,
    column(({ key }) => key),
    column(({ fromMs }) => fromMs),
  )
}

/** A seal whose keys can be replaced during use. */
function liveSeal(
  world: World,
  first: SealingKeys,
): Pick<Keyring, 'seal' | 'sealingKeys' | 'useSealingKeys' | 'beforeSealing'> {
  let keys = first
  let current = sealWith(world, first)
  let lookFirst = () => {}
  return {
    seal: {
      seal(text, context) {
        lookFirst()
        return current.seal(text, context)
      },
      unseal: (sealed, context) => current.unseal(sealed, context),
    },
    sealingKeys: () => keys,
    useSealingKeys(next) {
      keys = next
      current = sealWith(world, next)
    },
    beforeSealing(check) {
      lookFirst = check
    },
  }
}

/** The keyring in two files; a message when one is damaged. */
function keyringOf(world: World, places: KeyPlaces, signingText: string, sealingText: string): LoadedKeyring {
  const first = readSigningKeys(signingText)
  if (!first)
    return {
      ok: false,
      message: `The signing key ${signingPlace(places)} is damaged. Restore it from a backup: gateways trust no other key. Without one, delete it and add every gateway again.`,
    }
  const sealingKeys = readSealingKeys(sealingText)
  if (!sealingKeys)
    return {
      ok: false,
      message: `The sealing keys ${sealingPlace(places)} are damaged. Restore them from a backup: without them no magic link can be shown again. Without one, delete the file and reset every link.`,
    }
  let signing = first
  const live = liveSeal(world, sealingKeys)
  const fingerprints = {
    get signing() {
      return signingFingerprint(signing)
    },
    get sealing() {
      return sealingFingerprint(live.sealingKeys())
    },
  }
  const signer = {
    signing: () => signing,
    useSigningKeys(next: SigningKeys) {
      signing = next
    },
    publicKeys: () => signing.keys.map(({ publicKey }) => publicKey),
  }
  return { ok: true, keyring: { ...signer, ...live, fingerprints } }
}

const why = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * Loads the cloud's signing keys and sealing keys. In the folder, the first process makes them. A given file must exist, because
 * another replica would make another key.
 */
export async function loadKeyring(world: World, places: KeyPlaces): Promise<LoadedKeyring> {
  const { folder, sealing, signing } = places
  try {
    const signed = await readOrMake(world, signingPlace(places), signing === undefined, key => key)
    const sealed = await readOrMake(world, sealingPlace(places), sealing === undefined, key => `1 ${key}`)
    return keyringOf(world, places, signed, sealed)
  } catch (error) {
    const own = [signing && 'SIGNING_KEY_FILE', sealing && 'SEALING_KEYS_FILE'].filter(Boolean)
    const message =
      own.length > 0
        ? `The keys cannot be read (${why(error)}). Check CALLGATE_DATA and ${own.join(' and ')}: a file that these name must exist.`
        : `The keys in ${folder} cannot be read or made (${why(error)}). Check CALLGATE_DATA and who owns the folder.`
    return { ok: false, message }
  }
}

/** Reads the keyring without making keys: for a backup's keys, and for commands that must not make any. */
export async function readKeyring(world: World, at: KeyPlaces | string): Promise<LoadedKeyring> {
  const places = typeof at === 'string' ? { folder: at } : at
  try {
    const [signing = '', sealing = ''] = await Promise.all(
      keyPaths(places).map(async ({ file }) => (await readFile(file, 'utf8')).trim()),
    )
    return keyringOf(world, places, signing, sealing)
  } catch (error) {
    return { ok: false, message: `The keys in ${places.folder} cannot be read (${why(error)}).` }
  }
}

const untilTheNextStart = 'This process still signs with the key that it read at its start'

/**
 * Why the next start would not find the signing keys in their file, as a sentence without the path; undefined when the file
 * contains them, or the next step of a rotation.
 */
export async function signingKeyFault(
  { signing }: Pick<Keyring, 'signing'>,
  places: KeyPlaces,
): Promise<string | undefined> {
  try {
    const next = readSigningKeys(await readFile(signingPlace(places), 'utf8'))
    const held = signing()
    const isSame = next && signingFingerprint(next) === signingFingerprint(held)
    if (isSame || (next && signingFollows(held, next))) return undefined
    return `The file of the signing key holds another key. ${untilTheNextStart}: put that key back, since gateways trust no other.`
  } catch (error) {
    const isGone = isMissing(error) ? 'is gone' : 'cannot be read'
    return `The file of the signing key ${isGone}. ${untilTheNextStart}: put the file back, since gateways trust no new key.`
  }
}

/**
 * Why the next start could not open the texts that `seal` has sealed, as a sentence without the path; undefined when it could.
 */
export async function sealingKeysFault(
  world: World,
  { seal }: Pick<Keyring, 'seal'>,
  places: KeyPlaces,
): Promise<string | undefined> {
  const stillOpens = 'This process still opens links with the keys that it read at its start'
  try {
    const keys = readSealingKeys((await readFile(sealingPlace(places), 'utf8')).trim())
    if (keys && sealWith(world, keys).unseal(seal.seal('', sealingFile), sealingFile) === '') return undefined
    return `The file of the sealing keys holds other keys. ${stillOpens}: put those back, since no link can be shown without them.`
  } catch (error) {
    const isGone = isMissing(error) ? 'is gone' : 'cannot be read'
    return `The file of the sealing keys ${isGone}. ${stillOpens}: put the file back, since no link can be shown without it.`
  }
}
