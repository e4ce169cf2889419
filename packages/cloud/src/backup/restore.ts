// Restores a backup: everything is checked and prepared before the first file is moved; then all files are moved, or none.

import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isoTime, type World } from '@callgate/world/world'
import { lastMute, type Mute, setMute } from '../alert/mutes.ts'
import type { Config } from '../config.ts'
import {
  type Database,
  databaseTrouble,
  fileOf,
  lockData,
  openDatabase,
  runSql,
} from '../database/database.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { migrate } from '../database/migrate.ts'
import { sealOf } from '../database/moveMarks.ts'
import { markerOf } from '../database/unfinishedRestore.ts'
import { keyFiles, readKeyring } from '../secrets/keyring.ts'
import type { Seal } from '../secrets/sealing.ts'
import { verifyFile, verifySeals } from '../verify/verify.ts'
import { checkFolder, dataFile, type Manifest, syncToDisk } from './manifest.ts'
import { markRestored } from './markRestored.ts'
import { isThere, LeftHalfway, type Move, moveAll } from './moves.ts'
import type { OperatorFiles } from './operatorFiles.ts'
import { findRevertedChanges, type RevertedChange } from './revertedChanges.ts'

export interface RestoreFrom {
  /** The dated folders of a backup. Without `keysFolder`, the keys in the data folder are used. */
  readonly folder: string
  readonly keysFolder: string | undefined
  /** Whether existing data may be moved aside. */
  readonly replaces: boolean
  readonly files: OperatorFiles
}

export interface Restored {
  readonly ok: true
  readonly takenAt: string
  readonly file: string
  /** The files that were moved aside. */
  readonly movedAside: readonly string[]
  /** Whether there was data before. */
  readonly hadData: boolean
  readonly endedOpenings: number
  readonly givenUpMails: number
  /** Null: there was no readable data to compare with. */
  readonly undone: readonly RevertedChange[] | null
}

export type Refusal = { readonly ok: false; readonly message: string }
const refuse = (message: string): Refusal => ({ ok: false, message })

/** Thrown when the copied database is wrong although its checksums are right. */
export class NotRestorable extends Error {}

export interface Checked {
  readonly manifest: Manifest
  readonly seal: Seal
}

/** Checks everything that can be checked before anything is written. */
export async function checkBackup(
  config: Config,
  world: World,
  from: RestoreFrom,
): Promise<Checked | Refusal> {
  const { files, folder, keysFolder } = from
  const data = await files.at(folder, as => checkFolder(folder, 'data', as))
  if (!data.ok) return data
  const { manifest } = data
  const keys =
    keysFolder === undefined
      ? undefined
      : await files.at(keysFolder, as => checkFolder(keysFolder, 'keys', as))
  if (keys?.ok === false) return keys
  const loaded =
    keysFolder === undefined
      ? await readKeyring(world, config.dataFolder)
      : await files.at(keysFolder, () => readKeyring(world, keysFolder))
  if (!loaded.ok)
    return keysFolder === undefined
      ? refuse(
          `${loaded.message} Give --keys and the folder with the keys of the backup: without them no link opens and no gateway obeys.`,
        )
      : loaded
  // Where the keys were rotated after the backup, the gateways trust the rotated ones.
  const isRotated = loaded.keyring.signing().number > Date.parse(manifest.takenAt)
  if (!isRotated && !loaded.keyring.publicKeys().includes(manifest.publicKey))
    return refuse(
      `The keys in ${keysFolder ?? config.dataFolder} do not belong to this backup: its gateways trust another signing key. Give --keys and the folder that was made with it.`,
    )
  return { manifest, seal: loaded.keyring.seal }
}

/** The last mute of alerts in the data that is replaced. Undefined also where that cannot be read. */
async function muteIn(file: string): Promise<Mute | undefined> {
  try {
    const database = await openDatabase({ url: file, onlyReads: true, isRestoring: true })
    return await lastMute(database.knex).finally(() => database.close())
  } catch {
    return undefined
  }
}

/** Turns the backup's copy into the database that will be served. Throws when it does not match its manifest. */
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
    const undone = current === undefined ? undefined : await findRevertedChanges(database.knex, current)
    const mute = current === undefined ? undefined : await muteIn(current)
    const marked = await database.write(async tx => {
      const made = await markRestored(tx, world, manifest.takenAt)
      if (mute) await setMute(tx, mute)
      return made
    })
    return { undone: undone ?? null, ...marked }
  } catch (error) {
    if (error instanceof DatabaseError && error.trouble === 'moved')
      throw new NotRestorable(`The backup was made after its data was moved. ${error.message}`)
    if (error instanceof DatabaseError && error.trouble === 'too_new')
      throw new NotRestorable(
        `The backup was made by a newer version of Callgate (${manifest.version}). Restore it with that version.`,
      )
    throw error
  } finally {
    await database.close()
  }
}

