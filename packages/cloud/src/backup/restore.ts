// Restoring a backup: checked, marked and put in its place by one rename, so that a kill at any moment leaves one or the other.

import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isoTime, type World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import {
  type Database,
  DatabaseError,
  databaseTrouble,
  fileOf,
  lockData,
  migrate,
  openDatabase,
  runSql,
} from '../database.ts'
import { keyFiles, readKeyring } from '../keyring.ts'
import type { Seal } from '../sealing.ts'
import { verifyFile, verifySeals } from '../verify/verify.ts'
import { checkFolder, dataFile, type Manifest, syncToDisk } from './manifest.ts'
import { markRestored } from './restores.ts'
import { findUndone, type Undone } from './undone.ts'

export interface RestoreFrom {
  /** The dated folders of a backup; without the keys' the keys in the data folder are used. */
  readonly folder: string
  readonly keysFolder: string | undefined
  /** Whether data that is there may be moved aside. */
  readonly replaces: boolean
}

export interface Restored {
  readonly ok: true
  readonly takenAt: string
  readonly file: string
  /** What was moved aside. */
  readonly movedAside: readonly string[]
  readonly endedOpenings: number
  readonly givenUpMails: number
  /** Null: there was nothing to compare with that could be read. */
  readonly undone: readonly Undone[] | null
}

type Refusal = { readonly ok: false; readonly message: string }
const refuse = (message: string): Refusal => ({ ok: false, message })

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Thrown when the copy itself turns out not to be right, after all its checksums were. */
class NotRestorable extends Error {}

interface Checked {
  readonly manifest: Manifest
  readonly seal: Seal
}

/** Everything that can be known before anything is written. */
async function check(config: Config, world: World, from: RestoreFrom): Promise<Checked | Refusal> {
  const { folder, keysFolder } = from
  const data = await checkFolder(folder, 'data')
  if (!data.ok) return data
  const { manifest } = data
  const keys = keysFolder === undefined ? undefined : await checkFolder(keysFolder, 'keys')
  if (keys?.ok === false) return keys
  const loaded = await readKeyring(world, keysFolder ?? config.dataFolder)
  if (!loaded.ok)
    return keysFolder === undefined
      ? refuse(
          `${loaded.message} Give --keys and the folder with the keys of the backup: without them no link opens and no gateway obeys.`,
        )
      : loaded
  if (loaded.keyring.current.publicKey !== manifest.publicKey)
    return refuse(
      `The keys in ${keysFolder ?? config.dataFolder} do not belong to this backup: its gateways trust another signing key. Give --keys and the folder that was made with it.`,
    )
  return { manifest, seal: loaded.keyring.seal }
}

/** Makes of the backup's copy the database that will be served. Throws when it is not what its manifest says. */
async function prepare(staged: string, current: string | undefined, checked: Checked, world: World) {
  const { manifest, seal } = checked
  const database = await openDatabase({ url: staged })
  try {
    await migrate(database)
    const [broken] = await verifyFile(database.knex)
    if (broken) throw new NotRestorable(`The backup is damaged: ${broken.rule}: ${broken.what}.`)
    const [sealed] = await verifySeals(database.knex, seal)
    if (sealed)
      throw new NotRestorable(
        `The keys do not belong to this backup: ${sealed.id}: ${sealed.what}. Give --keys and the folder that was made with it.`,
      )
    const undone = current === undefined ? undefined : await findUndone(database.knex, current)
    const marked = await database.write(tx => markRestored(tx, world, manifest.takenAt))
    return { undone: undone ?? null, ...marked }
  } catch (error) {
    if (error instanceof DatabaseError && error.trouble === 'too_new')
      throw new NotRestorable(
        `The backup was made by a newer version of Callgate (${manifest.version}). Restore it with that version.`,
      )
    throw error
  } finally {
    await database.close()
  }
}

/** Brings what the WAL holds into the file. Data that cannot be opened is left as it is. */
async function settle(file: string): Promise<void> {
  let database: Database | undefined
  try {
    database = await openDatabase({ url: file })
    await runSql(database.knex, 'pragma wal_checkpoint(truncate)', [])
  } catch (error) {
    if (databaseTrouble(error) === 'busy') throw error
    return
  } finally {
    await database?.close()
  }
  if (await isThere(`${file}-wal`))
    throw new NotRestorable(`Another command uses ${file}. Let it end, and try again.`)
}

