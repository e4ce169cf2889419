// The stream of a Space over HTTP: the events that the dashboard gets, and the end of the stream.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ReadStream, readStream } from '@callgate/cloud/event/eventStream.kit'
import { recordEvents } from '@callgate/cloud/event/events'
import { newUser, type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import type { Session } from '@callgate/contract/app/session'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Api, serveWholeApi } from './apiServer.ts'
import { numbers } from './scriptedGateway.ts'
import type { Tenant } from './servedCloud.ts'

let api: Api
let space: Tenant
let admin: SignedInBrowser

beforeEach(async () => {
  api = await serveWholeApi()
  space = await api.addSpace()
  admin = await newUser(api, { email: 'admin@example.com', spaceId: space.spaceId, role: 'admin' })
})
afterEach(() => api.stop())

const streamOf = (browser = admin, lastEventId?: number) =>
  readStream(`${api.base}/app/v1/spaces/${space.spaceId}/events`, {
    ...browser.headers,
    ...(lastEventId !== undefined && { 'Last-Event-ID': String(lastEventId) }),
  })
const kindsOf = (stream: ReadStream) => stream.events().map(({ data }) => data['kind'])
const ended = (stream: ReadStream) => stream.until(({ hasEnded }) => hasEnded())
const addGate = async () => {
  const body = { name: 'North', phoneNumber: numbers.opens }
  const { json } = await api.send('POST', '/api/v1/gates', { key: space.key, body })
  return json.gate.id
}

