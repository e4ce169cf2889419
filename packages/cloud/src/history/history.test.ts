import { type CallOutcomes, isSilent, outcomesOf } from '@callgate/contract/call/callOutcomes'
import { type OpeningClass, openingClassOf } from '@callgate/contract/call/openingClass'
import { type ReasonWord, reasons } from '@callgate/contract/call/reason'
import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem } from '@callgate/contract/rest/problem'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { plansOf, readsOf } from '../database/queryPlan.kit.ts'
import { memoryDatabase } from '../database/tables.kit.ts'
import type { LongFile } from '../http/longList.ts'
import { adminRequest } from '../http/requests.kit.ts'
import { openingRow } from '../opening/openingRow.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { readCsv } from '../text/csv.ts'
import { gateFiguresHandlers, lastOpenings } from './gateFigureReader.ts'
import { countClass, historyHandlers } from './history.ts'
import { historyFileHandlers } from './historyFile.ts'
import { type HistoryAsked, noFilter, readHistory, readRecords } from './historyPages.ts'
import { recordObservation } from './observations.ts'

const minuteMs = 60_000
const words = Object.keys(reasons) as ReasonWord[]
const endings = [
  { status: 'completed', opened: 'likely', confidence: 'likely', reason: 'rejected_after_ring' },
  { status: 'completed', opened: 'yes', confidence: 'assumed', reason: 'answered' },
  { status: 'failed', opened: 'no', confidence: 'certain', reason: 'outside_schedule' },
  { status: 'timeout', opened: 'no', confidence: 'likely', reason: 'no_reaction' },
  { status: 'timeout', opened: 'unknown', confidence: 'unknown', reason: 'no_report' },
  { status: 'failed', opened: 'no', confidence: 'certain', reason: 'modem_busy' },
] as const
const statuses = ['completed', 'failed', 'timeout'] as const

let world: FakeWorld
let database: Database
let spaceId: string
let gateIds: string[]
let rows: (OpeningRow & { class: string })[]

async function addGate(of: string): Promise<string> {
  const id = newId(world, idPrefix.gate)
  const named = { name: 'North', location: '', phoneNumber: openingRow.phoneNumber }
  const createdAt = isoTime(world.nowMs())
  const callProfile = '{"mode":"unverified"}'
  await database.write(tx =>
    tx('gates').insert({ id, spaceId: of, ...named, isActive: true, createdAt, callProfile }),
  )
  return id
}

beforeAll(async () => {
  world = fakeWorld(1)
  database = await memoryDatabase()
  spaceId = await newSpace({ world, database })
  gateIds = [await addGate(spaceId), await addGate(spaceId)]
  const startMs = world.nowMs() - 120 * minuteMs
  rows = Array.from({ length: 120 }, (_, place) => {
    const ending = endings[place % endings.length] ?? endings[0]
    return {
      ...openingRow,
      ...ending,
      // A class does not follow from the status: each has openings of all three.
      status: statuses[Math.floor(place / 6) % 3] ?? 'failed',
      class: openingClassOf(ending),
      id: newId(world, idPrefix.opening),
      spaceId,
      gateId: gateIds[place % 2] ?? '',
      safeToRetry: false,
      calledAt: isoTime(startMs + Math.floor(place / 3) * minuteMs),
      completedAt: isoTime(startMs + Math.floor(place / 3) * minuteMs + 8_000),
      apiKeyId: null,
      memberId: place % 3 === 0 ? 'member_a' : null,
      userId: place % 3 === 1 ? 'user_a' : null,
    }
  })
  await database.write(async tx => {
    for (const { class: _, ...row } of rows) await tx('openings').insert(row)
  })
})
afterAll(() => database.close())

describe('the class of a row', () => {
  it('is the one in the contract, for every ending', async () => {
    const all = words.flatMap(reason =>
      (['yes', 'likely', 'no', 'unknown', null] as const).flatMap(opened =>
        (['certain', 'assumed', null] as const).flatMap(confidence =>
          (['initiated', 'connected', 'completed', 'failed', 'timeout'] as const).map(status => ({
            status,
            reason,
            opened,
            confidence,
          })),
        ),
      ),
    )
    const other = await memoryDatabase()
    const of = await newSpace({ world, database: other })
    await other.write(async tx => {
      await tx.raw('pragma defer_foreign_keys = on')
      for (const [place, ending] of all.entries())
        await tx('openings').insert({
          ...openingRow,
          apiKeyId: null,
          ...ending,
          id: `open_${place}`,
          spaceId: of,
        })
      const found = await tx('openings').select('class').orderByRaw('rowid')
      expect(found.map(row => row.class)).toEqual(all.map(openingClassOf))
      await tx('openings').delete()
    })
    await other.close()
  })
})

