// 200 requests at once keep every limit: caps, the limits of a plan, and the single effect of an Idempotency-Key.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setOwnLimits } from '@callgate/cloud/space/plans'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Answer, type Api, serveWholeApi } from './apiServer.ts'
import { guestOf } from './guest.ts'
import { numberOf } from './scriptedGateway.ts'
import type { Tenant } from './servedCloud.ts'
import { statusAndCode } from './validRequests.ts'

const atOnce = 200
/** The number of writes of one key in a minute. This many requests share a key. */
const writesPerKey = 30

let api: Api

beforeAll(async () => {
  api = await serveWholeApi()
})
afterAll(() => api.stop())
beforeEach(() => api.nextMinute())

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Sends 200 requests at once, with as many keys as the rate limit requires. Returns the count of each answer. */
async function sendAtOnce(
  space: Tenant,
  request: (index: number) => { method: string; path: string; body: object },
): Promise<Record<string, number>> {
  const keys: string[] = []
  for (let held = 0; held < atOnce; held += writesPerKey) keys.push((await space.addKey()).key)
  const answers = await Promise.all(
    numbersTo(atOnce).map(index => {
      const { body, method, path } = request(index)
      return api.send(method, `/api/v1${path}`, { key: keys[index % keys.length] ?? null, body })
    }),
  )
  return countOf(answers.map(statusAndCode))
}

