// `callgate move`: opens both databases, lets the data move, and says what comes then.

import { realpath } from 'node:fs/promises'
import { readNamed } from '../backup/operatorFiles.ts'
import { type Database, explained, fileOf } from '../database/database.ts'
import { isServer, serverName } from '../database/databaseAddress.ts'
import { advice, codeOf } from '../database/databaseCodes.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { openFound } from '../database/foundDatabase.ts'
import { schemaState } from '../database/migrations/schemaState.ts'
import { type FileSeal, finishMove, moveStateOf, refusalOf, sealOf } from '../database/moveMarks.ts'
import { openData } from '../database/openData.ts'
import { databaseFaults } from '../health/production.ts'
import { type MoveParts, moveData, NotMoved } from '../move/move.ts'
import { claimTarget, clockWarning } from '../move/target.ts'
import { readKeyring } from '../secrets/keyring.ts'
import { type FileWork, type Options, refuse, type Said } from './commandWork.ts'

type MoveGiven = Parameters<FileWork>[0]

/** How long the move waits while another program writes to the file, milliseconds. */
const lockedWithinMs = 10_000

const form = 'postgres://USER:PASSWORD@HOST:5432/NAME'

/** The new database, as the operator names it. */
interface Target {
  readonly url: string
  /** Without its password. */
  readonly name: string
  readonly option: '--to' | '--to-file'
}

const isTarget = (read: Target | Said): read is Target => 'url' in read

async function targetOf({ config, files }: MoveGiven, { to, toFile }: Options): Promise<Target | Said> {
  if ((to === undefined) === (toFile === undefined))
    return refuse(
      `Give --to-file and a file that holds ${form}; or --to and the address, where it has no password.`,
    )
  const read = toFile === undefined ? String(to) : await readNamed(files, toFile)
  if (toFile !== undefined && typeof read === 'string') return refuse(`${toFile} ${read}.`)
  const url = String(read).trim()
  const option = toFile === undefined ? '--to' : '--to-file'
  if (!isServer(url))
    return refuse(`${option} must give ${form}. This command moves from SQLite to Postgres only.`)
  const faults = config.isProduction ? databaseFaults({ ...config, databaseUrl: url }) : []
  const fault = faults.find(each => each !== undefined)
  return fault === undefined
    ? { url, name: serverName(url), option }
    : refuse(`NODE_ENV=production: ${fault.replace('DATABASE_URL', option)}.`)
}

/** A trouble of the new database, in words about the option that names it. */
function ofTarget(error: unknown, { option, url }: Target): unknown {
  const known = explained(error, url)
  return known instanceof DatabaseError
    ? new DatabaseError(known.trouble, known.message.replaceAll('DATABASE_URL', option))
    : known
}

/** The trouble of one of the databases, in words about that one. */
function ofEither(error: unknown, file: string, to: Target): unknown {
  if (error instanceof DatabaseError) return error
  return codeOf(error).startsWith('SQLITE') ? explained(error, file) : ofTarget(error, to)
}

/** The words for the end of the move. */
function sayMoved(file: string, { name, option }: Target, rows: ReadonlyMap<string, number>): Said {
  const count = [...rows.values()].reduce((sum, of) => sum + of, 0)
  const address = option === '--to-file' ? 'DATABASE_URL_FILE to that file' : 'DATABASE_URL to that address'
  const text = [
    rows.size === 0
      ? `The move to ${name} is finished: all was there already.`
      : `All ${count} rows of ${rows.size} tables are in ${name}.`,
    `${file} is sealed for good: nothing serves or changes it any more. Keep it until the first backup of the new database.`,
    `Set ${address}, leave CALLGATE_DATA as it is, and start "callgate serve". See "From SQLite to Postgres" in databases.md.`,
  ].join('\n')
  return { ok: true, json: { from: file, to: name, rows: Object.fromEntries(rows) }, text }
}

