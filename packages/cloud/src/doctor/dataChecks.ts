// The doctor's checks of this machine: Node, folder, database, keys, time zone rules.

import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import type { World } from '@callgate/world/world'
import { drillFolderOf } from '../backup/drill.ts'
import { isThere } from '../backup/moves.ts'
import type { Config } from '../config.ts'
import { type Database, explained, fileOf, openDatabase, runSql } from '../database/database.ts'
import { isServer } from '../database/databaseAddress.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { checkDisk } from '../health/disk.ts'
import { brokenRules, oldRules, rulesName } from '../health/zoneRules.ts'
import { keyPaths, readKeyring } from '../secrets/keyring.ts'
import { type Found, fine, unknown, warning, whyOf, wrong } from './check.ts'
import { checkStandbys } from './lostDataChecks.ts'
import { foundOf, noTables, tablesFound } from './readData.ts'

const oldestNode = [22, 13] as const
const firstUntried = 27
const mebibyte = 2 ** 20
const mib = (bytes: number) => `${(bytes / mebibyte).toFixed(1)} MiB`

/** Whether this Node is one with which the tests ran. */
export function checkNode(version: string): Found {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])
  if (isOld) return wrong(`Node ${version} is too old`, `Install Node ${oldestNode.join('.')} or newer.`)
  if (major >= firstUntried)
    return warning(`Node ${version} is newer than any that was tried`, `Use Node 22, 24 or 26.`)
  return fine(`Node ${version}`)
}

const missing = (error: unknown) => whyOf(error) === 'ENOENT'

/** Who owns the data folder, who else can read it, and whether a copy of the data is left there. */
export async function checkFolder({ databaseUrl, dataFolder }: Config): Promise<Found> {
  const found = await stat(dataFolder).catch((error: unknown) => error)
  if (found instanceof Error || !(found && typeof found === 'object' && 'mode' in found))
    return missing(found)
      ? warning(
          `${dataFolder} is not there yet`,
          'The first "callgate serve" makes it; or set CALLGATE_DATA.',
        )
      : wrong(
          `${dataFolder} cannot be read: ${whyOf(found)}`,
          'Check CALLGATE_DATA and the rights of the folder.',
        )
  const { mode, uid } = found as Awaited<ReturnType<typeof stat>>
  const own = userInfo().uid
  if (Number(uid) !== own && own !== 0)
    return wrong(
      `${dataFolder} belongs to the user ${uid}, and this is the user ${own}`,
      `Run callgate as that user, or: chown -R ${own} ${dataFolder}`,
    )
  if (Number(mode) & 0o077)
    return warning(`Others on this machine may look into ${dataFolder}`, `chmod 700 ${dataFolder}`)
  const drillFolder = isServer(databaseUrl) ? undefined : drillFolderOf(databaseUrl)
  if (drillFolder !== undefined && (await isThere(drillFolder)))
    return warning(
      `${drillFolder} may hold a whole copy of the data: a drill runs, or was ended before it could remove it`,
      'Unless one runs, delete it, or run another: "callgate restore" with --drill.',
    )
  return fine(dataFolder)
}

/** Whether the keys are complete, and only the owner can read them. */
export async function checkKeys(world: World, { dataFolder, keys }: Config): Promise<Found> {
  const modes = await Promise.all(
    keyPaths(keys).map(({ file }) =>
      stat(file).then(
        ({ mode }) => ({ file, mode }),
        () => undefined,
      ),
    ),
  )
  const hasOwnFiles = keys.signing !== undefined || keys.sealing !== undefined
  if (!hasOwnFiles && modes.every(mode => mode === undefined))
    return warning(
      `There are no keys in ${dataFolder} yet`,
      'The first "callgate serve" makes them; after a loss, restore them from a backup.',
    )
  const loaded = await readKeyring(world, keys)
  if (!loaded.ok)
    return wrong(
      loaded.message.replace(/\.$/, ''),
      'Put the files back from a backup of the keys: "callgate restore" with --keys.',
    )
  const open = modes.find(found => found && found.mode & 0o077)
  if (open) return warning(`Others on this machine may read ${open.file}`, `chmod 600 ${open.file}`)
  return fine(
    `Both files are whole; the signing key is ${loaded.keyring.fingerprints.signing.replace('.', ', and the next one ')}`,
  )
}

const noDatabase = warning(
  'There is no database yet',
  'The first "callgate serve" makes it; if there was one, check CALLGATE_DATA and DATABASE_URL.',
)
/** What `checkDatabase` finds where nothing has been served yet, or by an older version only. */
export const notMadeYet: readonly Found[] = [noTables, noDatabase]

/** Reading every page of a larger file takes too long for a check. */
const mostToCheckBytes = 256 * mebibyte

async function checkInside(database: Database, bytes: number): Promise<Found | undefined> {
  const tables = await tablesFound(database)
  if (tables) return tables
  if (bytes > mostToCheckBytes) return undefined
  const [row] = (await runSql(database.knex, 'pragma quick_check(1)', [])) as { quick_check: string }[]
  return row?.quick_check === 'ok'
    ? undefined
    : wrong(
        'SQLite finds the file damaged',
        'Stop the cloud and restore the newest backup: "callgate restore".',
      )
}

