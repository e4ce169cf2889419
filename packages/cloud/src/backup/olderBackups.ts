// Removes the oldest backups of a folder, once a newer one is proved to be whole. It removes nothing that it did not make.

import { lstat, readdir, rename, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { schemaState } from '../database/migrations/schemaState.ts'
import { readKeyring } from '../secrets/keyring.ts'
import { type Finding, verify } from '../verify/verify.ts'
import { checkFolder, dataFile, filesOf, type Kind, manifestFile, readManifest } from './manifest.ts'
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

interface Listed {
  readonly kind: Kind
  readonly name: string
  readonly takenAt: string
}

/** One backup with all its files; otherwise why it is none, as the end of a sentence. */
async function look(parent: string, name: string, kind: Kind): Promise<Listed | string> {
  const folder = join(parent, name)
  if (!(await lstat(folder)).isDirectory()) return 'is no folder'
  const read = await readManifest(folder, kind)
  if (!read.ok) return 'has no manifest that can be read'
  const { files, takenAt } = read.manifest
  if (name !== `${nameOf(takenAt)}${suffixes[kind]}`) return 'has the manifest of another backup'
  for (const file of filesOf[kind]) {
    const found = await stat(join(folder, file)).catch(() => undefined)
    if (!found || found.size !== files.find(known => known.name === file)?.bytes)
      return `has a ${file} that is not whole`
  }
  return { kind, name, takenAt }
}

/** The backups in a folder, newest first, and what only looks like one. */
export async function listBackups(
  folder: string,
  kind: Kind,
): Promise<{ readonly backups: readonly Listed[]; readonly others: readonly LeftAlone[] }> {
  const backups: Listed[] = []
  const others: LeftAlone[] = []
  for (const name of await readdir(folder)) {
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
  const leaving = join(parent, `.${name}.removing`)
  await rename(folder, leaving)
  for (const file of files) await unlink(join(leaving, file))
  await rmdir(leaving)
  return undefined
}

/** Checks every byte of the new backup, and the data in it as `callgate verify` does. */
async function prove(
  { config, files, world }: RetentionParts,
  { folder, keysFolder }: MadeFolders,
): Promise<NotProved | undefined> {
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
      return findings.length > 0 ? fault('"callgate verify" finds faults in it.', findings) : undefined
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

/** The backups in the folder of the new one: the `keep` newest stay, and it is one of them. */
async function chosen(folder: string, keep: number) {
  const parent = dirname(folder)
  const { backups, others } = await listBackups(parent, 'data')
  const made = backups.find(({ name }) => join(parent, name) === folder)
  const upToNow = backups.filter(({ takenAt }) => takenAt <= (made?.takenAt ?? ''))
  const later = backups.filter(backup => !upToNow.includes(backup))
  const dated = later.map(({ name }) => ({
    folder: join(parent, name),
    why: 'has a date after that of the new one',
  }))
  return { kept: upToNow.slice(0, keep), old: upToNow.slice(keep), leftAlone: [...others, ...dated] }
}

/**
 * Keeps the `keep` newest backups beside the one that was just made, and removes older ones with their keys. First the new one is
 * proved. A folder is left alone where it is not exactly as a backup was made, or dated after the new one: by a clock that was
 * wrong. Keys stay as long as a backup that is kept has none of its own.
 */
export async function removeOlder(
  parts: RetentionParts,
  made: MadeFolders,
  keep: number,
): Promise<Retained | NotProved> {
  const { files } = parts
  const fault = await prove(parts, made)
  if (fault) return fault
  const { folder, keysFolder } = made
  const data = await files.at(folder, () => chosen(folder, keep))
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
    else leftAlone.push({ folder: place, why })
  }
  await files.at(folder, async () => {
    for (const backup of data.old) await tryRemove(dirname(folder), backup)
  })
  if (keysFolder !== null)
    await files.at(keysFolder, async () => {
      const parent = dirname(keysFolder)
      const { backups } = await listBackups(parent, 'keys')
      const has = ({ name }: Listed) => backups.some(keys => keys.name === `${name}${suffixes.keys}`)
      if (!data.kept.every(has)) return
      for (const keys of backups)
        if (data.old.some(({ name }) => keys.name === `${name}${suffixes.keys}`))
          await tryRemove(parent, keys)
    })
  return { kept: data.kept.map(({ name }) => name), removed, leftAlone, isStuck }
}
