import { idPrefix } from '@callgate/contract/idPrefix'
import { operations } from '@callgate/contract/rest/operations'
import { isProblem } from '@callgate/contract/rest/problem'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newSpace } from '../space/space.kit.ts'
import type { Database } from './database.ts'
import { cursorOf, type HistoryPage, historyReader, readCursor } from './paging.ts'
import type { Values } from './statement.ts'
import { memoryDatabase } from './tables.kit.ts'

const place = { at: '2026-01-05T08:00:00.000Z', id: 'open_01kdhx3m8e2w7q5v9z4r6t8y0a' }

describe('a cursor', () => {
  it('is read back as it was made; an empty one is the first page', () => {
    expect(readCursor(cursorOf(place))).toEqual({ ok: true, after: place })
    expect(readCursor(cursorOf(place), 'open')).toEqual({ ok: true, after: place })
    expect(readCursor('')).toEqual({ ok: true, after: undefined })
    expect(cursorOf(place)).toMatch(/^[\w-]{1,200}$/)
  })

  it('is valid in the documentation, where it belongs to the last entry that is shown before it', () => {
    const { activity, pagination } = operations.listActivity.example.answers[200]
    const last = activity.at(-1)
    expect(pagination).toEqual({
      limit: activity.length,
      nextCursor: cursorOf({ at: last?.timestamp ?? '', id: last?.id ?? '' }),
    })
  })

  it('is refused where it is of another list or maker, or has a changed character', () => {
    expect(readCursor(cursorOf(place), 'gate')).toMatchObject({ ok: false })
    for (const text of ['x', '==', 'null', cursorOf({ at: '2026', id: 'a' }), `${cursorOf(place)}=`])
      expect(readCursor(text), text).toMatchObject({ ok: false, problem: { problem: 'validation_error' } })
    const cursor = cursorOf(place)
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'abcXYZ019-_ %'), (at, character) => {
        const altered = cursor.slice(0, at) + character + cursor.slice(at + 1)
        expect(readCursor(altered).ok).toBe(altered === cursor)
      }),
    )
  })
})

describe('a history', () => {
  const world = fakeWorld(7)
  let database: Database
  let spaceId = ''
  interface Row {
    readonly id: string
    readonly timestamp: string
    readonly targetLabel: string
  }
  const readHistory = historyReader<Row, Values>({
    columns: ['id', 'timestamp', 'targetLabel'],
    at: 'timestamp',
    idPrefix: idPrefix.activity,
    fitting: (db, { spaceId }) => ({ query: db('activity').where({ spaceId }), at: 'timestamp', id: 'id' }),
  })

  async function read(page: HistoryPage) {
    const history = await readHistory(database.knex, { spaceId }, page)
    if (isProblem(history)) throw new Error(history.message)
    const { hasMore, pagination, rows } = history
    return { labels: rows.map(row => row.targetLabel), hasMore, pagination }
  }

  function add(label: string, atMs: number, inSpace = spaceId) {
    const named = { action: 'gate.created', actor: 'system', targetType: 'gate', targetLabel: label }
    const row = { id: newId(world, idPrefix.activity), spaceId: inSpace, timestamp: isoTime(atMs) }
    return database.knex('activity').insert({ ...row, ...named, details: '{}' })
  }

  beforeEach(async () => {
    database = await memoryDatabase()
    spaceId = await newSpace({ database, world })
    const other = await newSpace({ database, world })
    // Two rows in every millisecond, so that their ids sort them, with another Space's rows between them.
    for (let row = 0; row < 10; row++) {
      await add(`row ${row}`, world.nowMs() + 1000 + Math.floor(row / 2))
      await add('foreign', world.nowMs() + 1000 + Math.floor(row / 2), other)
    }
  })
  afterEach(() => database.close())

  it('is read whole through cursors, each row once, while rows are added', async () => {
    const all = (await read({ limit: 100 })).labels
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page: Awaited<ReturnType<typeof read>> = await read({ limit: 3, cursor })
      seen.push(...page.labels)
      if (page.pagination.nextCursor === undefined) throw new Error('no cursor mode')
      cursor = page.pagination.nextCursor
      await add('newer', world.nowMs() + 60_000)
    }
    expect(seen).toEqual(all)
    expect(all.slice(0, 10).map(label => label.slice(0, 3))).toEqual(Array(10).fill('row'))
    expect(all).not.toContain('foreign')
  })

  it('ends with null exactly at the end', async () => {
    const count = (await read({ limit: 100 })).labels.length
    expect((await read({ limit: count, cursor: '' })).pagination).toEqual({ limit: count, nextCursor: null })
    const short = await read({ limit: count - 1, cursor: '' })
    expect(short.pagination).toMatchObject({ nextCursor: expect.stringMatching(/./) })
  })

  it('is read by offset as well, but not by both', async () => {
    const all = (await read({ limit: 100 })).labels
    expect(await read({ limit: 2, offset: 3 })).toEqual({
      labels: all.slice(3, 5),
      hasMore: true,
      pagination: { limit: 2, offset: 3 },
    })
    const rest = await read({ limit: all.length - 3, offset: 3 })
    expect([rest.labels, rest.hasMore]).toEqual([all.slice(3), false])
    expect((await read({ limit: 2, offset: 2_147_483_647 })).labels).toEqual([])
    const both = await readHistory(database.knex, { spaceId }, { limit: 2, offset: 0, cursor: '' })
    expect(both).toMatchObject({ problem: 'validation_error', message: expect.stringContaining('offset') })
    const foreign = await readHistory(database.knex, { spaceId }, { limit: 2, cursor: cursorOf(place) })
    expect(foreign).toMatchObject({ problem: 'validation_error' })
  })

  it('is read between two instants, including the first and not the second, in pages too', async () => {
    const at = (ms: number) => isoTime(world.nowMs() + 1000 + ms)
    const span = { from: at(1), to: at(3) }
    const labels = ['row 2', 'row 3', 'row 4', 'row 5']
    const { labels: all } = await read({ limit: 9, ...span })
    expect([...all].sort()).toEqual(labels)
    expect((await read({ limit: 9, from: at(4) })).labels).toHaveLength(2)
    expect(await read({ limit: 2, offset: 1, ...span })).toMatchObject({
      labels: all.slice(1, 3),
      hasMore: true,
    })
    const first = await read({ limit: 3, cursor: '', ...span })
    const next = await read({ limit: 3, cursor: first.pagination.nextCursor ?? '', ...span })
    expect([...first.labels, ...next.labels]).toEqual(all)
    expect(next.pagination).toEqual({ limit: 3, nextCursor: null })
    // A cursor of a row that is newer than the span leads to its first row.
    const newest = await read({ limit: 1, cursor: '' })
    const after = newest.pagination.nextCursor ?? ''
    expect((await read({ limit: 9, cursor: after, ...span })).labels).toEqual(all)
  })

  it.each([
    [{ from: '2026-01-05T23:59:60Z' }, 'from must be a time that exists'],
    [{ to: '2026-01-05T23:59:60Z' }, 'to must be a time that exists'],
    [{ to: '9999-12-31T23:59:59-12:00' }, 'to must be a time that exists'],
    [{ from: '2026-01-05T10:00:00+02:00', to: '2026-01-05T08:00:00Z' }, 'from must be before to'],
  ])('refuses %j: %s', async (span, message) => {
    const refused = await readHistory(database.knex, { spaceId }, { limit: 1, ...span })
    expect(refused).toMatchObject({
      problem: 'validation_error',
      message: expect.stringContaining(message),
    })
  })
})
