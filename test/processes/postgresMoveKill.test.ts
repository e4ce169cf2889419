// A move from SQLite to Postgres is killed before many of its statements: exactly one of the two can be served, and a second run
// brings all rows over.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, databaseTrouble, openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { emptyPostgres } from '@callgate/cloud/database/postgres.kit'
import { rowsOf, stoppedCloud, tablesOf } from '@callgate/cloud/move/move.kit'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder = ''
const running: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-move-kill-'))
  await stoppedCloud(join(folder, 'data'))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

/** The same data each time, and an empty Postgres. */
async function fresh(name: string) {
  const data = join(folder, name)
  cpSync(join(folder, 'data'), data, { recursive: true })
  return { data, url: await emptyPostgres() }
}

/** Runs the move to its end, or until it dies; resolves with the number of its statements where it lives. */
async function run({ data, url }: { data: string; url: string }, diesAt = 0): Promise<number | undefined> {
  const child = fork(new URL('moveKillServer.ts', import.meta.url), [data, url, String(diesAt)], {
    execArgv: ['--import', 'tsx'],
  })
  running.push(child)
  let statements: number | undefined
  child.on('message', (count: number) => {
    statements = count
  })
  const [code, signal] = await once(child, 'exit')
  expect([code, signal]).toEqual(diesAt === 0 ? [0, null] : [null, 'SIGKILL'])
  return statements
}

/**
 * Whether a cloud can start on the data: `serve` begins with the migration. An empty Postgres, into which nothing has been moved
 * yet, starts without it.
 */
async function canStart(database: Database): Promise<boolean> {
  try {
    await migrate(database)
    return (await database.knex('spaces')).length > 0
  } catch (error) {
    expect(databaseTrouble(error)).toBe('moved')
    return false
  }
}

async function both<T>(
  { data, url }: { data: string; url: string },
  work: (file: Database, server: Database) => Promise<T>,
) {
  const file = await openDatabase({ url: join(data, 'callgate.sqlite') })
  const server = await openPostgres({ url })
  try {
    return await work(file, server)
  } finally {
    await Promise.all([file.close(), server.close()])
  }
}

it('exactly one side can be served, whichever statement the move is killed before', async () => {
  const whole = await fresh('whole')
  const statements = (await run(whole)) ?? 0
  expect(await both(whole, async (file, server) => [await canStart(file), await canStart(server)])).toEqual([
    false,
    true,
  ])
  // In the migrations, as the tables are loosened, copied and tightened; in the seal, which writes three triggers for each table;
  // and as the mark is taken away, by the last three statements.
  const points = [-60, 1, 40, 120, 220, 300, ...[100, 3, 2, 1, 0].map(before => statements - before)]
  const starts: string[] = []
  for (const diesAt of points) {
    const data = await fresh(`data-${diesAt}`)
    await run(data, diesAt)
    await both(data, async (file, server) => {
      const can = [await canStart(file), await canStart(server)]
      expect([diesAt, can.filter(each => each).length]).toEqual([diesAt, 1])
      starts.push(can[0] ? 'file' : 'postgres')
    })
    if (starts.at(-1) === 'file') await run(data)
    await both(data, async (file, server) => {
      expect([await canStart(file), await canStart(server)]).toEqual([false, true])
      const names = await tablesOf(server)
      expect(await rowsOf(server.knex, names)).toEqual(await rowsOf(file.knex, names))
    })
  }
  // Both kinds of death were met, the one before the seal first.
  expect(starts.join(' ')).toMatch(/^(file )+(postgres ?)+$/)
})
