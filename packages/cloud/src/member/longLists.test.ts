import { idPrefix } from '@callgate/contract/idPrefix'
import type { OperationId } from '@callgate/contract/rest/operations'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { activityHandlers } from '../activity/activityLog.ts'
import type { Handlers, Request } from '../http/handler.ts'
import { isLongList, type LongList } from '../http/longList.ts'
import { principalIn, requestOf } from '../http/requests.kit.ts'
import { type ApiServer, json, serveApi } from '../http/server.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { newLink } from './memberLinks.ts'
import { memberHandlers } from './members.ts'

let api: ApiServer
let handlers: Pick<Handlers, 'listMembers' | 'listActivity'>
const count = 450

/** The most that an access can contain: 20 schedules of 10 windows. */
const schedules = Array.from({ length: 20 }, () => ({
  type: 'weekdays' as const,
  timeWindows: Array.from({ length: 10 }, (_, hour) => ({ from: `${10 + hour}:00`, to: `${11 + hour}:00` })),
}))

beforeAll(async () => {
  api = await serveApi(parts => {
    const links = { ...parts, appUrl: 'http://localhost' }
    const given = { ...memberHandlers(links), ...activityHandlers(parts) }
    handlers = given
    return given
  })
  const made = await api.send('POST', '/api/v1/gates', json({ name: 'Front', phoneNumber: '0722123456' }))
  const { id: gateId } = made.json['gate'] as { id: string }
  const first = { name: 'Ana', accesses: [{ gateId, schedules }] }
  expect((await api.send('POST', '/api/v1/members', json(first))).status).toBe(201)
  const [member] = await api.database.knex('members')
  const [access] = await api.database.knex('accesses')
  const rest = Array.from({ length: count - 1 }, (_, place) => String(place).padStart(3, '0'))
  await api.database.write(async tx => {
    for (const place of rest) {
      const id = newId(api.world, idPrefix.member)
      // Without a link, like an inactive member, except for the first ones.
      const row = { ...member, id, name: place, linkHash: null, linkSealed: null }
      await tx('members').insert({ ...row, createdAt: isoTime(Date.parse(member.createdAt) + Number(place)) })
      await tx('accesses').insert({ ...access, id: newId(api.world, idPrefix.access), memberId: id })
    }
    for (let place = 0; place < 40; place++)
      await tx('activity').insert({
        id: newId(api.world, idPrefix.activity),
        spaceId: api.spaceId,
        action: 'guest.access_updated',
        actor: 'api:Desk',
        targetType: 'guest',
        targetLabel: 'Ana',
        details: JSON.stringify({ deviceName: 'Front', changes: { schedules: { from: schedules, to: [] } } }),
        timestamp: isoTime(place),
      })
  })
})
afterAll(() => api.stop())

/** A Space of members with an access for each of 100 gates. Each access contains the most that it can. */
async function fullMembers(members: number) {
  const { database, seal, world } = api
  const spaceId = await newSpace({ database, world }, { name: 'Full' })
  await database.write(async tx => {
    const gates = await tx('gates').where({ spaceId: api.spaceId })
    const gateIds = Array.from({ length: 100 }, () => newId(world, idPrefix.gate))
    for (const id of gateIds) await tx('gates').insert({ ...gates[0], id, spaceId })
    const [access] = await tx('accesses')
    for (let place = 0; place < members; place++) {
      const owner = { id: newId(world, idPrefix.member), spaceId }
      const rest = { name: `${place}`, isAdmin: false, isActive: true, createdAt: isoTime(place) }
      await tx('members').insert({ ...owner, ...rest, ...newLink(world, seal, owner) })
      for (const gateId of gateIds) {
        const given = { id: newId(world, idPrefix.access), spaceId, memberId: owner.id, gateId }
        await tx('accesses').insert({ ...access, ...given })
      }
    }
  })
  return { spaceId }
}

const asked = <Id extends OperationId>(query: Request<Id>['query'], spaceId = api.spaceId) =>
  requestOf<Id>(api.database, principalIn(spaceId), { query })

/** The pieces of a list that is too long for one turn, by their sizes. */
async function sizesOf(answer: Promise<object>): Promise<number[]> {
  const said = await answer
  if (!isLongList(said)) throw new Error('it is one piece')
  const sizes: number[] = []
  for await (const piece of said.pieces) sizes.push(piece.length)
  return sizes
}

type Listed = { id: string; name: string }[]