/** Puts `draft` in the place of `file` by one rename; what was there gets the name `aside` as well, before that. */
async function putInPlace(draft: string, file: string, aside: string | undefined): Promise<void> {
  await syncToDisk(draft)
  if (aside !== undefined) await link(file, aside)
  await rename(draft, file)
  await syncToDisk(dirname(file))
}

/** The keys of the backup in the data folder; a file that is there already and the same is left alone. */
async function installKeys(from: string, dataFolder: string, suffix: string, replaces: boolean) {
  const movedAside: string[] = []
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  for (const name of keyFiles) {
    const file = join(dataFolder, name)
    const text = await readFile(join(from, name), 'utf8')
    const there = await readFile(file, 'utf8').catch(() => undefined)
    if (there === text) continue
    if (there !== undefined && !replaces)
      throw new NotRestorable(`There is another key in ${file} already. --replace moves it aside.`)
    const draft = `${file}.restoring`
    await rm(draft, { force: true })
    const handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(text)
    await handle.close()
    const aside = there === undefined ? undefined : `${file}.${suffix}`
    await putInPlace(draft, file, aside)
    if (aside !== undefined) movedAside.push(aside)
  }
  return movedAside
}

/** Moves a WAL that was left, by data that cannot be opened or is gone: SQLite would write it into the new file. */
async function moveWal(file: string, aside: string): Promise<void> {
  for (const end of ['-wal', '-shm'])
    if (await isThere(`${file}${end}`)) await rename(`${file}${end}`, `${aside}${end}`)
}

/** Copies, prepares and installs; the place of the server is taken meanwhile. */
async function install(config: Config, world: World, from: RestoreFrom, checked: Checked): Promise<Restored> {
  const { dataFolder } = config
  const file = fileOf(config.databaseUrl)
  const suffix = `replaced-${isoTime(world.nowMs()).replace(/[:.]/g, '-')}`
  const isReplaced = await isThere(file)
  const staged = `${file}.restoring`
  const clear = async () => {
    for (const end of ['', '-wal', '-shm']) await rm(`${staged}${end}`, { force: true })
  }
  await clear()
  try {
    if (isReplaced) await settle(file)
    const handle = await open(staged, 'wx', 0o600)
    await handle.close()
    await copyFile(join(from.folder, dataFile), staged, constants.COPYFILE_FICLONE)
    const prepared = await prepare(staged, isReplaced ? file : undefined, checked, world)
    const movedAside =
      from.keysFolder === undefined
        ? []
        : await installKeys(from.keysFolder, dataFolder, suffix, from.replaces)
    const aside = `${file}.${suffix}`
    await moveWal(file, aside)
    if (isReplaced) movedAside.push(aside)
    await putInPlace(staged, file, isReplaced ? aside : undefined)
    return { ok: true, takenAt: checked.manifest.takenAt, file, movedAside, ...prepared }
  } finally {
    await clear()
  }
}

/** Restores a backup, shut until the operator confirms. Refuses while a cloud serves, and changes nothing then. */
export async function restore(
  parts: { readonly config: Config; readonly world: World },
  from: RestoreFrom,
): Promise<Restored | Refusal> {
  const { config, world } = parts
  const checked = await check(config, world, from)
  if ('ok' in checked) return checked
  const file = fileOf(config.databaseUrl)
  if ((await isThere(file)) && !from.replaces)
    return refuse(`There is data in ${file} already. --replace moves it aside; nothing of it is deleted.`)
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const lock = lockData(file)
    if (!lock) return refuse(`A cloud serves ${file}. Stop it, and restore then.`)
    try {
      return await install(config, world, from, checked)
    } finally {
      lock.release()
    }
  } catch (error) {
    if (error instanceof NotRestorable) return refuse(`${error.message} Nothing was changed.`)
    const why = error instanceof Error ? error.message : String(error)
    const trouble = databaseTrouble(error)
    if (trouble === undefined) throw error
    const advice =
      trouble === 'full' ? 'Free some space' : 'Check who owns the folder and that it can be written'
    return refuse(`The backup cannot be restored (${why}). The data is as it was. ${advice}, and try again.`)
  }
}
