// Two real Postgres servers, one of them the standby of the other by streaming replication, and a fixed place where clients find
// the serving one.

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '@callgate/cloud/database/migrate'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { runner } from './postgresBinaries.ts'
import { newServerFiles, quick, run, type ServerFiles, until } from './postgresServer.ts'

export interface ReplicatedPair {
  /** The database with the tables of this version, at the current server. */
  readonly url: string
  /** Cuts the standby off: it receives no later commits. */
  cutOff(): Promise<void>
  /** Ends the primary without notice, promotes the standby, and lets clients find it. */
  failOver(): Promise<void>
  stop(): Promise<void>
}

const start = async ({ args }: Pick<ServerFiles, 'args'>, more: readonly string[]) => {
  const settings = [...quick, ...more].flatMap(setting => ['-c', setting])
  const server = run('postgres', [...args, ...settings])
  await until(server, 'ready to accept')
  return server
}

const end = async (server: ReturnType<typeof run>, signal: 'SIGINT' | 'SIGQUIT') => {
  if (server.exitCode !== null) return
  const ended = once(server, 'exit')
  server.kill(signal)
  await ended
}

/** Sends one query to a server. */
async function asked(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const database = await openPostgres({ url })
  try {
    const { rows } = await database.knex.raw(sql)
    return rows
  } finally {
    await database.close()
  }
}

async function untilTrue(url: string, sql: string): Promise<void> {
  while (!(await asked(url, `select (${sql}) as "isTrue"`))[0]?.['isTrue']) await pause(20)
}

/** With `isSynchronous`, a commit is answered when the standby has it as well. */
export async function startPair(isSynchronous: boolean): Promise<ReplicatedPair> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-pair-'))
  execFileSync('chmod', ['755', folder])
  const [one, two] = ['one', 'two'].map(name => join(folder, name)) as [string, string]
  const [now, next] = [join(folder, 'now'), join(folder, 'next')]
  mkdirSync(one)
  const files = await newServerFiles(one)
  const first = await start(files, [])
  await asked(files.urlOf('postgres'), 'create database pair')
  const database = await openPostgres({ url: files.urlOf('pair') })
  await migrate(database)
  await database.close()
  await end(first, 'SIGINT')
  // A copy of a server that was stopped is a base for a standby.
  execFileSync('cp', ['-a', one, two])
  writeFileSync(join(two, 'data', 'standby.signal'), '', { mode: 0o600 })
  if (runner) execFileSync('chown', ['-R', `${runner.uid}:${runner.gid}`, two])
  const ofTwo = { args: files.args.map(arg => (arg === one ? two : arg.replace(`${one}/`, `${two}/`))) }
  const urlOf = (socket: string) =>
    files.urlOf('pair').replace(encodeURIComponent(one), encodeURIComponent(socket))
  const synchronously = isSynchronous ? ['synchronous_standby_names=*'] : []
  const primary = await start(files, synchronously)
  const { password } = new URL(files.urlOf('pair').replace('@/', '@host/'))
  const source = `host=${one} user=postgres password=${password} application_name=standby`
  const standby = await start(ofTwo, [])
  await asked(urlOf(two), `alter system set primary_conninfo = '${source}'`)
  await asked(urlOf(two), 'select pg_reload_conf()')
  await untilTrue(urlOf(one), `select count(*) > 0 from pg_stat_replication where state = 'streaming'`)
  if (isSynchronous)
    await untilTrue(urlOf(one), `select count(*) > 0 from pg_stat_replication where sync_state = 'sync'`)
  symlinkSync(one, now)
  return {
    url: urlOf(now),
    async cutOff() {
      await asked(urlOf(two), `alter system set primary_conninfo = ''`)
      await asked(urlOf(two), 'select pg_reload_conf()')
      await untilTrue(urlOf(one), 'select count(*) = 0 from pg_stat_replication')
    },
    async failOver() {
      await end(primary, 'SIGQUIT')
      await asked(urlOf(two), 'select pg_promote()')
      symlinkSync(two, next)
      renameSync(next, now)
    },
    async stop() {
      await Promise.all([end(primary, 'SIGQUIT'), end(standby, 'SIGQUIT')])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