/** Finishes a move that was stopped after the seal; refuses where the data went elsewhere. */
async function finishSealed(file: string, seal: FileSeal, to: Target, target: Database): Promise<Said> {
  const state = await moveStateOf(target.knex)
  if (state?.kind !== 'moving' || state.moveId !== seal.moveId) return refuse(refusalOf(seal).message)
  await finishMove(target, seal)
  return sayMoved(file, to, new Map())
}

interface Opened {
  readonly file: string
  readonly source: Database
  readonly target: Database
  readonly to: Target
}

/** The end of a message about a move that was stopped. */
const nextStep = async (file: string, { name }: Target) =>
  (await sealOf(file))
    ? `Everything is in ${name}, and the file is sealed. Run the same command again to finish, or start "callgate serve" there.`
    : 'The file is not sealed, and can be served as before. Run the same command again to go on.'

/** Moves between databases that are open, and of which nobody serves one. */
async function moveOpened(
  { config, world }: MoveGiven,
  { file, source, target, to }: Opened,
  tell: MoveParts['tell'],
): Promise<Said> {
  const loaded = await readKeyring(world, config.keys)
  if (!loaded.ok) return refuse(loaded.message)
  if ((await schemaState(source.knex)) !== 'current') return refuse(advice.too_new(file))
  const why = await claimTarget(target, { file, name: to.name, world })
  if (why !== undefined) return refuse(why)
  const warning = await clockWarning(target, world)
  if (warning !== undefined) tell(warning)
  const { seal } = loaded.keyring
  try {
    const rows = await moveData({ source, file, target, to: to.name, seal, world, tell })
    return sayMoved(file, to, rows)
  } catch (error) {
    const known = error instanceof NotMoved ? error : ofEither(error, file, to)
    if (!(known instanceof NotMoved || known instanceof DatabaseError)) throw known
    return refuse(`${known.message} ${await nextStep(file, to)}`)
  }
}

/** Opens both databases and takes the locks of their servers. */
async function moveTo(parts: MoveGiven, file: string, to: Target, tell: MoveParts['tell']): Promise<Said> {
  const { world } = parts
  const onWait = () => tell('Another program writes to the database; waiting for it.')
  const patience = { world, withinMs: lockedWithinMs, onWait }
  const sealed = await sealOf(file)
  const closing: (() => Promise<void>)[] = []
  try {
    let work: (target: Database) => Promise<Said>
    if (sealed) work = target => finishSealed(file, sealed, to, target)
    else {
      const source = await openFound({ url: file, world, patience })
      closing.push(() => source.close())
      const lock = await source.lock()
      if (!lock) return refuse(`A cloud serves ${file}. Stop it, and move then.`)
      closing.push(() => lock.release())
      work = target => moveOpened(parts, { file, source, target, to }, tell)
    }
    const target = await openData({ url: to.url, world, patience }).catch((error: unknown) => {
      throw ofTarget(error, to)
    })
    closing.push(() => target.close())
    const other = await target.lock()
    if (!other) return refuse(`A cloud serves ${to.name}, or another move fills it. Stop that one first.`)
    closing.push(() => other.release())
    return await work(target)
  } catch (error) {
    throw ofEither(error, file, to)
  } finally {
    for (const close of closing.reverse()) await close().catch(() => {})
  }
}

/** Moves the data; `tell` shows a person how far it is. */
export const moveWork =
  (tell: MoveParts['tell']): FileWork =>
  async (parts, options) => {
    const { databaseUrl } = parts.config
    if (isServer(databaseUrl))
      return refuse(
        `DATABASE_URL names ${serverName(databaseUrl)}. Leave it at the SQLite file, or unset, until the data is moved; "callgate move" knows no other way than from SQLite to Postgres.`,
      )
    const to = await targetOf(parts, options)
    if (!isTarget(to)) return to
    const file = fileOf(databaseUrl)
    return moveTo(parts, await realpath(file).catch(() => file), to, tell)
  }
