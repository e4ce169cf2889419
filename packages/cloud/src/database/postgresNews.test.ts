import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteEvents } from './commits.ts'
import type { Database } from './database.ts'
import { emptyPostgres } from './postgres.kit.ts'
import { openPostgres } from './postgres.ts'

let url = ''
let one: Database
let other: Database
let world: ReturnType<typeof fakeWorld>
beforeEach(async () => {
  url = await emptyPostgres()
  world = fakeWorld(1)
  one = await openPostgres({ url, world })
  other = await openPostgres({ url, world })
})
afterEach(() => Promise.all([one.close(), other.close()]))

const turn = () => new Promise(resolve => setImmediate(resolve))
async function until(fact: () => boolean): Promise<void> {
  while (!fact()) await turn()
}

/** The Spaces in the news that a process receives. It listens once the first commit of `from` has reached it. */
async function heardBy(database: Database, from: Database): Promise<string[]> {
  const heard: string[] = []
  database.onEvents(spaceIds => heard.push(...spaceIds))
  while (heard.length === 0) {
    await commit(from, 'first')
    await turn()
  }
  return heard
}
const eventOf = (spaceId: string) => ({ spaceId, seq: 1, at: '', kind: 'gate.created', targetId: 'gate_a' })
const commit = (database: Database, ...spaceIds: readonly string[]) =>
  database.write(async tx => {
    for (const spaceId of spaceIds) noteEvents(tx, eventOf(spaceId))
  })

it('informs another process of each commit with events, and its own process once', async () => {
  const heard = await heardBy(other, one)
  const own: string[] = []
  one.onEvents(spaceIds => own.push(...spaceIds))
  await heardBy(one, other)
  own.length = 0
  await commit(one, 'space_a', 'space_b')
  await until(() => heard.includes('space_b'))
  expect(heard).toContain('space_a')
  expect(own.filter(spaceId => spaceId !== 'first')).toEqual(['space_a', 'space_b'])
})

it('informs nobody where it serves the data alone, and hears of the commits of a command', async () => {
  const heard = await heardBy(other, one)
  const own = await heardBy(one, other)
  const asked: string[] = []
  one.knex.client.on('query', ({ sql }: { sql: string }) => asked.push(sql))
  const lock = await one.lock('alone')
  heard.length = 0
  await commit(one, 'space_a')
  await commit(other, 'space_b')
  await until(() => own.includes('space_b'))
  expect(heard.filter(spaceId => spaceId === 'space_a')).toEqual([])
  expect(asked.filter(sql => sql.includes('pg_notify'))).toEqual([])
  await lock?.release()
})

it('informs another process of the last event of a commit, which identifies the commit', async () => {
  const seen: string[] = []
  const nothing = { settleMs: 0, world, marked() {}, mark: async () => {} }
  other.guardBy({
    ...nothing,
    isWhole: async () => true,
    committed: ({ spaceId }) => void seen.push(spaceId),
  })
  while (!seen.includes('space_b')) {
    await commit(one, 'space_a', 'space_b')
    await turn()
  }
  expect(seen).not.toContain('space_a')
})

it('informs of more Spaces than one message holds', async () => {
  const heard = await heardBy(other, one)
  const many = Array.from({ length: 1_000 }, (_, place) => `space_${'x'.repeat(26)}${place}`)
  await commit(one, ...many)
  await until(() => heard.includes(many.at(-1) ?? ''))
  expect(heard.filter(spaceId => spaceId !== 'first')).toEqual(many)
})

it('does not inform of a transaction that is rolled back', async () => {
  const heard = await heardBy(other, one)
  const failing = one.write(async tx => {
    noteEvents(tx, eventOf('space_lost'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await commit(one, 'space_a')
  await until(() => heard.includes('space_a'))
  expect(heard).not.toContain('space_lost')
})

it('listens again after its connection was lost', async () => {
  const heard = await heardBy(other, one)
  await one.knex.raw(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()",
  )
  await until(() => world.lines.some(({ message }) => message === 'news of other processes are not heard'))
  await world.advance(1_000)
  const before = heard.length
  while (heard.length === before) {
    await commit(one, 'space_again')
    await turn()
  }
  expect(heard.slice(before)).toContain('space_again')
})
