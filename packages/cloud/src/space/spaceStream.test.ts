import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { readEventsAfter, readNewestSeq } from '../event/eventRows.ts'
import { isEventStream } from '../event/eventStreams.ts'
import { type EventKind, recordEvents } from '../event/events.ts'
import { principalIn, requestOf } from '../http/requests.kit.ts'
import { newSpace } from './space.kit.ts'
import { eventHandlers } from './spaceStream.ts'

let world: FakeWorld
let database: Database
let spaceId: string

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ world, database })
})
afterEach(() => database.close())

async function record(...kinds: readonly EventKind[]): Promise<void> {
  const events = kinds.map(kind => ({ kind, targetId: 'gate_a', atMs: world.nowMs() }))
  await database.write(tx => recordEvents(tx, spaceId, events))
}

/** The beginning of the stream for a key with these scopes. */
async function begin(scopes: readonly string[], lastEventId?: string, gateIds: string[] | null = null) {
  const asked = requestOf<'followEvents'>(database, principalIn(spaceId))
  const principal = { ...asked.principal, scopes, gateIds } as typeof asked.principal
  const stream = await eventHandlers({ world, database }).followEvents({ ...asked, principal, lastEventId })
  if (!isEventStream(stream)) throw new Error('no stream')
  return stream.begin()
}

it('begins with a reset, and goes on with what is committed later', async () => {
  await record('gate.created')
  const { messages, next } = await begin(['history:read'])
  const newest = await readNewestSeq(database.knex, spaceId)
  expect(messages).toMatchObject([{ id: newest, event: 'reset', data: { type: 'reset', sequence: newest } }])
  await record('gate.updated')
  const [event] = await readEventsAfter(database.knex, { spaceId, seq: newest, most: 1 })
  expect(event && next(event)).toEqual({
    isOver: false,
    message: {
      id: newest + 1,
      event: 'change',
      data: {
        type: 'gate.updated',
        timestamp: event?.at,
        sequence: newest + 1,
        data: { targetId: 'gate_a', gateId: null, memberId: null },
      },
    },
  })
})

it('repeats what was missed, without the gateways and incidents where the key may not read gates', async () => {
  const since = String(await readNewestSeq(database.knex, spaceId))
  await record('gate.created', 'gateway.offline', 'incident.opened', 'member.created', 'gateway.online')
  const typesFor = async (scopes: readonly string[]) =>
    (await begin(scopes, since)).messages.map(({ data }) => (data as { type: string }).type)
  expect(await typesFor(['history:read'])).toEqual(['gate.created', 'member.created'])
  expect(await typesFor(['history:read', 'gates:read'])).toHaveLength(5)

  const { next } = await begin(['history:read'], since)
  const newest = await readNewestSeq(database.knex, spaceId)
  await record('gateway.offline', 'member.updated')
  const later = await readEventsAfter(database.knex, { spaceId, seq: newest, most: 9 })
  expect(later.map(event => next(event)?.message?.id)).toEqual([undefined, newest + 2])
})

it('tells a key that is limited to gates of these and their openings alone, also later', async () => {
  const since = String(await readNewestSeq(database.knex, spaceId))
  const about = async () => {
    await record('gate.updated', 'gateway.offline', 'member.created')
    await database.write(tx =>
      recordEvents(
        tx,
        spaceId,
        ['gate_a', 'gate_b'].flatMap(gateId =>
          (['opening.ended', 'incident.opened', 'guest.access_added'] as const).map(kind => ({
            kind,
            targetId: 'other',
            gateId,
            atMs: world.nowMs(),
          })),
        ),
      ),
    )
  }
  await about()
  const scopes = ['history:read', 'gates:read']
  const { messages, next } = await begin(scopes, since, ['gate_a'])
  const typesOf = (told: readonly unknown[]) => told.map(data => (data as { type: string }).type)
  const heard = ['gate.updated', 'opening.ended']
  expect(typesOf(messages.map(({ data }) => data))).toEqual(heard)
  const newest = await readNewestSeq(database.knex, spaceId)
  await about()
  const later = await readEventsAfter(database.knex, { spaceId, seq: newest, most: 20 })
  expect(typesOf(later.flatMap(event => next(event)?.message?.data ?? []))).toEqual(heard)
})
