import { callProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/idPrefix'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readOpenings } from '../history/openingReads.ts'
import { openingRow } from '../opening/openingRow.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { emptyPostgres } from './postgres.kit.ts'
import { openPostgres } from './postgres.ts'

const world = fakeWorld(5)
const rows = 30_000
const pieces = rows / 5_000
const memberId = newId(world, idPrefix.member)
const gateId = newId(world, idPrefix.gate)
let database: Database
let spaceId = ''

beforeAll(async () => {
  database = await openPostgres({ url: await emptyPostgres() })
  await migrate(database)
  spaceId = await newSpace({ database, world })
  const profile = JSON.stringify(callProfile({ mode: 'reject' }))
  const gate = {
    id: gateId,
    spaceId,
    phoneNumber: '+40722000001',
    name: 'North',
    location: '',
    isActive: true,
  }
  await database.write(async tx => {
    await tx('gates').insert({ ...gate, createdAt: '2026-01-01T00:00:00.000Z', callProfile: profile })
    const ended = { completedAt: '2026-03-01T00:00:00.000Z', status: 'completed', reason: 'completed' }
    const row = { ...openingRow, ...ended, spaceId, gateId, memberId, apiKeyId: null }
    const { calledAt: _, id: __, ...same } = row
    const columns = Object.keys(same)
    await tx.raw(
      `insert into openings ("id", "calledAt", ${columns.map(() => '??').join(', ')})
       select 'open_' || lpad(n::text, 26, '0'),
         to_char(timestamp '2026-01-01' + n * interval '1 minute', 'YYYY-MM-DD"T"HH24:MI:SS".000Z"'),
         ${columns.map(() => '?').join(', ')} from generate_series(1, ${rows}) n`,
      [...columns, ...Object.values(same)] as never[],
    )
  })
  await database.knex.raw('analyze openings')
})
afterAll(() => database.close())

const depth = { settledBefore: '2026-06-01T00:00:00.000Z', turn: async () => {} }
const nothing = { status: 'timeout' } as const
const list = () =>
  readOpenings(database.knex, { spaceId, gateId, memberId, ...nothing }, { limit: 50 }, depth)

it('searches a member with many openings by short statements, each limited to its piece', async () => {
  const asked: string[] = []
  database.knex.on('query', ({ sql }: { sql: string }) => asked.push(sql))
  expect(await list()).toMatchObject({ rows: [], hasMore: false })
  database.knex.removeAllListeners('query')
  const looked = asked.filter(sql => sql.includes('"status" ='))
  expect(looked).toHaveLength(pieces + 1)
  for (const sql of looked.slice(0, pieces)) expect(sql).toMatch(/\("calledAt", "id"\) >= \(/)
})

it('leaves connections to others, however many such lists a Space requests at once', async () => {
  const { pool } = database.knex.client
  const used: number[] = []
  database.knex.on('query', () => used.push(pool.numUsed() + pool.numPendingAcquires()))
  await Promise.all(Array.from({ length: 12 }, list))
  database.knex.removeAllListeners('query')
  expect(used.length).toBeGreaterThan(12 * pieces)
  // The first pieces of all lists are read at once.
  expect(Math.max(...used.slice(12 * 5))).toBeLessThanOrEqual(2)
})
