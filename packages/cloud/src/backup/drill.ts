// A drill: restores a backup into a folder of its own beside the data, while that may be served, verifies it and removes it again.

import { lstat, mkdir, readdir, rm, rmdir, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import {
  type Database,
  databaseTrouble,
  fileOf,
  lockData,
  openDatabase,
  runSql,
} from '../database/database.ts'
import type { Seal } from '../secrets/sealing.ts'
import { type Finding, verify } from '../verify/verify.ts'
import { dataFile, type Manifest } from './manifest.ts'
import { isThere } from './moves.ts'
import {
  type Checked,
  checkBackup,
  draftData,
  NotRestorable,
  type Refusal,
  type RestoreFrom,
} from './restore.ts'
import { newestIn } from './restored.ts'

export interface Drilled {
  readonly ok: true
  readonly takenAt: string
  readonly rows: Manifest['rows']
  /** Null: there is none. */
  readonly newestOpeningAt: string | null
  /** How long the steps took that a restore would take, milliseconds. */
  readonly restoreMs: number
  /** What `callgate verify` finds. */
  readonly findings: readonly Finding[]
}

const refuse = (message: string): Refusal => ({ ok: false, message })

const mebibyte = 2 ** 20
/** A drill leaves the cloud beside it so much, for which `/readyz` does not warn yet. */
const leftBytes = 256 * mebibyte

/** Why the disk of the data has no room for a second copy. */
async function fullDisk(folder: string, { files }: Manifest): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(folder)
  const copied = files.reduce((sum, { bytes }) => sum + bytes, 0)
  // The copy, what migrations write anew, and the log of these writes.
  const neededBytes = 3 * copied + leftBytes
  if (bavail * bsize >= neededBytes) return undefined
  const [needed, free] = [neededBytes, bavail * bsize].map(bytes => Math.ceil(bytes / mebibyte))
  return `A drill needs ${needed} MiB on the disk of ${folder}, and ${free} MiB are free. Try it on another machine.`
}

/** Where a drill restores to, beside the data. */
export const drillFolderOf = (databaseUrl: string): string => `${fileOf(databaseUrl)}.drill`

const lockFile = `${dataFile}-serving`
/** The copy that a drill makes, with what SQLite writes beside it. */
const copyFiles = ['', '-wal', '-shm', '-journal'].map(end => `${dataFile}.restoring${end}`)
/** All that a drill makes in its folder. */
const ownFiles = [lockFile, ...copyFiles]

/** Why the folder is not one that a drill has made, as the end of a sentence. */
async function notOfDrill(folder: string): Promise<string | undefined> {
  if (!(await isThere(folder))) return undefined
  if (!(await lstat(folder)).isDirectory()) return 'is no folder'
  const entries = await readdir(folder, { withFileTypes: true })
  const strange = entries.find(entry => !entry.isFile() || !ownFiles.includes(entry.name))
  return strange && `holds ${strange.name}`
}

async function removeFiles(folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(folder, name), { force: true })
}

/** What is restored. */
async function inspect(
  database: Database,
  seal: Seal,
): Promise<Pick<Drilled, 'findings' | 'newestOpeningAt'>> {
  const sql = `select ${newestIn('openings', 'calledAt')} as "at"`
  const [newest] = (await runSql(database.knex, sql, [])) as readonly { readonly at: string | null }[]
  return { newestOpeningAt: newest?.at ?? null, findings: await verify(database, seal) }
}

async function rehearse(
  { folder, world }: { readonly folder: string; readonly world: World },
  from: RestoreFrom,
  { checked, sinceMs }: { readonly checked: Checked; readonly sinceMs: number },
): Promise<Drilled> {
  const { draft } = await draftData(join(folder, dataFile), world, from, checked)
  const restoreMs = Math.round(world.monotonicMs() - sinceMs)
  const database = await openDatabase({ url: draft.draft })
  try {
    const { rows, takenAt } = checked.manifest
    return { ok: true, takenAt, rows, restoreMs, ...(await inspect(database, checked.seal)) }
  } finally {
    await database.close()
  }
}

/** Why a drill could not be done; throws a bug again. */
function sayFailed(error: unknown): string {
  if (error instanceof NotRestorable) return error.message
  if (databaseTrouble(error) === undefined) throw error
  return `The backup cannot be restored here (${error instanceof Error ? error.message : String(error)}).`
}

/**
 * Does what `restore` does, up to the moment at which files would be moved, in the folder `….drill` beside the data. Nothing that is
 * restored is ever served, so nothing is sent or called. What a killed drill has left is removed first, and nothing else.
 */
export async function drill(
  { config, world }: { readonly config: Config; readonly world: World },
  from: RestoreFrom,
): Promise<Drilled | Refusal> {
  const sinceMs = world.monotonicMs()
  const checked = await checkBackup(config, world, from)
  if ('ok' in checked) return checked
  const file = fileOf(config.databaseUrl)
  const folder = drillFolderOf(config.databaseUrl)
  try {
    const isNew = !(await isThere(dirname(file)))
    const strange = await notOfDrill(folder)
    if (strange !== undefined)
      return refuse(`${folder} was not made by a drill: it ${strange}. Move it away, and try again.`)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const lock = lockData(join(folder, dataFile))
    if (!lock) return refuse('Another drill runs. Let it end, and try again.')
    try {
      await removeFiles(folder, copyFiles)
      const full = await fullDisk(dirname(file), checked.manifest)
      return full === undefined ? await rehearse({ folder, world }, from, { checked, sinceMs }) : refuse(full)
    } finally {
      await removeFiles(folder, ownFiles)
      // Where somebody has put data there meanwhile, it stays.
      await rmdir(folder).catch(() => {})
      lock.release()
      if (isNew) await rmdir(dirname(file)).catch(() => {})
    }
  } catch (error) {
    return refuse(`${sayFailed(error)} What was restored is removed again.`)
  }
}