const reading = () => ({ db: database.knex, spaceId, giveWay: () => world.turn(spaceId) })

/** The ids of all pages of three. */
async function idsOf(asked: Partial<HistoryAsked>): Promise<string[]> {
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await readHistory(reading(), { limit: 3, ...asked, cursor })
    if (isProblem(page)) throw new Error(page.message)
    ids.push(...page.rows.map(({ id }) => id))
    cursor = page.nextCursor
  }
  return ids
}

function fitting(fits: (row: (typeof rows)[number]) => boolean): string[] {
  const place = (row: OpeningRow) => `${row.calledAt} ${row.id}`
  return rows
    .filter(fits)
    .sort((a, b) => (place(a) > place(b) ? -1 : 1))
    .map(({ id }) => id)
}

describe('the history', () => {
  it('is read page by page, newest first, through every filter', async () => {
    const gateId = gateIds[0] ?? ''
    expect(await idsOf({})).toEqual(fitting(() => true))
    expect(await idsOf({ gateId })).toEqual(fitting(row => row.gateId === gateId))
    expect(await idsOf({ classes: 'denied,unknown,denied' })).toEqual(
      fitting(row => row.class === 'denied' || row.class === 'unknown'),
    )
    expect(await idsOf({ gateId, classes: 'opened,did_not_open' })).toEqual(
      fitting(row => row.gateId === gateId && ['opened', 'did_not_open'].includes(row.class)),
    )
    expect(await idsOf({ memberId: 'member_a', classes: 'opened' })).toEqual(
      fitting(row => row.memberId === 'member_a' && row.class === 'opened'),
    )
    expect(await idsOf({ userId: 'user_a' })).toEqual(fitting(row => row.userId === 'user_a'))
    expect(await idsOf({ apiKeyId: 'key_a' })).toEqual([])
    const from = rows[60]?.calledAt ?? ''
    expect(await idsOf({ from, classes: 'not_called' })).toEqual(
      fitting(row => row.calledAt >= from && row.class === 'not_called'),
    )
  })

  it('says who pressed, what is known, and how many joined', async () => {
    const leader = rows.at(-1)
    const joinedOpeningId = leader?.id ?? ''
    const { class: _, ...first } = rows[0] ?? { ...openingRow, class: '' }
    const joiner = {
      ...first,
      id: newId(world, idPrefix.opening),
      joinedOpeningId,
      calledAt: isoTime(world.nowMs()),
    }
    await database.write(tx => tx('openings').insert(joiner))
    const { listHistory } = historyHandlers({ database, world })
    const query = { limit: 200 }
    const { body } = (await listHistory(adminRequest(database, spaceId, { query }))) as {
      body: { openings: Record<string, unknown>[] }
    }
    expect(body.openings.find(({ id }) => id === joiner.id)).toMatchObject({
      joinedOpeningId,
      joiners: 0,
      class: 'opened',
      by: { kind: 'member', id: 'member_a' },
      step: null,
      hasRung: true,
    })
    expect(body.openings.find(({ id }) => id === joinedOpeningId)).toMatchObject({ joiners: 1 })
    await database.write(tx => tx('openings').where({ id: joiner.id }).delete())
  })

  it('has what a person saw of the gate beside the opening, whose verdict does not change', async () => {
    const { observeOpening } = historyHandlers({ database, world })
    const { class: before, id: openingId = '' } = rows.find(row => row.class === 'unknown') ?? {}
    const observe = (seen: string, of = spaceId) =>
      observeOpening(adminRequest(database, of, { params: { openingId }, body: { seen } }))
    expect(await observe('still')).toMatchObject({ body: { opening: { id: openingId, seen: 'still' } } })
    await world.advance(1)
    expect(await observe('moving')).toMatchObject({ body: { opening: { seen: 'moving', class: before } } })
    expect(await observe('still', await newSpace({ world, database }))).toMatchObject({
      problem: 'not_found',
    })
  })

  it('is written as a file, with each fitting press in a line of its own', async () => {
    const { exportHistory } = historyFileHandlers({ database, world })
    const gateId = gateIds[0] ?? ''
    const query = { gateId, classes: 'denied,opened' }
    const file = (await exportHistory(adminRequest(database, spaceId, { query }))) as LongFile
    let text = ''
    for await (const piece of file.pieces) text += piece
    const read = readCsv(text, { mostRows: 10_000, mostCells: 20 })
    const [heading, ...lines] = read.ok ? read.rows : []
    expect(heading?.slice(0, 4)).toEqual(['id', 'pressedAt', 'time', 'gate'])
    const wanted = fitting(row => row.gateId === gateId && ['denied', 'opened'].includes(row.class))
    expect(lines.map(([id]) => id)).toEqual(wanted)
    expect(lines.find(line => line[4] === 'opened')?.slice(3, 8)).toEqual([
      ...['North', 'opened', 'The gate took the call.', 'api:door', '8'],
    ])
    const wrong = { query: { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' } }
    expect(await exportHistory(adminRequest(database, spaceId, wrong))).toMatchObject({
      problem: 'validation_error',
    })
  })

  it('searches a limited number of the presses of a person, and continues from there', async () => {
    const apiKeyId = newId(world, idPrefix.apiKey)
    const { class: _, ...row } = rows[0] ?? { ...openingRow, class: '' }
    const startMs = Date.parse(row.calledAt) - 10_000_000
    const many = Array.from({ length: 5_200 }, (_, count) => ({
      ...row,
      // Only the oldest press has the requested class.
      ...(count === 0 && { opened: 'unknown', reason: 'no_report' }),
      id: newId(world, idPrefix.opening),
      apiKeyId,
      memberId: null,
      userId: null,
      calledAt: isoTime(startMs + count),
    }))
    await database.write(async tx => {
      const key = { id: apiKeyId, spaceId, name: 'Desk', keyHash: apiKeyId, shownPrefix: 'svc_live_' }
      await tx('apiKeys').insert({ ...key, scopes: '[]', createdAt: row.calledAt })
      await tx.batchInsert('openings', many, 25)
    })
    const page = (cursor: string) =>
      readHistory(reading(), { limit: 3, apiKeyId, classes: 'unknown', cursor })
    const first = await page('')
    expect(first).toMatchObject({ rows: [], nextCursor: expect.any(String) })
    const second = await page(isProblem(first) ? '' : (first.nextCursor ?? ''))
    expect(second).toMatchObject({ rows: [{ id: many[0]?.id }], nextCursor: null })
    expect(await idsOf({ apiKeyId, classes: 'unknown' })).toEqual([many[0]?.id])
    await database.write(tx => tx('openings').where({ apiKeyId }).delete())
  })

  it('refuses an invalid cursor', async () => {
    expect(await readHistory(reading(), { limit: 3, cursor: 'x' })).toMatchObject({
      problem: 'validation_error',
    })
  })

  it('counts the presses of the last 30 days by day', async () => {
    const { getHistoryCounts } = historyHandlers({ database, world })
    const { body } = (await getHistoryCounts(adminRequest(database, spaceId))) as {
      body: { days: { opened: number; didNotOpen: number; unknown: number; denied: number }[] }
    }
    expect(body.days).toHaveLength(30)
    const sum = (name: 'opened' | 'didNotOpen' | 'unknown' | 'denied') =>
      body.days.reduce((total, day) => total + day[name], 0)
    expect([sum('opened'), sum('didNotOpen'), sum('unknown'), sum('denied')]).toEqual([40, 40, 20, 20])
  })

  it('is read by an index, without a sort and without a row that does not fit', async () => {
    const gateId = gateIds[0] ?? ''
    const of = [
      {},
      { gateId },
      { class: 'denied' },
      { gateId, class: 'denied' },
      { memberId: 'm' },
      { userId: 'u' },
      { apiKeyId: 'k' },
    ] as const
    const page = { limit: 50, cursor: '' }
    for (const filter of of) {
      const plans = await plansOf(database, db => readRecords(db, { spaceId, ...noFilter, ...filter }, page))
      const names = ['spaceId', ...Object.keys(filter), ...('class' in filter ? ['status'] : [])]
      const columns = names.map(name => `${name}=?`).join(' AND ')
      for (const steps of plans) {
        const reads = readsOf(steps)
        expect(reads, JSON.stringify(filter)).toHaveLength('class' in filter ? statuses.length : 1)
        for (const read of reads) {
          expect(read).toMatch(/^SEARCH openings USING INDEX/)
          expect(read).toContain(`(${columns}`)
        }
      }
    }
    const to = isoTime(world.nowMs())
    const [count = []] = await plansOf(database, db =>
      countClass(db, { spaceId, class: 'opened', from: to, to }),
    )
    expect(count).toEqual([
      expect.stringMatching(/ openings_by_end \(spaceId=\? AND class=\? AND status=\? AND calledAt>/),
    ])
  })
})

describe('the figures of gates', () => {
  it('are those of the last 24 openings of each gate', async () => {
    const { listGateFigures } = gateFiguresHandlers({ database, world })
    const { body } = (await listGateFigures(adminRequest(database, spaceId))) as {
      body: { figures: { gateId: string; ticks: { openingId: string }[]; last: { id: string } }[] }
    }
    expect(body.figures.map(({ gateId }) => gateId)).toEqual(gateIds)
    for (const { gateId, last, ticks } of body.figures) {
      const newest = fitting(row => row.gateId === gateId).slice(0, 24)
      expect(ticks.map(({ openingId }) => openingId)).toEqual([...newest].reverse())
      expect(last.id).toBe(newest[0])
    }
  })

  it('count what its last calls have shown, also by what a person saw, and say whether a module knows a number', async () => {
    const { listGateFigures } = gateFiguresHandlers({ database, world })
    const gateId = gateIds[0] ?? ''
    const read = async () => {
      const { body } = (await listGateFigures(adminRequest(database, spaceId))) as {
        body: { figures: { gateId: string; outcomes: CallOutcomes; isNumberKnown: boolean }[] }
      }
      return body.figures.find(figures => figures.gateId === gateId)
    }
    const ids = fitting(row => row.gateId === gateId).slice(0, 24)
    const calls = ids
      .map(id => rows.find(row => row.id === id)?.class as OpeningClass)
      .filter(kind => !isSilent(kind))
      .map(kind => ({ class: kind, seen: null }))
    const before = outcomesOf(calls.reverse())
    expect(before.calls).toBeGreaterThan(8)
    expect(await read()).toMatchObject({ outcomes: before, isNumberKnown: false })
    const openingId = ids.find(id => rows.find(row => row.id === id)?.class === 'unknown') ?? ''
    const said = { actorType: 'guest', seen: 'moving', seenAt: isoTime(world.nowMs()) } as const
    await database.write(tx => recordObservation(tx, { spaceId, openingId }, said))
    expect((await read())?.outcomes.opened).toBe(before.opened + 1)

    const keys = { publicKey: 'k', passwordHash: 'p', createdAt: isoTime(world.nowMs()) }
    const gateway = { id: 'gw_a', spaceId, name: 'Pi', ...keys }
    const callers = JSON.stringify({ gw_a: { mayCall: true, numberKnown: 'yes' } })
    await database.write(async tx => {
      await tx('gates').where({ id: gateId }).update({ callers })
    })
    // The gateway is not there, or no longer.
    expect((await read())?.isNumberKnown).toBe(false)
    await database.write(async tx => {
      await tx('gateways').insert(gateway)
    })
    expect((await read())?.isNumberKnown).toBe(true)
    await database.write(async tx => {
      await tx('gates').where({ id: gateId }).update({ callers: '{}' })
      await tx('gateways').where({ id: 'gw_a' }).delete()
      await tx('openingObservations').delete()
    })
  })

  it('are read by the index of the gate, which ends after 24 rows', async () => {
    const [steps] = await plansOf(database, db =>
      lastOpenings(db, { spaceId, gateId: gateIds[0] ?? '', rows: 24 }),
    )
    expect(steps).toEqual([expect.stringMatching(/^SEARCH openings USING INDEX openings_of_gate /)])
  })

  it('show which gateway was seen to open the one gate', async () => {
    const { getGateFigures } = gateFiguresHandlers({ database, world })
    const params = { gateId: gateIds[0] ?? '' }
    expect(await getGateFigures(adminRequest(database, spaceId, { params }))).toMatchObject({
      body: { callers: [], ringMs: [], figures: { gateId: gateIds[0] } },
    })
    const foreign = await newSpace({ world, database })
    expect(await getGateFigures(adminRequest(database, foreign, { params }))).toMatchObject({
      problem: 'not_found',
    })
  })
})
