// The content of a backup's folder, with checksums. It is written last, so that a folder without it is no backup.

import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closed } from '@callgate/contract/text'
import { checker } from '@callgate/contract/validate'
import { canonicalJson } from '../core/canonicalJson.ts'
import { keyFiles } from '../secrets/keyring.ts'
import { codeOf } from './operatorFiles.ts'

export const manifestFile = 'manifest.json'
/** The name of the database file in a backup. */
export const dataFile = 'callgate.sqlite'

/** The data and the keys of a backup go to two places, because together they reveal every link. */
export type Kind = 'data' | 'keys'
export const filesOf: Readonly<Record<Kind, readonly string[]>> = { data: [dataFile], keys: keyFiles }

export interface Manifest {
  /** The version of this file's format. */
  readonly format: 1
  readonly kind: Kind
  /** ISO 8601. The backup contains everything that was committed before. */
  readonly takenAt: string
  /** The version of Callgate. */
  readonly version: string
  /** The public half of the signing key, which the gateways trust. */
  readonly publicKey: string
  /** The migrations that the data has had, oldest first; none for keys. */
  readonly schema: readonly string[]
  /** The number of rows in each table. */
  readonly rows: Readonly<Record<string, number>>
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[]
}

const text = { type: 'string', maxLength: 200 } as const
const count = { type: 'integer', minimum: 0 } as const
const checkShape = checker(
  closed({
    format: { type: 'integer', minimum: 1 },
    kind: { type: 'string', enum: ['data', 'keys'] },
    takenAt: { type: 'string', format: 'date-time' },
    version: text,
    publicKey: text,
    schema: { type: 'array', items: text, maxItems: 1000 },
    rows: { type: 'object', additionalProperties: count },
    files: { type: 'array', maxItems: 10, items: closed({ name: text, bytes: count, sha256: text }) },
    sha256: text,
  }),
  'the manifest',
)

const digestOf = (manifest: Manifest) => createHash('sha256').update(canonicalJson(manifest)).digest('hex')

/** The text of a manifest's file, byte by byte. */
const textOf = (manifest: Manifest) =>
  `${JSON.stringify({ ...manifest, sha256: digestOf(manifest) }, null, 2)}\n`

/** The size and the SHA-256 of a file, read in pieces. */
async function factsOf(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of createReadStream(file)) {
    const part = piece as Buffer
    hash.update(part)
    bytes += part.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** Syncs a file or a folder to the disk. */
export async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs every file of `folder` to the disk, and then writes the manifest that names them. */
export async function writeManifest(
  folder: string,
  about: Omit<Manifest, 'format' | 'files'>,
): Promise<void> {
  const files: Manifest['files'][number][] = []
  for (const name of filesOf[about.kind]) {
    await syncToDisk(join(folder, name))
    files.push({ name, ...(await factsOf(join(folder, name))) })
  }
  const manifest: Manifest = { format: 1, ...about, files }
  const handle = await open(join(folder, manifestFile), 'wx', 0o600)
  try {
    await handle.writeFile(textOf(manifest))
    await handle.sync()
  } finally {
    await handle.close()
  }
  await syncToDisk(folder)
}

export type ReadManifest =
  | { readonly ok: true; readonly manifest: Manifest }
  | { readonly ok: false; readonly message: string }

const refuse = (message: string): ReadManifest => ({ ok: false, message })

/** Reads the manifest alone, and does not check the files. */
export async function readManifest(folder: string, kind: Kind, as = ''): Promise<ReadManifest> {
  const file = join(folder, manifestFile)
  const read = await readFile(file, 'utf8').catch((error: unknown) => ({ code: codeOf(error) }))
  if (typeof read !== 'string' && !['ENOENT', 'ENOTDIR'].includes(read.code))
    return refuse(`${file} cannot be read${as} (${read.code}).`)
  if (typeof read !== 'string')
    return refuse(
      `There is no ${manifestFile} in ${folder}: it is no backup, or one that was interrupted. Give the dated folder itself.`,
    )
  let value: unknown
  try {
    value = JSON.parse(read)
  } catch {
    return refuse(`${file} is damaged: it is not JSON. Take another backup.`)
  }
  const checked = checkShape(value)
  if (!checked.ok) return refuse(`${file} is damaged: ${checked.message}. Take another backup.`)
  const { sha256: _, ...manifest } = checked.value as unknown as Manifest & { sha256: string }
  if (manifest.format !== 1)
    return refuse(
      `${file} has the format ${manifest.format}, which this version does not know. Use a newer one.`,
    )
  if (read !== textOf(manifest))
    return refuse(`${file} is damaged: its checksum is not right. Take another backup.`)
  if (manifest.kind !== kind)
    return refuse(`${folder} holds ${manifest.kind === 'keys' ? 'keys and no data' : 'data and no keys'}.`)
  return { ok: true, manifest }
}

/** Reads the manifest of `folder`, and checks that every file exists and is unchanged. */
export async function checkFolder(folder: string, kind: Kind, as = ''): Promise<ReadManifest> {
  const read = await readManifest(folder, kind, as)
  if (!read.ok) return read
  for (const name of filesOf[kind]) {
    const file = join(folder, name)
    const fact = read.manifest.files.find(known => known.name === name)
    const found = await stat(file).catch(() => undefined)
    if (!fact || !found?.isFile()) return refuse(`${file} is missing. Take another backup.`)
    if (found.size !== fact.bytes)
      return refuse(`${file} is damaged: it has ${found.size} bytes of ${fact.bytes}. Take another backup.`)
    if ((await factsOf(file)).sha256 !== fact.sha256)
      return refuse(`${file} is damaged: its checksum is not right. Take another backup.`)
  }
  return read
}
