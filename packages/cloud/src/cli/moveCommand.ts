// `callgate move`: opens both databases, lets the data move, and says what comes then.

import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { readNamed } from '../backup/operatorFiles.ts'
import { type Database, explained, fileOf } from '../database/database.ts'
import { isServer, serverName } from '../database/databaseAddress.ts'
import { adviceOnData, codeOf } from '../database/databaseCodes.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { openFound } from '../database/foundDatabase.ts'
import { schemaState } from '../database/migrations/schemaState.ts'
import { type DataSeal, finishMove, moveStateOf, refusalOf, sealOf } from '../database/moveMarks.ts'
import { openData } from '../database/openData.ts'
import { databaseFaults } from '../health/production.ts'
import { type MoveParts, type MoveSide, moveData, NotMoved } from '../move/move.ts'
import { claimTarget, clockWarning } from '../move/target.ts'
import { readKeyring } from '../secrets/keyring.ts'
import { servingClouds } from '../status/servingClouds.ts'
import { type FileWork, type Options, refuse, type Said } from './commandWork.ts'

type MoveGiven = Parameters<FileWork>[0]

/** How long the move waits while another program writes to a database, milliseconds. */
const lockedWithinMs = 10_000

const form = 'postgres://USER:PASSWORD@HOST:5432/NAME'

/** A database, as the operator names it. */
interface NamedDatabase extends Omit<MoveSide, 'database'> {
  readonly setting: 'DATABASE_URL' | '--to' | '--to-file'
}

const isNamed = (read: NamedDatabase | Said): read is NamedDatabase => 'url' in read

async function namedOf(url: string, setting: NamedDatabase['setting']): Promise<NamedDatabase> {
  if (isServer(url)) return { url, name: serverName(url), setting }
  const file = fileOf(url)
  const real = await realpath(file).catch(() => file)
  return { url: real, name: real, setting }
}

async function targetOf(
  { config, files }: MoveGiven,
  { to, toFile }: Options,
): Promise<NamedDatabase | Said> {
  if ((to === undefined) === (toFile === undefined))
    return refuse(
      `Give --to-file and a file that holds ${form}; or --to and the address, where it has no password, or the path of a new SQLite file.`,
    )
  const read = toFile === undefined ? String(to) : await readNamed(files, toFile)
  if (toFile !== undefined && typeof read === 'string') return refuse(`${toFile} ${read}.`)
  const url = String(read).trim()
  const setting = toFile === undefined ? '--to' : '--to-file'
  if (toFile !== undefined && !isServer(url)) return refuse(`${toFile} must hold ${form}.`)
  if (isServer(url) === isServer(config.databaseUrl))
    return refuse(
      isServer(url)
        ? `DATABASE_URL and ${setting} both name a Postgres. Postgres copies its own databases: pg_dump and pg_restore.`
        : `DATABASE_URL and ${setting} both name a file. A file is copied by "callgate backup" and "callgate restore".`,
    )
  const faults = config.isProduction ? databaseFaults({ ...config, databaseUrl: url }) : []
  const fault = faults.find(each => typeof each === 'string')
  if (fault !== undefined) return refuse(`NODE_ENV=production: ${fault.replace('DATABASE_URL', setting)}.`)
  return namedOf(url, setting)
}

/** The trouble of a database, in words about the setting that names it. */
function inWords(error: unknown, { setting, url }: NamedDatabase): unknown {
  const known = explained(error, url)
  return known instanceof DatabaseError
    ? new DatabaseError(known.trouble, known.message.replaceAll('DATABASE_URL', setting))
    : known
}

/** The same where either of the two may have it. */
function inWordsOfEither(error: unknown, { from, to }: MoveEnds): unknown {
  if (error instanceof DatabaseError) return error
  const isOfFile = codeOf(error).startsWith('SQLITE')
  return inWords(error, isServer(from.url) === isOfFile ? to : from)
}

interface MoveEnds {
  readonly from: NamedDatabase
  readonly to: NamedDatabase
}

/** The words for the end of the move. */
function sayMoved({ config }: MoveGiven, { from, to }: MoveEnds, rows: ReadonlyMap<string, number>): Said {
  const count = [...rows.values()].reduce((sum, of) => sum + of, 0)
  const isDefault = to.url === join(config.dataFolder, 'callgate.sqlite')
  const setting = isServer(to.url)
    ? `Set ${to.setting === '--to-file' ? 'DATABASE_URL_FILE to that file' : 'DATABASE_URL to that address'}`
    : isDefault
      ? 'Remove DATABASE_URL and DATABASE_URL_FILE'
      : `Set DATABASE_URL to ${to.name}, without DATABASE_URL_FILE`
  const text = [
    rows.size === 0
      ? `The move to ${to.name} is finished: all was there already.`
      : `All ${count} rows of ${rows.size} tables are in ${to.name}.`,
    `${from.name} is sealed for good: nothing serves or changes it any more. Keep it until the first backup of the new database.`,
    `${setting}, leave CALLGATE_DATA as it is, and start "callgate serve". See "From SQLite to Postgres" in databases.md.`,
  ].join('\n')
  return { ok: true, json: { from: from.name, to: to.name, rows: Object.fromEntries(rows) }, text }
}

