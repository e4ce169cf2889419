// Real streaming replication in a house: a standby of the serving server, made while that serves, and promoted to replace it.

import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Database } from '@callgate/cloud/database/database'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { runner } from '../../postgres/postgresBinaries.ts'
import type { ServerFiles } from '../../postgres/postgresServer.ts'
import type { PartProcess, Program } from './processes.ts'

export interface Standbys {
  /** The server that serves now. */
  readonly serving: PartProcess
  /**
   * Makes a standby, unless there is one. Resolves when it receives the commits; with synchronous replication it does so before
   * they are answered.
   */
  make(isSynchronous: boolean): Promise<void>
  /** From now on the standby receives nothing more. */
  cutOff(): Promise<void>
  /** Ends the serving server without notice. Its standby then serves. */
  promote(): Promise<void>
  close(): Promise<void>
}

/** In the folder of the first server: a link to the folder of the serving one, where clients find its socket. */
export const servingLink = (folder: string) => join(folder, 'now')

/** The size of the log that is kept for a standby. */
export const forStandbys = ['-c', 'wal_keep_size=512MB']

function pointTo(folder: string, serving: string): void {
  const next = `${servingLink(folder)}-next`
  symlinkSync(serving, next)
  renameSync(next, servingLink(folder))
}

/** The folder of the first server, where clients find the serving one. */
export function laidOut(folder: string): string {
  pointTo(folder, folder)
  return servingLink(folder)
}

interface Server {
  readonly folder: string
  readonly part: PartProcess
}

const withinMs = 30_000

async function untilTrue({ knex }: Database, sql: string): Promise<void> {
  const endMs = performance.now() + withinMs
  for (;;) {
    const { rows } = await knex.raw(`select (${sql}) as "isTrue"`)
    if (rows[0].isTrue) return
    if (performance.now() > endMs) throw new Error(`the server does not say so: ${sql}`)
    await pause(20)
  }
}

/** A copy of the files of a server, made while it serves. */
async function copyOf({ knex }: Database, from: string, to: string): Promise<void> {
  // One session without a transaction, which would be ended while the files are copied.
  const session = await knex.client.acquireConnection()
  await session.query(`select pg_backup_start('standby', true)`)
  // Files that vanish meanwhile are not needed by a standby, but make the copy fail.
  await promisify(execFile)('cp', ['-a', join(from, 'data'), to]).catch(() => {})
  const { rows } = await session.query('select labelfile from pg_backup_stop(false)')
  await knex.client.releaseConnection(session)
  const label = String(rows[0].labelfile)
  const data = join(to, 'data')
  rmSync(join(data, 'postmaster.pid'), { force: true })
  writeFileSync(join(data, 'backup_label'), label, { mode: 0o600 })
  writeFileSync(join(data, 'standby.signal'), '', { mode: 0o600 })
}

/** Queries and commands of a superuser to a server, through the socket in its folder. */
function superuser(folder: string, urlOf: ServerFiles['urlOf']) {
  async function at<T>(server: string, work: (database: Database) => Promise<T>): Promise<T> {
    const url = urlOf('postgres').replace(encodeURIComponent(folder), encodeURIComponent(server))
    const database = await openPostgres({ url })
    return work(database).finally(database.close)
  }
  return {
    at,
    until: (server: string, sql: string) => at(server, database => untilTrue(database, sql)),
    set: (server: string, name: string, value: string) =>
      at(server, async ({ knex }) => {
        await knex.raw(`alter system set ${name} = '${value}'`)
        await knex.raw('select pg_reload_conf()')
      }),
  }
}

/** The process of the current server. */
const whichever = (now: () => PartProcess): PartProcess => ({
  start: () => now().start(),
  kill: () => now().kill(),
  end: () => now().end(),
  pause: () => now().pause(),
  resume: () => now().resume(),
  ended: () => now().ended(),
  revive: () => now().revive(),
  lives: () => now().lives(),
  absences: () => now().absences(),
})

/** Lets a copy in the folder `own` follow the server of the folder `from`. */
function follow(own: string, from: string, urlOf: ServerFiles['urlOf']): void {
  const { password } = new URL(urlOf('postgres').replace('@/', '@host/'))
  const source = `host=${from} user=postgres password=${password} application_name=standby`
  const settings = `primary_conninfo = '${source}'\nsynchronous_standby_names = ''\n`
  appendFileSync(join(own, 'data', 'postgresql.auto.conf'), settings)
  if (runner) execFileSync('chown', ['-R', `${runner.uid}:${runner.gid}`, own])
}

/** `first` is the process of the first server, in `folder`; `part` makes one of another server. */
export function createStandbys(
  folder: string,
  { args, program, urlOf }: ServerFiles,
  first: PartProcess,
  part: (program: Program, name: string) => PartProcess,
): Standbys {
  const { at, set, until } = superuser(folder, urlOf)
  let serving: Server = { folder, part: first }
  let standby: (Server & { readonly isSynchronous: boolean }) | undefined
  const made: Server[] = []

  /** The current standby. */
  function taken() {
    if (!standby) throw new Error('there is no standby')
    return standby
  }

  async function make(): Promise<Server> {
    const own = join(folder, `standby${made.length}`)
    mkdirSync(own)
    await at(serving.folder, database => copyOf(database, serving.folder, own))
    follow(own, serving.folder, urlOf)
    const places = new Map([folder, join(folder, 'data')].map(path => [path, path.replace(folder, own)]))
    const ownArgs = args.map(arg => places.get(arg) ?? arg)
    const process = part(
      { program, args: ownArgs, user: runner, killedBy: 'SIGQUIT' },
      `standby${made.length}`,
    )
    process.start()
    const newest = { folder: own, part: process }
    made.push(newest)
    await until(serving.folder, `select count(*) > 0 from pg_stat_replication where state = 'streaming'`)
    return newest
  }

  return {
    serving: whichever(() => serving.part),
    async make(isSynchronous) {
      if (standby?.isSynchronous === isSynchronous) return
      if (standby) throw new Error('the standby is of the other kind')
      const newest = await make()
      if (isSynchronous) {
        await set(serving.folder, 'synchronous_standby_names', '*')
        await until(serving.folder, `select count(*) > 0 from pg_stat_replication where sync_state = 'sync'`)
      }
      standby = { ...newest, isSynchronous }
    },
    async cutOff() {
      await set(taken().folder, 'primary_conninfo', '')
      await until(serving.folder, 'select count(*) = 0 from pg_stat_replication')
    },
    async promote() {
      const next = taken()
      standby = undefined
      serving.part.kill()
      await serving.part.ended()
      await at(next.folder, ({ knex }) => knex.raw('select pg_promote()'))
      pointTo(folder, next.folder)
      serving = next
    },
    async close() {
      for (const { part } of made) part.kill()
      await Promise.all(made.map(({ part }) => part.ended()))
    },
  }
}
