// A move between SQLite and Postgres is killed before many of its statements: exactly one of the two can be served, and a second run
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
import { moveData } from '@callgate/cloud/move/move'
import { rowsOf, stoppedCloud, tablesOf } from '@callgate/cloud/move/move.kit'
import { claimTarget } from '@callgate/cloud/move/target'
import type { Seal } from '@callgate/cloud/secrets/sealing'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'

const world = realWorld({ logLevel: 'silent' })
let folder = ''
let seal: Seal
const running: ChildProcess[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-move-kill-'))
  seal = (await stoppedCloud(join(folder, 'data'))).seal
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true })
})

type Direction = 'there' | 'back'

interface Data {
  readonly folder: string
  /** The SQLite file, and the Postgres. */
  readonly file: string
  readonly url: string
}

/** The same data each time, and an empty database for it. */
async function fresh(name: string, direction: Direction): Promise<Data> {
  const data = join(folder, name)
  cpSync(join(folder, 'data'), data, { recursive: true })
  const filled = { folder: data, file: join(data, 'callgate.sqlite'), url: await emptyPostgres() }
  if (direction === 'there') return filled
  await both(filled, 'there', async (file, server) => {
    const source = { database: file, url: filled.file, name: filled.file }
    const target = { database: server, url: filled.url, name: 'postgres' }
    expect(await claimTarget(source, target, world)).toBeUndefined()
    await moveData({ source, target, seal, world, tell: () => {} })
  })
  return { ...filled, file: join(data, 'back.sqlite') }
}

/** Runs the move to its end, or until it dies; resolves with the number of its statements where it lives. */
async function run(data: Data, direction: Direction, diesAt = 0): Promise<number | undefined> {
  const given = [data.folder, data.file, data.url, direction, String(diesAt)]
  const child = fork(new URL('moveKillServer.ts', import.meta.url), given, {
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
 * Whether a cloud can start on the data: `serve` begins with the migration. An empty database, into which nothing has been moved
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

/** Opens the source of the move first, then its target. */
async function both<T>(
  data: Data,
  direction: Direction,
  work: (source: Database, target: Database) => Promise<T>,
) {
  const file = await openDatabase({ url: data.file })
  const server = await openPostgres({ url: data.url })
  try {
    return await (direction === 'there' ? work(file, server) : work(server, file))
  } finally {
    await Promise.all([file.close(), server.close()])
  }
}

// In the migrations, as the tables are loosened, copied and tightened; in the seal, which writes one or three triggers for each
// table; and as the mark is taken away, by the last statements.
const pointsOf: Readonly<Record<Direction, readonly number[]>> = {
  there: [-60, 1, 40, 120, 220, 300],
  back: [-60, 20, 150],
}
const beforeTheEnd = [100, 3, 2, 1, 0]

it.each(['there', 'back'] as const)(
  'exactly one side can be served, whichever statement the move %s is killed before',
  async direction => {
    const whole = await fresh(`whole-${direction}`, direction)
    const statements = (await run(whole, direction)) ?? 0
    const bothStart = (data: Data) =>
      both(data, direction, async (source, target) => [await canStart(source), await canStart(target)])
    expect(await bothStart(whole)).toEqual([false, true])
    const starts: string[] = []
    for (const diesAt of [...pointsOf[direction], ...beforeTheEnd.map(before => statements - before)]) {
      const data = await fresh(`${direction}-${diesAt}`, direction)
      await run(data, direction, diesAt)
      const can = await bothStart(data)
      expect([diesAt, can.filter(each => each).length]).toEqual([diesAt, 1])
      starts.push(can[0] ? 'source' : 'target')
      if (can[0]) await run(data, direction)
      expect(await bothStart(data)).toEqual([false, true])
      await both(data, direction, async (source, target) => {
        const names = await tablesOf(direction === 'there' ? target : source)
        expect(await rowsOf(target.knex, names)).toEqual(await rowsOf(source.knex, names))
      })
    }
    // Both kinds of death were met, the one before the seal first.
    expect(starts.join(' ')).toMatch(/^(source )+(target ?)+$/)
  },
)
