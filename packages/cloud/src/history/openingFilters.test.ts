import { idPrefix } from '@callgate/contract/idPrefix'
import type { ListedOpening } from '@callgate/contract/rest/opening'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import type { OpeningRow } from '../core/opening.ts'
import { cursorOf } from '../database/paging.ts'
import { onPostgres } from '../database/postgres.kit.ts'
import { plansOf, readsOf } from '../database/queryPlan.kit.ts'
import { type ApiServer, gate, json, serveApi, told } from '../http/server.kit.ts'
import { createExchange } from '../opening/exchange.ts'
import { playedEndpoint } from '../opening/gatewayEndpoint.kit.ts'
import { openingRow } from '../opening/openingRow.kit.ts'
import { openingHandlers } from '../opening/openings.ts'
import { newSpace } from '../space/space.kit.ts'
import { openingReadHandlers, readOpenings } from './openingReads.ts'
import { readQueue } from './queues.ts'

const statuses = ['completed', 'failed', 'timeout'] as const
const startMs = Date.parse('2026-03-01T00:00:00.000Z')
const hourMs = 60 * 60 * 1000

let api: ApiServer
let gateIds: string[]
let memberIds: string[]
let rows: OpeningRow[]

beforeAll(async () => {
  api = await serveApi(parts => {
    const exchange = createExchange({ noteDrift, ...parts, endpoint: playedEndpoint() })
    return { ...openingHandlers({ ...parts, exchange, readQueue }), ...openingReadHandlers(parts) }
  })
  const { database, spaceId, world } = api
  const make = async () =>
    (await api.send('POST', '/api/v1/gates', json(gate))).json['gate'] as { id: string }
  gateIds = [(await make()).id, (await make()).id]
  memberIds = [newId(world, idPrefix.member), newId(world, idPrefix.member)]
  rows = Array.from({ length: 60 }, (_, place) => ({
    ...openingRow,
    id: newId(world, idPrefix.opening),
    spaceId,
    apiKeyId: null,
    gateId: gateIds[place % 2] ?? '',
    memberId: memberIds[place % 3] ?? null,
    status: statuses[Math.floor(place / 5) % 3] ?? 'failed',
    // So that each status has openings of several classes.
    opened: place % 4 === 0 ? 'no' : 'unknown',
    reason: 'busy',
    safeToRetry: true,
    completedAt: isoTime(startMs),
    calledAt: isoTime(startMs + Math.floor(place / 2) * hourMs),
  }))
  const foreign = await newSpace({ database, world })
  await database.write(async tx => {
    const [own] = await tx('gates').where({ id: gateIds[0] })
    await tx('gates').insert({ ...own, id: 'gate_foreign', spaceId: foreign })
    for (const row of rows) {
      await tx('openings').insert(row)
      // The neighbour's openings have the same members, which are not looked up there.
      const id = newId(world, idPrefix.opening)
      await tx('openings').insert({ ...row, id, spaceId: foreign, gateId: 'gate_foreign' })
    }
  })
})
afterAll(() => api.stop())

type Query = Readonly<Record<string, string>>

/** Every choice of some of the filters, also none. */
function choices(): Query[] {
  const filters = Object.entries({
    gateId: gateIds[0] ?? '',
    memberId: memberIds[1] ?? '',
    status: 'failed',
    from: '2026-03-01T05:00:00.000Z',
    to: '2026-03-01T20:00:00.000Z',
  })
  return Array.from({ length: 2 ** filters.length }, (_, chosen) =>
    Object.fromEntries(filters.filter((_, place) => chosen & (2 ** place))),
  )
}

/** The ids that fit, newest first. */
function fitting({ from = '', gateId, memberId, status, to = '9' }: Query): string[] {
  const fits = rows.filter(
    row =>
      row.gateId === (gateId ?? row.gateId) &&
      row.memberId === (memberId ?? row.memberId) &&
      row.status === (status ?? row.status) &&
      row.calledAt >= from &&
      row.calledAt < to,
  )
  const places = fits.map(({ calledAt, id }) => `${calledAt} ${id}`).sort()
  return places.reverse().map(place => place.slice(place.indexOf(' ') + 1))
}

async function list(query: Query) {
  const { headers, json } = await api.send('GET', `/api/v1/openings?${new URLSearchParams(query)}`)
  const openings = json['openings'] as ListedOpening[]
  const [, next] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? []
  return { ids: openings.map(({ id }) => id), openings, next, json }
}

