// Removes the oldest backups of a folder, once a newer one is proved to be whole. It removes nothing that it did not make.

import { lstat, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { verifyingKey } from '@callgate/contract/wire/signature'
import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { type Db, openDatabase } from '../database/database.ts'
import { schemaState } from '../database/migrations/schemaState.ts'
import { type Keyring, readKeyring } from '../secrets/keyring.ts'
import { type Finding, verify } from '../verify/verify.ts'
import {
  checkFolder,
  dataFile,
  filesOf,
  type Kind,
  type Manifest,
  manifestFile,
  readManifest,
} from './manifest.ts'
import { isThere } from './moves.ts'
import { codeOf, type OperatorFiles } from './operatorFiles.ts'

/** The dated folders that a backup has made. */
export interface MadeFolders {
  readonly folder: string
  readonly keysFolder: string | null
}

interface LeftAlone {
  readonly folder: string
  /** The end of a sentence about the folder. */
  readonly why: string
}

export interface Retained {
  /** The backups of data that stay, newest first. */
  readonly kept: readonly string[]
  readonly removed: readonly string[]
  /** Folders that look like backups, and are neither counted nor removed. */
  readonly leftAlone: readonly LeftAlone[]
  /** Whether a backup should have been removed and could not be: the disk will be full one day. */
  readonly isStuck: boolean
}

/** Why the new backup is no reason to remove an older one. */
export interface NotProved {
  readonly message: string
  /** What `verify` finds in it. */
  readonly findings: readonly Finding[]
}

const nameOf = (takenAt: string) => `callgate-${takenAt.replace(/[:.]/g, '-')}`
const suffixes: Readonly<Record<Kind, string>> = { data: '', keys: '-keys' }
const looksLikeOurs: Readonly<Record<Kind, RegExp>> = {
  data: /^callgate-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/,
  keys: /^callgate-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z-keys$/,
}
/** The name of a backup while its files are removed. */
const leavingName = (name: string) => `.${name}.removing`
const leftName = /^\.(callgate-.*)\.removing$/

interface Listed extends Pick<Manifest, 'files' | 'publicKey' | 'takenAt'> {
  readonly kind: Kind
  readonly name: string
}

/** One backup with all its files; otherwise why it is none, as the end of a sentence. */
async function look(parent: string, name: string, kind: Kind): Promise<Listed | string> {
  const folder = join(parent, name)
  if (!(await lstat(folder)).isDirectory()) return 'is no folder'
  const read = await readManifest(folder, kind)
  if (!read.ok) return 'has no manifest that can be read'
  const { files, publicKey, takenAt } = read.manifest
  if (name !== `${nameOf(takenAt)}${suffixes[kind]}`) return 'has the manifest of another backup'
  for (const file of filesOf[kind]) {
    const found = await stat(join(folder, file)).catch(() => undefined)
    if (!found || found.size !== files.find(known => known.name === file)?.bytes)
      return `has a ${file} that is not whole`
  }
  return { kind, name, files, publicKey, takenAt }
}

/** The backups in a folder, newest first, and what only looks like one or is left of one. */
export async function listBackups(
  folder: string,
  kind: Kind,
): Promise<{ readonly backups: readonly Listed[]; readonly others: readonly LeftAlone[] }> {
  const backups: Listed[] = []
  const others: LeftAlone[] = []
  for (const name of await readdir(folder)) {
    if (looksLikeOurs[kind].test(leftName.exec(name)?.[1] ?? ''))
      others.push({
        folder: join(folder, name),
        why: 'is the rest of a backup whose removal failed: delete it',
      })
    if (!looksLikeOurs[kind].test(name)) continue
    const found = await look(folder, name, kind)
    if (typeof found === 'string') others.push({ folder: join(folder, name), why: found })
    else backups.push(found)
  }
  return { backups: backups.sort((a, b) => (a.takenAt < b.takenAt ? 1 : -1)), others }
}

/**
 * Removes one backup, file by file, so that nothing else goes with it. First it gets a name that no backup has. Returns why it
 * was left alone.
 */
async function remove(parent: string, { kind, name }: Listed): Promise<string | undefined> {
  const folder = join(parent, name)
  // Not those that the manifest names: it could name files elsewhere.
  const files = [manifestFile, ...filesOf[kind]]
  const strange = (await readdir(folder)).find(file => !files.includes(file))
  if (strange !== undefined) return `holds ${strange} as well`
  const leaving = join(parent, leavingName(name))
  await rename(folder, leaving)
  for (const file of files) await unlink(join(leaving, file))
  await rmdir(leaving)
  return undefined
}

interface Proved {
  /** Whether a backup with this public key is of the same installation as the new one. */
  isOurs(publicKey: string): boolean
}

/** Recognizes backups of an installation by its signing keys: those of today, and those that its data has noted. */
export async function installationOf(db: Db | undefined, keyring: Keyring): Promise<Proved> {
  const noted: readonly string[] = db ? await db('signingKeys').pluck('keyId') : []
  const present = keyring.signing().keys.map(({ keyId }) => keyId)
  const keyIds = new Set([...present, ...noted])
  return { isOurs: publicKey => keyIds.has(verifyingKey(publicKey)?.keyId ?? '') }
}

/** Checks every byte of the new backup, and the data in it as `callgate verify` does. */
async function prove(
  { config, files, world }: RetentionParts,
  { folder, keysFolder }: MadeFolders,
): Promise<Proved | NotProved> {
  const fault = (message: string, findings: readonly Finding[] = []) => ({ message, findings })
  const loaded = await readKeyring(world, config.keys)
  if (!loaded.ok) return fault(loaded.message)
  const keys =
    keysFolder === null ? undefined : await files.at(keysFolder, as => checkFolder(keysFolder, 'keys', as))
  if (keys?.ok === false) return fault(keys.message)
  return files.at(folder, async as => {
    const data = await checkFolder(folder, 'data', as)
    if (!data.ok) return fault(data.message)
    const database = await openDatabase({ url: join(folder, dataFile), onlyReads: true, mustExist: true })
    try {
      if ((await schemaState(database.knex)) === 'older')
        return fault('Its tables are of an older version, which this one cannot verify.')
      const findings = await verify(database, loaded.keyring.seal)
      if (findings.length > 0) return fault('"callgate verify" finds faults in it.', findings)
      return installationOf(database.knex, loaded.keyring)
    } finally {
      await database.close()
    }
  })
}

interface RetentionParts {
  readonly config: Config
  readonly files: OperatorFiles
  readonly world: World
}

/** The backups of this installation in a folder, up to the new one; and what is left alone. */
async function listOurs(made: string, kind: Kind, { isOurs }: Proved) {
  const parent = dirname(made)
  const { backups, others } = await listBackups(parent, kind)
  const newest = backups.find(({ name }) => join(parent, name) === made)?.takenAt ?? ''
  const ours: Listed[] = []
  const leftAlone = [...others]
  const leave = ({ name }: Listed, why: string) => leftAlone.push({ folder: join(parent, name), why })
  for (const backup of backups)
    if (!isOurs(backup.publicKey)) leave(backup, 'has a signing key that this installation never had')
    else if (backup.takenAt > newest) leave(backup, 'has a date after that of the new one')
    else ours.push(backup)
  return { ours, leftAlone }
}

const keysOf = ({ name }: Listed) => `${name}${suffixes.keys}`
const hasSameKeys = (one: Listed, other: Listed) =>
  one.files.every(({ name, sha256 }) =>
    other.files.some(file => file.name === name && file.sha256 === sha256),
  )

/**
 * Keeps the `keep` newest backups beside the one that was just made, and removes older ones with their keys. First the new one is
 * proved. A folder is left alone where it is not exactly as a backup was made, of another installation, or dated after the new
 * one: by a clock that was wrong. Keys stay as long as a backup that is kept has none of its own.
 */
export async function removeOlder(
  parts: RetentionParts,
  made: MadeFolders,
  keep: number,
): Promise<Retained | NotProved> {
  const { files } = parts
  const proved = await prove(parts, made)
  if ('message' in proved) return proved
  const { folder, keysFolder } = made
  const data = await files.at(folder, () => listOurs(folder, 'data', proved))
  const kept = data.ours.slice(0, keep)
  const old = data.ours.slice(keep)
  const removed: string[] = []
  const leftAlone = [...data.leftAlone]
  let isStuck = false
  const tryRemove = async (parent: string, backup: Listed) => {
    const place = join(parent, backup.name)
    const why = await remove(parent, backup).catch((error: unknown) => {
      isStuck = true
      return `cannot be removed (${codeOf(error)})`
    })
    if (why === undefined) removed.push(place)
    else
      leftAlone.push({ folder: (await isThere(place)) ? place : join(parent, leavingName(backup.name)), why })
  }
  const parent = dirname(folder)
  const entries = await files.at(folder, async () => {
    for (const backup of old) await tryRemove(parent, backup)
    return readdir(parent)
  })
  if (keysFolder !== null)
    await files.at(keysFolder, async () => {
      const keys = await listOurs(keysFolder, 'keys', proved)
      leftAlone.push(...keys.leftAlone)
      const stay = keys.ours.filter(({ name }) => kept.some(backup => keysOf(backup) === name))
      if (stay.length < kept.length) return
      const needless = old.filter(({ name }) => removed.includes(join(parent, name))).map(keysOf)
      for (const backup of keys.ours) {
        const ofData = backup.name.slice(0, -suffixes.keys.length)
        // Left by an earlier run, as far as can be seen: their data may lie elsewhere, so the same keys must stay.
        const isLeft = !entries.some(entry => entry.includes(ofData))
        if (needless.includes(backup.name) || (isLeft && stay.some(other => hasSameKeys(backup, other))))
          await tryRemove(dirname(keysFolder), backup)
        else if (isLeft)
          leftAlone.push({
            folder: join(dirname(keysFolder), backup.name),
            why: 'has no data here, and other keys than those that stay',
          })
      }
    })
  return { kept: kept.map(({ name }) => name), removed, leftAlone, isStuck }
}