/** Writes the content of the WAL into the file. Data that cannot be opened stays as it is. */
async function settle(file: string): Promise<void> {
  let database: Database | undefined
  try {
    database = await openDatabase({ url: file, isRestoring: true })
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

/** A prepared file and its destination. */
interface Draft {
  readonly draft: string
  readonly file: string
}

/** Writes the keys of the backup beside those in the data folder. An identical file stays. */
async function draftKeys(
  { files, replaces }: RestoreFrom,
  from: string,
  dataFolder: string,
): Promise<Draft[]> {
  const drafts: (Draft & { readonly text: string })[] = []
  for (const name of keyFiles) {
    const file = join(dataFolder, name)
    const text = await files.at(from, () => readFile(join(from, name), 'utf8'))
    if ((await readFile(file, 'utf8').catch(() => undefined)) === text) continue
    if ((await isThere(file)) && !replaces)
      throw new NotRestorable(`There is another key in ${file} already. --replace moves it aside.`)
    drafts.push({ draft: `${file}.restoring`, file, text })
  }
  if (drafts.length > 0) await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  for (const { draft, text } of drafts) {
    await rm(draft, { recursive: true, force: true })
    const handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(text).finally(() => handle.close())
    await syncToDisk(draft)
  }
  return drafts
}

/** The database of the backup, prepared beside `file`. */
export async function draftData(file: string, world: World, from: RestoreFrom, checked: Checked) {
  const draft = `${file}.restoring`
  const source = await from.files.at(from.folder, () => open(join(from.folder, dataFile), 'r'))
  try {
    await writeFile(draft, source.createReadStream({ autoClose: false }), { flag: 'wx', mode: 0o600 })
  } finally {
    await source.close()
  }
  const prepared = await prepare(draft, (await isThere(file)) ? file : undefined, checked, world)
  await syncToDisk(draft)
  return { draft: { draft, file }, prepared }
}

/** The renames: first that of the existing file, then that of the draft that replaces it. */
async function movesOf(drafts: readonly Draft[], file: string, suffix: string): Promise<Move[]> {
  const aside = async (path: string, to: string) => ((await isThere(path)) ? [{ from: path, to }] : [])
  // A leftover WAL, of data that cannot be opened or is missing: SQLite would write it into the new file.
  const moves = [
    ...(await aside(`${file}-wal`, `${file}.${suffix}-wal`)),
    ...(await aside(`${file}-shm`, `${file}.${suffix}-shm`)),
  ]
  for (const { draft, file: place } of drafts)
    moves.push(...(await aside(place, `${place}.${suffix}`)), { from: draft, to: place })
  return moves
}

/** Prepares everything, then moves it. It holds the lock of the server all the time. */
async function install(config: Config, world: World, from: RestoreFrom, checked: Checked): Promise<Restored> {
  const { dataFolder } = config
  const file = fileOf(config.databaseUrl)
  const suffix = `replaced-${isoTime(world.nowMs()).replace(/[:.]/g, '-')}`
  const hadData = await isThere(file)
  const clear = async () => {
    const drafts = [file, ...keyFiles.map(name => join(dataFolder, name))].map(path => `${path}.restoring`)
    for (const path of [...drafts, `${file}.restoring-wal`, `${file}.restoring-shm`])
      await rm(path, { recursive: true, force: true })
  }
  await clear()
  try {
    const keys = from.keysFolder === undefined ? [] : await draftKeys(from, from.keysFolder, dataFolder)
    if (hadData) await settle(file)
    const { draft, prepared } = await draftData(file, world, from, checked)
    const moves = await movesOf([...keys, draft], file, suffix)
    await moveAll(moves, markerOf(file))
    const movedAside = moves.map(({ to }) => to).filter(to => to.includes(`.${suffix}`))
    return { ok: true, takenAt: checked.manifest.takenAt, file, hadData, movedAside, ...prepared }
  } finally {
    await clear()
  }
}

/**
 * Restores a backup. Guests and keys stay locked out until the operator confirms. While a cloud serves, it refuses and changes
 * nothing.
 */
export async function restore(
  parts: { readonly config: Config; readonly world: World },
  from: RestoreFrom,
): Promise<Restored | Refusal> {
  const { config, world } = parts
  const checked = await checkBackup(config, world, from)
  if ('ok' in checked) return checked
  const file = fileOf(config.databaseUrl)
  if ((await isThere(file)) && !from.replaces)
    return refuse(`There is data in ${file} already. --replace moves it aside; nothing of it is deleted.`)
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    const lock = lockData(file)
    if (!lock) return refuse(`A cloud serves ${file}. Stop it, and restore then.`)
    try {
      const moved = await sealOf(file)
      if (moved)
        return refuse(
          `The data of ${file} was moved to ${moved.to}, and a cloud beside that one would call the same gates. Nothing was changed. If that database is given up for good, move ${file} away first.`,
        )
      return await install(config, world, from, checked)
    } finally {
      lock.release()
    }
  } catch (error) {
    if (error instanceof LeftHalfway)
      return refuse(
        `The backup is restored in part only (${error.message}). Nothing serves the data until it is restored again, with --replace; what was there is kept beside it as *.replaced-….`,
      )
    if (error instanceof NotRestorable) return refuse(`${error.message} Nothing was changed.`)
    const why = error instanceof Error ? error.message : String(error)
    const trouble = databaseTrouble(error)
    if (trouble === undefined) throw error
    const advice =
      trouble === 'full' ? 'Free some space' : 'Check who owns the folder and that it can be written'
    return refuse(`The backup cannot be restored (${why}). The data is as it was. ${advice}, and try again.`)
  }
}