describe('the list of openings', () => {
  it('has everything that fits every filter, whole, by offset and by cursor along the links', async () => {
    for (const query of choices()) {
      const wanted = fitting(query)
      expect(wanted.length, JSON.stringify(query)).toBeGreaterThan(0)
      expect((await list({ ...query, limit: '200' })).ids, JSON.stringify(query)).toEqual(wanted)
      const { key } = await api.newKey()
      for (const start of [{}, { cursor: '' }]) {
        const seen: string[] = []
        let path: string | undefined =
          `/api/v1/openings?${new URLSearchParams({ ...query, limit: '9', ...start })}`
        while (path !== undefined) {
          const answer = await fetch(api.base + path, { headers: { 'X-Api-Key': key } })
          const { openings } = (await answer.json()) as { openings: { id: string }[] }
          seen.push(...openings.map(({ id }) => id))
          path = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
        }
        expect(seen, JSON.stringify(query)).toEqual(wanted)
      }
    }
  })

  it('has what fits of the gates that a key is limited to, in every filter and along the links', async () => {
    const limit = [gateIds[1] ?? '', `gate_${'0'.repeat(26)}`]
    const gateOf = new Map(rows.map(({ gateId, id }) => [id, gateId]))
    for (const query of choices()) {
      const wanted = fitting(query).filter(id => limit.includes(gateOf.get(id) ?? ''))
      for (const start of [{}, { cursor: '' }]) {
        const { key } = await api.newKey(['history:read'], limit)
        const seen: string[] = []
        let path: string | undefined =
          `/api/v1/openings?${new URLSearchParams({ ...query, limit: '9', ...start })}`
        while (path !== undefined) {
          const answer = await fetch(api.base + path, { headers: { 'X-Api-Key': key } })
          const { openings } = (await answer.json()) as { openings: { id: string }[] }
          seen.push(...openings.map(({ id }) => id))
          path = /<([^>]*)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
        }
        expect(seen, JSON.stringify({ ...query, ...start })).toEqual(wanted)
      }
    }
  })

  it('is empty for unknown ids and for foreign ones, without a difference', async () => {
    for (const query of [
      { gateId: `gate_${'0'.repeat(26)}` },
      { memberId: `member_${'0'.repeat(26)}` },
      { gateId: newId(api.world, idPrefix.gate), status: 'completed' },
    ])
      expect((await list(query)).json).toEqual({ openings: [], pagination: { limit: 50, offset: 0 } })
  })

  it('has the reasons on request, and is as specified otherwise', async () => {
    const plain = await list({ limit: '1' })
    const more = await list({ limit: '1', include: 'reason' })
    expect(more.openings).toEqual(plain.openings.map(one => ({ ...one, reason: 'busy' })))
    expect(Object.keys(plain.openings[0] ?? {})).not.toContain('reason')
    await api.database.write(tx =>
      tx('openings')
        .where({ id: plain.ids[0] })
        .update({ status: 'initiated', reason: null, completedAt: null }),
    )
    expect((await list({ limit: '1', include: 'reason' })).openings[0]).toMatchObject({ reason: null })
    await api.database.write(tx =>
      tx('openings')
        .where({ id: plain.ids[0] })
        .update(rows.at(-1) ?? {}),
    )
  })

  it.each([
    ['gateId=gate_x', 'gateId must be like "gate_'],
    ['memberId=', 'memberId must be like "member_'],
    ['status=open', 'status must be one of initiated, connected, completed, failed, timeout'],
    ['status=failed,timeout', 'status must be one of'],
    ['from=2026-03-01', 'from must be like "2026-03-29T00:15:00.000Z"'],
    ['to=2026-03-01T00:00:00', 'to must be like'],
    // A plus in a query is a space.
    ['from=2026-03-01T00:00:00+02:00', '+ is written %2B'],
    ['from=2026-03-02T00:00:00Z&to=2026-03-02T00:00:00Z', 'from must be before to'],
    ['include=evidence', 'include must be one of reason'],
    ['gateid=1', 'gateid is not a known field'],
    ['action=gate.created', 'action is not a known field'],
  ])('refuses %s', async (query, message) => {
    const answer = await api.send('GET', `/api/v1/openings?${query}`)
    expect(told(answer)).toBe('400 validation_error')
    expect(answer.json.error?.message).toContain(message)
  })

  it('is found by an index, whatever the filters and the page, and sorts nothing', async ({ skip }) => {
    skip(onPostgres, 'it reads plans of SQLite')
    const id = rows[30]?.id ?? ''
    const pages = [
      { offset: 30 },
      { cursor: '' },
      { cursor: cursorOf({ at: isoTime(startMs + 9 * hourMs), id }) },
    ]
    for (const { from, gateId, memberId, status, to } of choices()) {
      const filter = { spaceId: api.spaceId, gateId, memberId, status: status as 'failed' | undefined }
      for (const page of pages) {
        const span = { ...(from && { from }), ...(to && { to }) }
        const plans = await plansOf(api.database, db =>
          readOpenings(db, filter, { limit: 50, ...page, ...span }),
        )
        const others = [...(gateId ? ['gateId'] : []), ...(status ? ['class', 'status'] : [])]
        const equal = ['spaceId', ...(memberId ? ['memberId'] : others)].map(column => `${column}=?`)
        const hasRange = from ?? to ?? (page.cursor || undefined)
        const seek = `(${equal.join(' AND ')}${hasRange === undefined ? ')' : ' AND '}`
        const what = JSON.stringify({ filter, page, span })
        expect(plans, what).toHaveLength(1)
        const reads = readsOf(plans[0])
        // A status is read by the six classes that an ended opening can have.
        expect(reads, what).toHaveLength(status && !memberId ? 6 : 1)
        for (const read of reads) {
          expect(read, what).toMatch(/^SEARCH openings USING INDEX /)
          expect(read, what).toContain(seek)
        }
      }
    }
  })
})