describe('a long list', () => {
  it('handles at most ten members in one turn, and reads 50 rows, whole and in pages', async () => {
    const sizes = await sizesOf(handlers.listMembers(asked<'listMembers'>({})))
    const read: number[] = []
    const note = (response: unknown) => void (Array.isArray(response) && read.push(response.length))
    api.database.knex.on('query-response', note)
    const again = await sizesOf(handlers.listMembers(asked<'listMembers'>({})))
    const ofPage = await sizesOf(handlers.listMembers(asked<'listMembers'>({ limit: 200 })))
    api.database.knex.removeListener('query-response', note)
    expect(again).toEqual(sizes)
    expect(Math.max(...sizes)).toBe(10)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(count)
    expect(Math.max(...read)).toBe(50)
    expect(Math.max(...ofPage)).toBe(10)
    expect(ofPage.reduce((sum, size) => sum + size, 0)).toBe(200)
  })

  it('is split by the size of its accesses, also when it has few members', async () => {
    const full = await fullMembers(3)
    const { pieces } = (await handlers.listMembers(asked<'listMembers'>({}, full.spaceId))) as LongList
    const sizes: number[] = []
    for await (const piece of pieces) {
      const text = piece.join()
      // A member with an access for each of 100 gates is a piece alone.
      if (text.length > 150_000) expect(piece).toHaveLength(1)
      sizes.push(piece.length)
    }
    expect(sizes).toEqual([1, 1, 1])
    const page = asked<'listMembers'>({ limit: 2 }, full.spaceId)
    expect(await sizesOf(handlers.listMembers(page))).toEqual([1, 1])
    expect(isLongList(await handlers.listMembers(asked<'listMembers'>({ limit: 1 }, full.spaceId)))).toBe(
      false,
    )
  })

  it('is searched in turns that read few accesses each, however many the members have', async () => {
    const full = await fullMembers(4)
    const read: number[] = []
    const note = (response: unknown, { sql }: { sql: string }) => {
      if (Array.isArray(response) && /from .accesses. .*order by/.test(sql)) read.push(response.length)
    }
    api.database.knex.on('query-response', note)
    const found = handlers.listMembers(asked<'listMembers'>({ include: 'now', limit: 10 }, full.spaceId))
    const { body } = (await found) as { body: { members: { accesses: object[] }[] } }
    api.database.knex.removeListener('query-response', note)
    expect(body.members.map(({ accesses }) => accesses.length)).toEqual([100, 100, 100, 100])
    expect(read).toEqual([100, 100, 100, 100])
  })

  it('gives other work a turn between two pieces', async () => {
    let turns = 0
    const { turn } = api.world
    Object.assign(api.world, {
      turn(of: string) {
        turns++
        return turn(of)
      },
    })
    const { json: body } = await api.send('GET', '/api/v1/members')
    Object.assign(api.world, { turn })
    expect((body['members'] as Listed).length).toBe(count)
    expect(turns).toBeGreaterThanOrEqual(count / 10)
  })

  it('is the same whole and in pages, in its order, without a repeated or missing member', async () => {
    const whole = (await api.send('GET', '/api/v1/members')).json['members'] as Listed
    const { spaceId } = api
    const order = await api.database
      .knex('members')
      .where({ spaceId })
      .orderBy(['createdAt', 'id'])
      .pluck('id')
    expect(whole.map(({ id }) => id)).toEqual(order)
    const paged: Listed = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await api.send('GET', `/api/v1/members?limit=30&cursor=${cursor}`)
      paged.push(...(page.json['members'] as Listed))
      cursor = (page.json['pagination'] as { nextCursor: string | null }).nextCursor
    }
    expect(paged).toEqual(whole)
    const head = await api.send('HEAD', '/api/v1/members')
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  })

  it('of activity is split by the length of its details', async () => {
    const sizes = await sizesOf(handlers.listActivity(asked<'listActivity'>({ limit: 100 })))
    expect(Math.max(...sizes)).toBe(10)
    const { json: body } = await api.send('GET', '/api/v1/activity?limit=100&cursor=')
    const rows = await api.database.knex('activity').orderBy([
      { column: 'timestamp', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    expect((body['activity'] as Listed).map(({ id }) => id)).toEqual(rows.map(({ id }) => id))
    expect(body['pagination']).toEqual({ limit: 100, nextCursor: null })
    const few = await handlers.listActivity(asked<'listActivity'>({ limit: 2 }))
    expect(isLongList(few)).toBe(false)
  })

  it('is cut off when it fails midway, so that it does not look complete', async () => {
    const rows = { spaceId: api.spaceId, name: '300' }
    await api.database.write(tx => tx('members').where(rows).update({ linkSealed: '1.broken' }))
    await expect(api.send('GET', '/api/v1/members')).rejects.toThrow()
    await api.database.write(tx => tx('members').where(rows).update({ linkSealed: null }))
    expect((await api.send('GET', '/api/v1/gates')).status).toBe(200)
  })
})
