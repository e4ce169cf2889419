// A real Postgres server from npm, for the tests of one run.

import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresFolder, runner } from './postgresBinaries.ts'
import { checkSpaceLocks } from './spaceLocks.ts'

export interface PostgresServer {
  /** Makes a database, empty or with the tables of this version. */
  newDatabase(isMigrated: boolean): Promise<{ readonly name: string; readonly url: string }>
  dropDatabase(name: string): Promise<void>
  /** Ends the server and removes its files. */
  stop(): Promise<void>
}

/** Settings for tests. The server may lose data when the machine stops, and unneeded features are off. */
export const quick = [
  'fsync=off',
  'full_page_writes=off',
  'synchronous_commit=off',
  'autovacuum=off',
  'jit=off',
]
const password = 'for-tests'

/** Starts a program of Postgres. Its messages come on standard error. */
export function run(program: string, args: readonly string[]): ChildProcess {
  const command = join(postgresFolder(), 'bin', program)
  return spawn(command, args, { ...runner, stdio: ['ignore', 'ignore', 'pipe'] })
}

/** Resolves when the program has ended or has printed `word`. Rejects with its last output when it fails. */
export function until(child: ChildProcess, word?: string): Promise<void> {
  let words = ''
  return new Promise((resolve, reject) => {
    child.stderr?.on('data', bytes => {
      words = `${words}${bytes}`.slice(-2_000)
      if (word !== undefined && words.includes(word)) resolve()
    })
    child.once('error', reject)
    child.once('exit', code => {
      if (code === 0) resolve()
      else reject(new Error(`Postgres does not start: ${words}`))
    })
  })
}

export interface ServerFiles {
  /** The server program and its arguments. It listens only on a socket in the folder. */
  readonly program: string
  readonly args: readonly string[]
  readonly socket: string
  /** The address of a database on this server: over the socket, or over `host` where it is given. */
  urlOf(name: string, host?: string): string
}

/** Makes the files of an empty server in a folder, for the user `runner`. */
export async function newServerFiles(folder: string): Promise<ServerFiles> {
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, password)
  if (runner) for (const path of [folder, passwordFile]) chownSync(path, runner.uid, runner.gid)
  const login = ['-U', 'postgres', '-A', 'password', `--pwfile=${passwordFile}`]
  const order = ['--no-sync', '--no-instructions', '--locale=C', '--encoding=UTF8']
  await until(run('initdb', ['-D', data, ...login, ...order]))
  const url = `postgres://postgres:${password}@`
  return {
    program: join(postgresFolder(), 'bin', 'postgres'),
    args: ['-D', data, '-k', folder, '-c', 'listen_addresses='],
    socket: join(folder, '.s.PGSQL.5432'),
    urlOf: (name, host) =>
      host ? `${url}${host}/${name}` : `${url}/${name}?host=${encodeURIComponent(folder)}`,
  }
}

/** For a copy of a database, in milliseconds. */
const longestCopyMs = 120_000

interface ServerOptions {
  /** Commits that the server has acknowledged survive a stop of the machine. */
  readonly isDurable?: boolean
  /** Additional settings, as `name=value`. */
  readonly more?: readonly string[]
}

/**
 * Starts a server that listens on a socket in its own folder only. Rejects with the server's last output when it does not start.
 */
export async function startPostgres({
  isDurable = false,
  more = [],
}: ServerOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-postgres-'))
  const { args, urlOf } = await newServerFiles(folder)
  const settings = [...(isDurable ? [] : quick), ...more].flatMap(setting => ['-c', setting])
  const server = run('postgres', [...args, ...settings])
  await until(server, 'ready to accept connections')

  const { openPostgres } = await import('@callgate/cloud/database/postgres')
  const operator = await openPostgres({ url: urlOf('postgres') })
  /** Runs what takes longer on a busy machine than the program lets a statement take. */
  async function unhurried(text: string): Promise<void> {
    const { client } = operator.knex
    const session = await client.acquireConnection()
    try {
      await session.query('set statement_timeout = 0')
      await session.query({ text, query_timeout: longestCopyMs })
    } finally {
      await client.releaseConnection(session)
    }
  }

  /** Makes the database that all others are copied from: a copy takes a tenth of the time of the migrations. */
  async function makeTemplate(): Promise<void> {
    await unhurried('create database migrated strategy file_copy')
    const { migrate } = await import('@callgate/cloud/database/migrate')
    const database = await openPostgres({ url: urlOf('migrated') })
    await migrate(database)
    await checkSpaceLocks(database)
    await database.close()
  }

  let template: Promise<void> | undefined
  let made = 0
  return {
    async newDatabase(isMigrated) {
      if (isMigrated) {
        template ??= makeTemplate()
        await template
      }
      made += 1
      const name = `test${made}`
      const original = isMigrated ? 'migrated' : 'template1'
      await unhurried(`create database ${name} template ${original} strategy file_copy`)
      return { name, url: urlOf(name) }
    },
    async dropDatabase(name) {
      await unhurried(`drop database ${name} with (force)`)
    },
    async stop() {
      await operator.close()
      const ended = new Promise(resolve => server.once('exit', resolve))
      // Fast shutdown: it does not wait for clients (https://www.postgresql.org/docs/current/server-shutdown.html).
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