/** Finishes a move that was stopped after the seal; refuses where the data went elsewhere. */
async function finishSealed(
  parts: MoveGiven,
  ends: MoveEnds,
  seal: DataSeal,
  target: Database,
): Promise<Said> {
  const state = await moveStateOf(target.knex)
  if (state?.kind !== 'moving' || state.moveId !== seal.moveId) return refuse(refusalOf(seal).message)
  await finishMove(target, seal)
  return sayMoved(parts, ends, new Map())
}

/** The end of a message about a move that was stopped. */
const nextStep = async ({ from, to }: MoveEnds) =>
  (await sealOf(from.url))
    ? `Everything is in ${to.name}, and ${from.name} is sealed. Run the same command again to finish, or start "callgate serve" there.`
    : `${from.name} is not sealed, and can be served as before. Run the same command again to go on.`

/** Moves between databases that are open, and of which nobody serves one. */
async function moveOpened(
  parts: MoveGiven,
  ends: MoveEnds,
  sides: readonly [source: MoveSide, target: MoveSide],
  tell: MoveParts['tell'],
): Promise<Said> {
  const { config, world } = parts
  const [source, target] = sides
  const loaded = await readKeyring(world, config.keys)
  if (!loaded.ok) return refuse(loaded.message)
  if ((await schemaState(source.database.knex)) !== 'current')
    return refuse(adviceOnData.too_new(source.name))
  const why = await claimTarget(source, target, world)
  if (why !== undefined) return refuse(why)
  const warning = await clockWarning(sides, world)
  if (warning !== undefined) tell(warning)
  try {
    const rows = await moveData({ source, target, seal: loaded.keyring.seal, world, tell })
    return sayMoved(parts, ends, rows)
  } catch (error) {
    const known = error instanceof NotMoved ? error : inWordsOfEither(error, ends)
    if (!(known instanceof NotMoved || known instanceof DatabaseError)) throw known
    return refuse(`${known.message} ${await nextStep(ends)}`)
  }
}

/** Why the source cannot be locked. */
async function servedSource({ database: { knex }, name }: MoveSide, nowMs: number): Promise<Said> {
  const machines = (await servingClouds(knex, nowMs)).map(({ machine }) => machine)
  const where = isServer(name) && machines.length > 0 ? ` (${[...new Set(machines)].join(', ')})` : ''
  return refuse(
    machines.length > 1
      ? `Clouds serve ${name}${where}. Stop them, and move then.`
      : `A cloud serves ${name}${where}. Stop it, and move then.`,
  )
}

/** Opens both databases and takes the locks of their servers. */
async function moveTo(parts: MoveGiven, ends: MoveEnds, tell: MoveParts['tell']): Promise<Said> {
  const { world } = parts
  const { from, to } = ends
  const onWait = () => tell('Another program writes to the database; waiting for it.')
  const patience = { world, withinMs: lockedWithinMs, onWait }
  const closing: (() => Promise<void>)[] = []
  const opened = async (named: NamedDatabase, open: typeof openData): Promise<MoveSide> => {
    const database = await open({ url: named.url, world, patience }).catch((error: unknown) => {
      throw inWords(error, named)
    })
    closing.push(() => database.close())
    return { database, url: named.url, name: named.name }
  }
  try {
    let work: (target: MoveSide) => Promise<Said>
    const sealed = await sealOf(from.url)
    if (sealed) work = ({ database }) => finishSealed(parts, ends, sealed, database)
    else {
      const source = await opened(from, openFound)
      const lock = await source.database.lock()
      if (!lock) return await servedSource(source, world.nowMs())
      closing.push(() => lock.release())
      work = target => moveOpened(parts, ends, [source, target], tell)
    }
    const target = await opened(to, openData)
    const lock = await target.database.lock()
    // A sealed database gives no lock, and is refused in other words.
    if (!lock && !(await sealOf(to.url)))
      return refuse(`A cloud serves ${to.name}, or another move fills it. Stop that one first.`)
    if (lock) closing.push(() => lock.release())
    return await work(target)
  } catch (error) {
    throw inWordsOfEither(error, ends)
  } finally {
    for (const close of closing.reverse()) await close().catch(() => {})
  }
}

/** Moves the data; `tell` shows a person how far it is. */
export const moveWork =
  (tell: MoveParts['tell']): FileWork =>
  async (parts, options) => {
    const to = await targetOf(parts, options)
    if (!isNamed(to)) return to
    return moveTo(parts, { from: await namedOf(parts.config.databaseUrl, 'DATABASE_URL'), to }, tell)
  }
