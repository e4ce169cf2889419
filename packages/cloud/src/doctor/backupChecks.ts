// The doctor's check of backups: how old the last one is, and whether it is still there. Of Postgres it sees the archive alone.

import { basename } from 'node:path'
import type { World } from '@callgate/world/world'
import { type LastBackup, readLastBackup } from '../backup/lastBackup.ts'
import { readManifest } from '../backup/manifest.ts'
import { isThere } from '../backup/moves.ts'
import { installationOf, listBackups } from '../backup/olderBackups.ts'
import type { OperatorFiles } from '../backup/operatorFiles.ts'
import type { Config } from '../config.ts'
import { counted } from '../core/counted.ts'
import { fileOf, runSql } from '../database/database.ts'
import { isServer } from '../database/databaseAddress.ts'
import { readKeyring } from '../secrets/keyring.ts'
import { type Found, fine, unknown, warning, whyOf, wrong } from './check.ts'
import { openFor } from './readData.ts'

const hourMs = 60 * 60 * 1_000
/** A backup each night, and one night that failed. */
const oldestBackupMs = 50 * hourMs

const makeOne = 'Make one, and have it made each night: callgate backup FOLDER --keys OTHER --keep 30'

interface BackupCheckParts {
  readonly config: Config
  readonly files: OperatorFiles
  readonly world: World
}

const isOld = (world: World, takenAt: string) => world.nowMs() - Date.parse(takenAt) > oldestBackupMs
const sayAge = (world: World, takenAt: string) =>
  `${Math.max(0, Math.floor((world.nowMs() - Date.parse(takenAt)) / hourMs))} h old`

/** Recognizes the backups of this installation; undefined where its keys cannot be read. Data may be lost. */
async function ownInstallation({ config, world }: BackupCheckParts) {
  const loaded = await readKeyring(world, config.keys)
  if (!loaded.ok) return undefined
  const database = await openFor(config).catch(() => undefined)
  try {
    const byKeys = () => installationOf(undefined, loaded.keyring)
    return await installationOf(database?.knex, loaded.keyring).catch(byKeys)
  } finally {
    await database?.close()
  }
}

/** The newest backup of this installation in the folder that the operator names. */
async function checkNamed(parts: BackupCheckParts, folder: string): Promise<Found> {
  const { files, world } = parts
  const own = await ownInstallation(parts)
  if (!own)
    return unknown(
      `The keys cannot be read, so nobody knows which backups in ${folder} are of this installation`,
    )
  return files.at(folder, async as => {
    const listed = await listBackups(folder, 'data').catch((error: unknown) => whyOf(error))
    if (typeof listed === 'string')
      return wrong(`The backups in ${folder} cannot be read${as}: ${listed}`, makeOne)
    const ours = listed.backups.filter(({ publicKey }) => own.isOurs(publicKey))
    const others = listed.backups.length - ours.length
    const beside = others === 0 ? '' : `, and ${others} of another installation`
    const [newest] = ours
    if (!newest) return wrong(`There is no backup of this installation in ${folder}${beside}`, makeOne)
    const says = `The newest of ${ours.length}${beside} is ${newest.name}, ${sayAge(world, newest.takenAt)}`
    return isOld(world, newest.takenAt) ? wrong(says, makeOne) : fine(says)
  })
}

/** The last backup by its note, and whether it is where it was made. */
async function checkNoted({ files, world }: BackupCheckParts, { failed, made }: LastBackup): Promise<Found> {
  const last = made
    ? `The last one is ${basename(made.folder)}, ${sayAge(world, made.takenAt)}`
    : 'None was ever made'
  const isTooOld = made === null || isOld(world, made.takenAt)
  if (failed) {
    const found = `The attempt of ${failed.at} failed: ${failed.why.replace(/\.$/, '')}. ${last}`
    const todo =
      'Mend that, and make one: "systemctl start callgate-cloud-backup", where its timer makes them.'
    return isTooOld ? wrong(found, todo) : warning(found, todo)
  }
  if (made === null || isTooOld) return wrong(last, makeOne)
  const there = await files.at(made.folder, as => readManifest(made.folder, 'data', as))
  return there.ok
    ? fine(`${last}, in ${made.folder.slice(0, -basename(made.folder).length)}`)
    : warning(
        `${last}, and not where it was made: ${there.message.replace(/\.$/, '')}`,
        'Where it was moved on purpose, name the folder: --backups FOLDER. Else make another one.',
      )
}

const archiveSql = `select current_setting('archive_mode') <> 'off' as "archives", a.failed_count as "failures",
  extract(epoch from now() - a.last_archived_time)::bigint as "archivedS",
  coalesce(a.last_failed_time > coalesce(a.last_archived_time, '-infinity'), false) as "isFailing"
  from pg_stat_archiver a`

interface Archive {
  readonly archives: number
  readonly failures: number
  readonly archivedS: number | null
  readonly isFailing: number
}

const ownPrograms =
  'Make one each night with pg_dump, and copy the keys: see "Backups of Postgres" in databases.md.'

/** Copies by pg_dump or a provider leave nothing that a client can see. The archive of the server's log does. */
async function checkArchive(config: Config): Promise<Found> {
  const database = await openFor(config)
  try {
    const [archive] = (await runSql(database.knex, archiveSql, [])) as readonly Archive[]
    if (!archive?.archives)
      return unknown(
        'Backups of Postgres are made by its own programs or its provider, and leave nothing that can be seen from here. The server archives no log',
        ownPrograms,
      )
    const { archivedS, failures, isFailing } = archive
    if (isFailing)
      return warning(
        `The server does not get its log archived: ${counted(Number(failures), 'attempt')} failed, the last one too`,
        "Read the server's log, and mend archive_command: without it a restore ends at the last base backup.",
      )
    return unknown(
      archivedS === null
        ? 'The server archives its log, and has archived nothing yet'
        : `The server archives its log, the last piece ${Math.floor(Number(archivedS) / 60)} min ago. Whether there is a base backup cannot be seen from here`,
      'Ask the program that makes it, such as "pgbackrest info", and copy the keys: "Backups of Postgres" in databases.md.',
    )
  } finally {
    await database.close()
  }
}

/** The age and the state of the last backup: in `folder`, or by the note that each backup leaves in the data folder. */
export async function checkBackups(parts: BackupCheckParts, folder: string | undefined): Promise<Found> {
  const { databaseUrl, dataFolder } = parts.config
  if (isServer(databaseUrl))
    return checkArchive(parts.config).catch(() =>
      unknown(
        'Backups of Postgres are made by its own programs, and the server could not be asked',
        ownPrograms,
      ),
    )
  if (folder !== undefined) return checkNamed(parts, folder)
  const note = await readLastBackup(dataFolder)
  if (note) return checkNoted(parts, note)
  if (!(await isThere(fileOf(databaseUrl))))
    return unknown('There is nothing yet of which a backup could be made')
  return warning(
    'No backup of this data was ever made by "callgate backup"',
    `${makeOne}. Where older ones lie, name the folder: --backups FOLDER.`,
  )
}