const sizeOf = (file: string) =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

/** Whether the file can be read, is undamaged, and has the tables of this version. */
async function checkFile(file: string, url: string): Promise<Found> {
  const database = await openDatabase({ url, onlyReads: true, mustExist: true })
  try {
    const [bytes, walBytes] = [await sizeOf(file), await sizeOf(`${file}-wal`)]
    const inside = await checkInside(database, bytes)
    if (inside) return inside
    const isChecked =
      bytes <= mostToCheckBytes ? 'whole' : 'too large for a quick check ("callgate verify" takes it)'
    const says = `${file}, ${mib(bytes)} and ${mib(walBytes)} of WAL, the newest tables, ${isChecked}`
    return walBytes > 64 * mebibyte + bytes
      ? warning(says, 'The WAL is larger than the data: restart the cloud in a quiet moment.')
      : fine(says)
  } finally {
    await database.close()
  }
}

/** The rights of the user of DATABASE_URL on Postgres: `foreign` tables have another owner. */
const rightsSql = `select pg_is_in_recovery() as "isStandby",
  current_setting('default_transaction_read_only') = 'on' as "onlyReads", current_user as "role",
  (select count(*) from pg_class c, lateral unnest(array['select', 'insert', 'update', 'delete']) as "right"
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    and not has_table_privilege(c.oid, "right")) as "missing",
  (select count(*) from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
    and not pg_has_role(c.relowner, 'usage')) as "foreign"`

interface Rights {
  readonly isStandby: number
  readonly onlyReads: number
  readonly role: string
  readonly missing: number
  readonly foreign: number
}

/** Whether the user has the rights that the cloud needs. */
async function checkRights({ knex }: Database): Promise<Found | undefined> {
  const [rights] = (await runSql(knex, rightsSql, [])) as readonly Rights[]
  if (!rights) return undefined
  const { foreign, isStandby, missing, onlyReads, role } = rights
  if (isStandby || onlyReads)
    return wrong(
      `Postgres is ${isStandby ? 'a standby' : 'set to read only'}, and nothing can be written`,
      'Name the primary server in DATABASE_URL, or end default_transaction_read_only.',
    )
  if (missing > 0)
    return wrong(
      `The user ${role} may not read and write all tables of the database`,
      `Make it their owner: reassign owned by the former user to ${role}, in this database.`,
    )
  return foreign > 0
    ? warning(
        `The tables belong to another user than ${role}, so a newer version of Callgate cannot change them`,
        `Make ${role} their owner: reassign owned by the former user to ${role}, in this database.`,
      )
    : undefined
}

async function checkServer(url: string): Promise<Found> {
  const { openPostgres } = await import('../database/postgres.ts')
  const database = await openPostgres({ url })
  try {
    return (
      // First, because a user does not see the tables that they may not read.
      (await checkRights(database)) ??
      (await checkInside(database, Number.POSITIVE_INFINITY)) ??
      (await checkStandbys(database)) ??
      fine('Postgres answers, with the newest tables')
    )
  } finally {
    await database.close()
  }
}

/** The database in DATABASE_URL. */
export async function checkDatabase({ databaseUrl: url }: Config): Promise<Found> {
  try {
    if (!isServer(url)) return await checkFile(fileOf(url), url)
    return await checkServer(url)
  } catch (error) {
    const known = explained(error, url)
    if (known instanceof DatabaseError && known.trouble === 'missing' && !isServer(url)) return noDatabase
    if (known instanceof DatabaseError) return foundOf(known)
    return wrong(`The database cannot be used: ${whyOf(error)}`, 'Check DATABASE_URL.')
  }
}

/** The free space on the disk of the data. */
export async function checkFreeDisk({ databaseUrl, dataFolder }: Config): Promise<Found> {
  const folder = isServer(databaseUrl) ? dataFolder : dirname(fileOf(databaseUrl))
  try {
    const found = await checkDisk(folder)
    const free = 'Free some space: old backups, mails as files, logs.'
    if (!found.ok) return wrong(found.reason.replace(/\.$/, ''), free)
    const little = found['warning']
    return little === undefined
      ? fine(
          isServer(databaseUrl)
            ? 'There is space enough here; Postgres has its own disk'
            : 'There is space enough',
        )
      : warning(String(little).replace(/\.$/, ''), free)
  } catch (error) {
    return unknown(`The disk of ${folder} could not be asked: ${whyOf(error)}`)
  }
}

/** Which time zone rules are used, and whether they are valid. */
export function checkZones(world: World): Found {
  const broken = brokenRules()
  if (broken)
    return wrong(
      broken.replace(/\.$/, ''),
      'Put newer rules beside the program: see "The rules of the time zones" in trouble.md.',
    )
  const old = oldRules(world.nowMs())
  return old === undefined
    ? fine(rulesName)
    : warning(old.replace(/\.$/, ''), '"callgate timezones" says more.')
}