function countOf(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

const rowsOf = (table: string, space: Tenant) => api.database.knex(table).where({ spaceId: space.spaceId })

const newGate = (index: number) => ({ name: `Gate ${index}`, phoneNumber: numberOf('opens', index) })

it('creates as many gates as the plan allows, and no more', async () => {
  const space = await api.addSpace('pro')
  const create = (index: number) => ({ method: 'POST', path: '/gates', body: newGate(index) })
  const answered = await sendAtOnce(space, create)
  expect(answered).toEqual({ '201': 25, '403 plan_limit_reached': 175 })
  expect(await rowsOf('gates', space)).toHaveLength(25)
  expect(await rowsOf('activity', space).where({ action: 'gate.created' })).toHaveLength(25)
})

it('reactivates as many gates as the plan allows, and no more', async () => {
  const space = await api.addSpace('pro')
  await sendAtOnce(space, index => ({ method: 'POST', path: '/gates', body: newGate(index) }))
  const ids: string[] = await rowsOf('gates', space).orderBy('id').pluck('id')
  await rowsOf('gates', space).update({ isActive: false })
  await setOwnLimits(api, { spaceId: space.spaceId, limits: { gateLimit: 7 }, actor: 'operator' })
  const answered = await sendAtOnce(space, index => ({
    method: 'PATCH',
    path: `/gates/${ids[index % ids.length]}`,
    body: { isActive: true },
  }))
  // Each of the 25 gates gets eight requests. For the seven that become active, all eight succeed.
  expect(await rowsOf('gates', space).where({ isActive: true })).toHaveLength(7)
  expect(answered).toEqual({ '200': 56, '403 plan_limit_reached': 144 })
  expect(await rowsOf('activity', space).where({ action: 'gate.reactivated' })).toHaveLength(7)
})

it('invites as many members a month as the plan allows, and as many again in the next month', async () => {
  const space = await api.addSpace('pro')
  const limits = { monthlyInvitationLimit: 37 }
  await setOwnLimits(api, { spaceId: space.spaceId, limits, actor: 'operator' })
  const create = (index: number) => ({
    method: 'POST',
    path: '/members',
    body: { name: `Guest ${index}`, ...(index % 2 === 0 && { email: `guest${index}@example.com` }) },
  })
  for (const month of [1, 2]) {
    expect(await sendAtOnce(space, create)).toEqual({ '201': 37, '403 plan_limit_reached': 163 })
    expect(await rowsOf('members', space)).toHaveLength(37 * month)
    await api.world.advance(31 * 24 * 60 * 60_000)
  }
})

it('calls as often as the cap of an access allows, however many presses come at once', async () => {
  const [guests, presses, maxUsage] = [20, 10, 2]
  const space = await api.addSpace('business')
  const made: { gateId: string; url: string }[] = []
  for (const index of numbersTo(guests)) {
    // A key of its own, because 40 writes are more than one key may make in a minute.
    const asked = { key: (await space.addKey()).key }
    const gate = await api.send('POST', '/api/v1/gates', { ...asked, body: newGate(1_000 + index) })
    const gateId = gate.json.gate.id
    const body = { name: `Guest ${index}`, accesses: [{ gateId, maxUsage }] }
    const member = await api.send('POST', '/api/v1/members', { ...asked, body })
    made.push({ gateId, url: member.json.member.accesses[0]?.accessUrl ?? '' })
  }
  const before = api.gateway.calls.length
  const ids: (string | undefined)[] = []
  for (const round of [1, 2, 3]) {
    const pressed = await Promise.all(
      made.flatMap(({ gateId, url }) => numbersTo(presses).map(() => guestOf(api, url).press(gateId))),
    )
    ids.push(...pressed)
    await api.nextMinute()
    expect(api.gateway.calls.length - before).toBe(guests * Math.min(round, maxUsage))
  }
  expect(await rowsOf('accesses', space).pluck('usageCount')).toEqual(made.map(() => maxUsage))
  expect(await rowsOf('gates', space).pluck('openCount')).toEqual(made.map(() => maxUsage))
  // No press was lost to the rate limit or to an error in the first two rounds: all of them were recorded.
  expect(ids.slice(0, 2 * guests * presses)).not.toContain(undefined)
})

/** One request for each operation that takes an Idempotency-Key and writes a row. */
function keyedRequests(gateId: string, memberId: string) {
  return [
    ['POST', '/gates', newGate(1)],
    ['POST', '/members', { name: 'Twin', email: 'twin@example.com' }],
    ['PATCH', `/gates/${gateId}`, { name: 'Renamed' }],
    ['PATCH', `/members/${memberId}`, { note: 'seen' }],
    ['POST', `/members/${memberId}/accesses`, { gateId }],
    ['POST', `/members/${memberId}/link/reset`, {}],
    ['POST', `/members/${memberId}/invitation`, {}],
    ['POST', `/gates/${gateId}/open`, {}],
  ] as const
}

/** Sends each request `copies` times at once, with one Idempotency-Key. Returns the answers of each. */
function sendTwins(
  to: Api,
  key: string,
  requests: ReturnType<typeof keyedRequests>,
  copies: number,
): Promise<Answer[][]> {
  const sendOne = ([method, path, body]: (typeof requests)[number], index: number) =>
    Promise.all(
      numbersTo(copies).map(() =>
        to.send(method, `/api/v1${path}`, { key, headers: { 'idempotency-key': `twin-${index}` }, body }),
      ),
    )
  return requests.reduce<Promise<Answer[][]>>(
    async (all, request, index) => [...(await all), await sendOne(request, index)],
    Promise.resolve([]),
  )
}

it('carries out a request once that comes three times with one Idempotency-Key, even after a restart, and answers all alike', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-twins-'))
  const url = join(folder, 'callgate.db')
  const effects = async ({ database }: Api, spaceId: string) => {
    const counts: Record<string, number> = {}
    for (const table of ['gates', 'members', 'accesses', 'openings', 'activity', 'outbox'])
      counts[table] = (await database.knex(table).where({ spaceId })).length
    return counts
  }
  try {
    const first = await serveWholeApi(1, url)
    const { key, spaceId } = first.home
    const gate = await first.send('POST', '/api/v1/gates', { body: newGate(0) })
    const body = { name: 'Ana', email: 'ana@example.com' }
    const member = await first.send('POST', '/api/v1/members', { body })
    const requests = keyedRequests(gate.json.gate.id, member.json.member.id)
    await first.nextMinute()
    const atFirst = await sendTwins(first, key, requests, 3)
    const texts = atFirst.map(([answer]) => answer?.text)
    const done = await effects(first, spaceId)
    expect(atFirst.map(([answer]) => answer?.status)).toEqual([201, 201, 200, 200, 201, 200, 202, 200])
    expect(atFirst.map(twins => new Set(twins.map(({ text }) => text)).size)).toEqual(requests.map(() => 1))
    const replayed = (twins: Answer[]) =>
      twins.filter(({ headers }) => headers['idempotency-replayed'] === 'true')
    expect(atFirst.map(twins => replayed(twins).length)).toEqual(requests.map(() => 2))
    expect(done).toEqual({ gates: 2, members: 2, accesses: 1, openings: 1, activity: 9, outbox: 4 })
    await first.stop()

    const second = await serveWholeApi(2, url)
    const again = await sendTwins(second, key, requests, 3)
    expect(again.map(twins => replayed(twins).length)).toEqual(requests.map(() => 3))
    expect(again.map(twins => twins.map(({ text }) => text))).toEqual(texts.map(text => [text, text, text]))
    expect(await effects(second, spaceId)).toEqual(done)
    expect(second.gateway.calls).toEqual([])
    await second.stop()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
