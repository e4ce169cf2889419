// Makes a backup: a copy of the data at one moment, and of the keys in another place, while the cloud serves.

import { copyFile, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { version } from '@callgate/world/version'
import { isoTime, type World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { type Database, databaseTrouble, fileOf, openDatabase, runSql } from '../database/database.ts'
import { advice } from '../database/databaseCodes.ts'
import { keyFiles, readKeyring } from '../secrets/keyring.ts'
import { verifyFile } from '../verify/verify.ts'
import { dataFile, type Kind, type Manifest, syncToDisk, writeManifest } from './manifest.ts'
import type { OperatorFiles } from './operatorFiles.ts'

export interface BackupPlaces {
  /** The folder in which the dated folder of the data is created. */
  readonly folder: string
  /** The folder in which the dated folder of the keys is created; undefined: the keys are left out. */
  readonly keysFolder: string | undefined
}

export type MadeBackup =
  | {
      readonly ok: true
      readonly takenAt: string
      /** The dated folders. */
      readonly folder: string
      readonly keysFolder: string | null
      readonly bytes: number
      readonly rows: Manifest['rows']
    }
  | { readonly ok: false; readonly message: string }

/** The real path, as far as it exists. */
async function truePath(path: string): Promise<string> {
  const whole = resolve(path)
  const known = await realpath(whole).catch(() => undefined)
  if (known !== undefined || dirname(whole) === whole) return known ?? whole
  return join(await truePath(dirname(whole)), basename(whole))
}

/** Whether two folders are the same, or one contains the other. */
async function overlap(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([truePath(one), truePath(other)])
  return `${a}${sep}`.startsWith(`${b}${sep}`) || `${b}${sep}`.startsWith(`${a}${sep}`)
}

/** The fault of the two places; undefined when there is none. */
async function wrongPlaces({ dataFolder }: Config, { folder, keysFolder }: BackupPlaces) {
  if (await overlap(folder, dataFolder))
    return `The backup must not lie in the data folder ${dataFolder}, with which it would be lost. Give another folder.`
  if (keysFolder === undefined) return undefined
  if (await overlap(keysFolder, folder))
    return 'The keys must not lie beside the data: both together show every link. Give --keys a folder elsewhere, best on another disk.'
  return (await overlap(keysFolder, dataFolder))
    ? `The keys must not be copied into the data folder ${dataFolder}, with which they would be lost. Give --keys another folder.`
    : undefined
}

/** The meaning of an error of the disk for the backup; undefined when it is a bug. */
function explained(error: unknown, as: string): string | undefined {
  const why = error instanceof Error ? error.message : String(error)
  const nothing = 'No backup was made, and nothing is left of it.'
  switch (databaseTrouble(error)) {
    case undefined:
      return undefined
    case 'full':
      return `The disk of the backup is full (${why}). ${nothing} Free some space, or give another folder.`
    case 'not_writable':
      return `The backup cannot be written${as} (${why}). ${nothing} Check who owns the folder, and that it can be written.`
    case 'damaged':
    case 'not_a_database':
      return `The data, or a disk, is damaged (${why}). ${nothing} Keep the last good backup, and see "callgate verify".`
    default:
      return `${why} ${nothing}`
  }
}

interface Copied {
  readonly schema: readonly string[]
  readonly rows: Manifest['rows']
}

/** Checks a copy, and leaves it as one file that can be read without a write. */
async function inspect(file: string): Promise<Copied> {
  const database = await openDatabase({ url: file })
  try {
    const { knex } = database
    const [broken] = await verifyFile(knex)
    if (broken) throw Object.assign(new Error(`${broken.rule}: ${broken.what}`), { code: 'SQLITE_CORRUPT' })
    const tables = (await runSql(
      knex,
      `select "name" from sqlite_master where "type" = 'table' and "name" not like 'sqlite_%' order by "name"`,
      [],
    )) as readonly { name: string }[]
    const rows: Record<string, number> = {}
    for (const { name } of tables) {
      const [found] = (await runSql(knex, `select count(*) as rows from "${name}"`, [])) as { rows: number }[]
      rows[name] = found?.rows ?? 0
    }
    const schema: string[] = tables.some(({ name }) => name === 'migrations')
      ? await knex('migrations').orderBy('id').pluck('name')
      : []
    await runSql(knex, 'pragma journal_mode = delete', [])
    return { schema, rows }
  } finally {
    await database.close()
  }
}

/**
 * Copies the data at one moment. SQLite reads it in one transaction, for which no writer waits, and writes a file of its own. It
 * does not sync that file to the disk: `writeManifest` does.
 */
async function copyData(source: Database, file: string): Promise<Copied> {
  const handle = await open(file, 'wx', 0o600)
  await handle.close()
  await runSql(source.knex, 'vacuum into ?', [file])
  return inspect(file)
}

/** Opens the data for one transaction. All the files that it needs are then open, by the user of the cloud. */
async function openSource(url: string): Promise<Database> {
  const database = await openDatabase({ url, onlyReads: true })
  try {
    await runSql(database.knex, 'select count(*) from sqlite_master', [])
    return database
  } catch (error) {
    await database.close()
    throw error
  }
}

async function copyKeys(dataFolder: string, folder: string): Promise<void> {
  for (const name of keyFiles) {
    const handle = await open(join(folder, name), 'wx', 0o600)
    await handle.close()
    await copyFile(join(dataFolder, name), join(folder, name))
  }
}

/** Creates the dated folder in `parent`. It has another name until it is complete. */
async function makeFolder<T>(parent: string, name: string, fill: (draft: string) => Promise<T>) {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  const draft = join(parent, `.${name}.unfinished`)
  const whole = join(parent, name)
  await mkdir(draft, { mode: 0o700 })
  let place = draft
  const undo = () => rm(place, { recursive: true, force: true })
  try {
    const filled = await fill(draft)
    const finish = async () => {
      await rename(draft, whole)
      place = whole
      await syncToDisk(parent)
    }
    return { filled, finish, undo, whole }
  } catch (error) {
    await undo()
    throw error
  }
}

/** Makes a checked backup in new dated folders. A failure leaves nothing that looks like a backup. */
export async function backUp(
  parts: { readonly config: Config; readonly files: OperatorFiles; readonly world: World },
  places: BackupPlaces,
): Promise<MadeBackup> {
  const { config, files, world } = parts
  const refuse = (message: string): MadeBackup => ({ ok: false, message })
  const wrong = await files.at(places.folder, () => wrongPlaces(config, places))
  if (wrong !== undefined) return refuse(wrong)
  const file = fileOf(config.databaseUrl)
  if (!(await stat(file).catch(() => undefined))) return refuse(advice.missing(file))
  const loaded = await readKeyring(world, config.dataFolder)
  if (!loaded.ok)
    return refuse(`${loaded.message} "callgate serve" makes them when it starts for the first time.`)

  const takenAt = isoTime(world.nowMs())
  const name = `callgate-${takenAt.replace(/[:.]/g, '-')}`
  const about = (kind: Kind) => ({ kind, takenAt, version, publicKey: loaded.keyring.publicKeys()[0] ?? '' })
  const undo: (() => Promise<void>)[] = []
  const { folder, keysFolder } = places
  let actedAs = ''
  const inFolder = <T>(place: string, work: () => Promise<T>) =>
    files.at(place, as => {
      actedAs = as
      return work()
    })
  let source: Database | undefined
  try {
    const opened = await openSource(file)
    source = opened
    const keys =
      keysFolder === undefined
        ? undefined
        : await inFolder(keysFolder, () =>
            makeFolder(resolve(keysFolder), `${name}-keys`, async draft => {
              await copyKeys(config.dataFolder, draft)
              await writeManifest(draft, { ...about('keys'), schema: [], rows: {} })
            }),
          )
    if (keys && keysFolder !== undefined) undo.push(() => inFolder(keysFolder, keys.undo))
    const data = await inFolder(folder, () =>
      makeFolder(resolve(folder), name, async draft => {
        const copied = await copyData(opened, join(draft, dataFile))
        await writeManifest(draft, { ...about('data'), ...copied })
        return { ...copied, bytes: (await stat(join(draft, dataFile))).size }
      }),
    )
    undo.push(() => inFolder(folder, data.undo))
    if (keys && keysFolder !== undefined) await inFolder(keysFolder, keys.finish)
    await inFolder(folder, data.finish)
    const { bytes, rows } = data.filled
    return { ok: true, takenAt, folder: data.whole, keysFolder: keys?.whole ?? null, bytes, rows }
  } catch (error) {
    for (const step of undo) await step()
    const message = explained(error, actedAs)
    if (message === undefined) throw error
    return refuse(message)
  } finally {
    await source?.close()
  }
}
