// The plans of the long lists on Postgres: each is read by an index with its filters and its order.

import { readActivity } from '@callgate/cloud/activity/activityLog'
import { newestEntries } from '@callgate/cloud/activity/lastChange'
import { readPast } from '@callgate/cloud/alert/incidentHandlers'
import type { Database, Db } from '@callgate/cloud/database/database'
import { cursorOf } from '@callgate/cloud/database/paging'
import { testDatabase } from '@callgate/cloud/database/postgres.kit'
import { readEventsAbout, readEventsAfter } from '@callgate/cloud/event/eventRows'
import { callsOf } from '@callgate/cloud/gateway/gatewayHistory'
import { lastOpenings } from '@callgate/cloud/history/gateFigureReader'
import { countClass } from '@callgate/cloud/history/history'
import { noFilter, readRecords } from '@callgate/cloud/history/historyPages'
import { readOpenings } from '@callgate/cloud/history/openingReads'
import { mailsOf } from '@callgate/cloud/privacy/ownData'
import { countOpenings } from '@callgate/cloud/status/openingCounts'
import { idPrefix } from '@callgate/contract/idPrefix'
import { afterAll, beforeAll, expect, it } from 'vitest'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Index Cond'?: string
  readonly Filter?: string
  readonly Plans?: readonly Node[]
}

/** A plan's nodes, the outermost first. */
const nodesOf = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/**
 * The plan of each query in `work`, with low costs for indexes and high costs for everything else: what is still read or sorted
 * without one has no index at all. The tables are empty, so the planner would otherwise use no index for them.
 */
async function plansOf(work: (db: Db) => Promise<unknown>): Promise<readonly (readonly Node[])[]> {
  const { knex } = database
  const asked: { readonly sql: string; readonly bindings: readonly string[] }[] = []
  const note = (query: (typeof asked)[number]) => void asked.push(query)
  knex.on('query', note)
  await work(knex)
  knex.removeListener('query', note)
  return knex.transaction(async tx => {
    for (const way of ['seqscan', 'bitmapscan', 'sort', 'incremental_sort'])
      await tx.raw(`set local enable_${way} = off`)
    const plans: (readonly Node[])[] = []
    const session = await tx.client.acquireConnection()
    for (const { bindings, sql } of asked) {
      const { rows } = await session.query(`explain (format json) ${sql}`, bindings)
      plans.push(nodesOf(rows[0]['QUERY PLAN'][0].Plan))
    }
    return plans
  })
}

/** Fails where rows are read without an index, or are sorted; returns the nodes that read. */
function readByIndexes(plans: readonly (readonly Node[])[], what: string): readonly Node[] {
  const nodes = plans.flat()
  const others = nodes
    .map(node => node['Node Type'])
    .filter(type => /Seq Scan|Sort|Bitmap|Materialize/.test(type))
  expect(others, `${what} ${JSON.stringify(plans)}`).toEqual([])
  const reading = nodes.filter(node => node['Index Name'] !== undefined)
  expect(reading.length, what).toBeGreaterThan(0)
  return reading
}

const spaceId = 'space_a'
const at = '2026-03-01T00:00:00.000Z'
const cursorAt = (prefix: string) => cursorOf({ at, id: `${prefix}_01kdhx3m8e2w7q5v9z4r6t8y0a` })
const pagesOf = (prefix: string) => [{ offset: 30 }, { cursor: '' }, { cursor: cursorAt(prefix) }]
const spans = [{}, { from: at }, { to: at }, { from: at, to: '2026-04-01T00:00:00.000Z' }]

it('reads each list of openings by an index with its filters and its order', async () => {
  const none = { gateId: undefined, memberId: undefined, status: undefined }
  const filters = [
    {},
    { gateId: 'g' },
    { memberId: 'm' },
    { status: 'failed' },
    { gateId: 'g', status: 'completed' },
    { status: 'initiated' },
  ] as const
  for (const filter of filters)
    for (const page of pagesOf(idPrefix.opening))
      for (const span of spans) {
        const what = JSON.stringify({ filter, page, span })
        const plans = await plansOf(db =>
          readOpenings(db, { spaceId, ...none, ...filter }, { limit: 50, ...page, ...span }),
        )
        const [read] = readByIndexes(plans, what)
        const columns = ['spaceId', ...Object.keys(filter)]
        // Few run at a time, so their status is no part of the index.
        const isRunning = 'status' in filter && filter.status === 'initiated'
        for (const column of isRunning ? ['spaceId'] : columns)
          expect(read?.['Index Cond'], what).toMatch(new RegExp(`"?${column}"? = `))
        if (!isRunning) expect(read?.Filter, what).toBeUndefined()
      }
})

it('counts the openings of the last hour by the index of each Space', async () => {
  const [plan = []] = await plansOf(db => countOpenings(db, Date.parse(at)))
  const read = plan.filter(node => node['Relation Name'] === 'openings')
  expect(read.map(node => [node['Index Name'], node['Index Cond']])).toEqual([
    ['openings_spaceid_calledat_id_index', expect.stringMatching(/"spaceId".* = .*"calledAt".* > /)],
  ])
})

it('reads the history, the activity and the events by indexes', async () => {
  const people = [{ memberId: 'm' }, { userId: 'u' }, { apiKeyId: 'k' }]
  const classes = [{ class: 'denied' }, { class: 'running' }, { gateId: 'g', class: 'denied' }] as const
  for (const filter of [{}, { gateId: 'g' }, ...people, ...classes]) {
    const read = (db: Db) =>
      readRecords(db, { spaceId, ...noFilter, ...filter }, { limit: 50, cursor: cursorAt(idPrefix.opening) })
    readByIndexes(await plansOf(read), JSON.stringify(filter))
  }
  for (const filter of [{}, { gateId: 'g' }, { memberId: 'm' }, { gateId: 'g', memberId: 'm' }])
    for (const page of pagesOf(idPrefix.activity))
      for (const span of spans) {
        const given = { spaceId, gateId: undefined, memberId: undefined, ...filter }
        const plans = await plansOf(db => readActivity(db, given, { limit: 50, ...page, ...span }))
        readByIndexes(plans, JSON.stringify({ filter, page, span }))
      }
  /** With the column that finds the few rows. */
  const others: Readonly<Record<string, (db: Db) => Promise<unknown>>> = {
    seq: db => readEventsAfter(db, { spaceId, seq: 7, most: 9 }),
    targetId: db => readEventsAbout(db, { spaceId, targetId: 'open_1' }),
    gateId: db => lastOpenings(db, { spaceId, gateId: 'g', rows: 24 }),
    spaceId: db => readPast(db, { spaceId }, { limit: 50, cursor: cursorAt(idPrefix.incident), from: at }),
    gatewayId: db => callsOf(db, { spaceId, gatewayId: 'w', from: at, rows: 50 }),
    class: db => countClass(db, { spaceId, class: 'opened', from: at, to: '2026-03-02T00:00:00.000Z' }),
    concernedId: db => newestEntries(db, { spaceId, targetId: 'gate_1' }),
  }
  for (const [column, read] of Object.entries(others)) {
    const [first] = readByIndexes(await plansOf(read), column)
    expect(first?.['Index Cond']).toContain(column)
  }
})

it('finds the mails about a user by the user’s id', async () => {
  const [nodes = []] = await plansOf(db => mailsOf(db, 'user_olga'))
  const onMails = nodes.filter(node => node['Relation Name'] === 'outbox')
  expect(onMails.map(node => [node['Index Name'], node.Filter])).toEqual([['outbox_link', undefined]])
})