describe('the stream of a Space', () => {
  it('reports changes by anybody, with their gate, until it is closed', async () => {
    const stream = await streamOf()
    await stream.until(read => read.events().length === 1)
    expect(stream.events()[0]).toMatchObject({ event: 'reset', data: { kind: 'reset', targetId: null } })
    const gateId = await addGate()
    const { json } = await api.send('POST', `/api/v1/gates/${gateId}/open`, { key: space.key })
    const of = (kind: string) => stream.events().find(({ data }) => data['kind'] === kind)
    await stream.until(() => of('opening.ended') !== undefined)
    const steps = kindsOf(stream).filter(kind => String(kind).startsWith('opening.'))
    expect(steps).toEqual(['asked', 'calling', 'taken', 'ended'].map(step => `opening.${step}`))
    expect(of('gate.created')).toMatchObject({ event: 'change', data: { targetId: gateId } })
    expect(of('opening.ended')?.data).toMatchObject({ targetId: json.openingId, gateId, memberId: null })
    const ids = stream.events().map(({ id }) => id)
    expect(ids.slice(1)).toEqual(ids.slice(1).map((_, place) => (ids[1] ?? 0) + place))
    stream.leave()
  })

  it('continues after the last event, and tells a reader who has missed too much to read again', async () => {
    const first = await streamOf()
    await first.until(read => read.events().length === 1)
    first.leave()
    const start = first.events()[0]?.id ?? 0
    for (let made = 0; made < 3; made++) await addGate()
    const again = await streamOf(admin, start)
    await again.until(read => read.events().length === 3)
    expect(kindsOf(again)).toEqual(['gate.created', 'gate.created', 'gate.created'])
    again.leave()
    const [row] = await api.database
      .knex('events')
      .where({ spaceId: space.spaceId })
      .orderBy('seq', 'desc')
      .limit(1)
    await api.database.knex('events').where({ spaceId: space.spaceId }).where('seq', '<', row.seq).delete()
    const late = await streamOf(admin, start)
    await late.until(read => read.events().length === 1)
    expect(late.events()).toMatchObject([{ event: 'reset', id: row.seq }])
    late.leave()
  })

  it('begins after the event that the session names, and sends what was committed since', async () => {
    const lastEventId = async () => {
      const answer = await fetch(`${api.base}/app/v1/session`, { headers: admin.headers })
      const { spaces } = (await answer.json()) as Session
      return spaces[0]?.lastEventId
    }
    // As in a Space in which nothing has happened yet.
    for (const table of ['events', 'eventCounters'])
      await api.database.knex(table).where({ spaceId: space.spaceId }).delete()
    expect(await lastEventId()).toBe(0)
    await addGate()
    const read = await lastEventId()
    const gateId = await addGate()
    const stream = await streamOf(admin, read)
    await stream.until(({ events }) => events().length === 1)
    expect(stream.events()).toMatchObject([
      { event: 'change', data: { kind: 'gate.created', targetId: gateId } },
    ])
    stream.leave()
    const quiet = await streamOf(admin, await lastEventId())
    const third = await addGate()
    await quiet.until(({ events }) => events().length === 1)
    expect(quiet.events()).toMatchObject([{ event: 'change', data: { targetId: third } }])
    quiet.leave()
  })

  it('reports nothing of another Space', async () => {
    const stream = await streamOf()
    const body = { name: 'Theirs', phoneNumber: numbers.opens }
    await api.send('POST', '/api/v1/gates', { body })
    await addGate()
    await stream.until(read => read.events().length === 2)
    expect(kindsOf(stream)).toEqual(['reset', 'gate.created'])
    stream.leave()
  })

  it.each([
    [
      'the session ends',
      (browser: SignedInBrowser) => api.database.knex('sessions').where({ id: browser.sessionId }).delete(),
    ],
    ['the role is taken away', () => api.database.knex('userRoles').where({ userId: admin.userId }).delete()],
    [
      'the user is deactivated',
      () =>
        api.database
          .knex('users')
          .where({ id: admin.userId })
          .update({ deactivatedAt: '2026-01-01T00:00:00.000Z' }),
    ],
  ])('ends within 5 s when %s', async (_, end) => {
    const browser = await signInAgain(api, admin)
    const stream = await streamOf(browser)
    await api.world.advance(7_000)
    expect(stream.hasEnded()).toBe(false)
    await end(browser)
    await api.world.advance(4_000)
    await ended(stream)
  })

  it('is given to a session at most 8 times at once', async () => {
    const streams: ReadStream[] = []
    for (let made = 0; made < 8; made++) streams.push(await streamOf())
    expect((await streamOf()).status).toBe(429)
    const other = await streamOf(await signInAgain(api, admin))
    expect(other.status).toBe(200)
    for (const stream of [...streams, other]) stream.leave()
  })

  it('A7: delivers after a restart what was committed before it, although it was not delivered then', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callgate-events-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const url = join(folder, 'callgate.db')
    const first = await serveWholeApi(1, url)
    const { spaceId } = first.home
    const browser = await newUser(first, { email: 'a@example.com', spaceId, role: 'admin' })
    const followed = (of: Api, headers = {}) =>
      readStream(`${of.base}/app/v1/spaces/${spaceId}/events`, { ...browser.headers, ...headers })
    const stream = await followed(first)
    await stream.until(read => read.events().length === 1)
    // The process dies between the commit and the notification.
    const event = { kind: 'gate.updated', targetId: 'gate_1', atMs: first.world.nowMs() } as const
    await first.database.knex.transaction(tx => recordEvents(tx, spaceId, [event]))
    await first.stop()
    const lastEventId = String(stream.events().at(-1)?.id)
    const second = await serveWholeApi(2, url)
    onTestFinished(() => second.stop())
    const again = await followed(second, { 'Last-Event-ID': lastEventId })
    const next = { kind: 'gate.updated', targetId: 'gate_2', atMs: second.world.nowMs() } as const
    await second.database.write(tx => recordEvents(tx, spaceId, [next]))
    await again.until(read => read.events().some(({ data }) => data['targetId'] === 'gate_2'))
    expect(again.events()).toMatchObject([
      { event: 'change', data: { targetId: 'gate_1' } },
      { event: 'change', data: { targetId: 'gate_2' } },
    ])
    again.leave()
  })
})
