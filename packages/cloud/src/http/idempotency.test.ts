import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServedTime } from '../database/servedTime.ts'
import { gateHandlers } from '../gate/gates.ts'
import { type ApiServer, gate, json, listen, type Sent, sendTo, serveApi, told } from './server.kit.ts'

let api: ApiServer
/** Delays the creation of a gate, before anything is written; and how many wait. */
let held: Promise<void>
let arrived = 0

const createGateOf = (parts: Parameters<typeof gateHandlers>[0]) => {
  const { createGate } = gateHandlers(parts)
  return {
    createGate(request: Parameters<typeof createGate>[0]) {
      arrived++
      return held.then(() => createGate(request))
    },
  }
}

beforeEach(async () => {
  held = Promise.resolve()
  arrived = 0
  api = await serveApi(createGateOf)
})
afterEach(() => api.stop())

const create = (key: string, body: unknown = gate) =>
  api.send('POST', '/api/v1/gates', json(body, { 'Idempotency-Key': key }))
const gateCount = async () => (await api.database.knex('gates')).length
const isReplayed = ({ headers }: Sent) => headers.get('idempotency-replayed') === 'true'
const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

/** Lets the cloud serve for this time, and count it once a minute. */
async function served(ms: number): Promise<void> {
  const service = await startServedTime({ database: api.database, world: api.world, ends: [] })
  await api.world.advance(ms)
  await service.stop()
}

describe('a request with an Idempotency-Key', () => {
  it('is executed once, and answered again byte by byte', async () => {
    const first = await create('a')
    const again = await create('"a"', { phoneNumber: gate.phoneNumber, name: gate.name })
    expect([first.status, isReplayed(first)]).toEqual([201, false])
    expect([again.status, again.text, isReplayed(again)]).toEqual([201, first.text, true])
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
    expect(await gateCount()).toBe(1)
    expect((await create('b')).status).toBe(201)
    expect(await gateCount()).toBe(2)
  })

  it('is refused with another body, and leaves no trace', async () => {
    await create('a')
    expect(told(await create('a', { ...gate, name: 'Back' }))).toBe('422 idempotency_mismatch')
    expect(await gateCount()).toBe(1)
    expect(await api.database.knex('activity').where({ action: 'gate.created' })).toHaveLength(1)
  })

  it('is a different request on another path and for another API key', async () => {
    const path = `/api/v1/gates/${((await create('a')).json['gate'] as { id: string }).id}`
    const patch = (name: string, headers: Record<string, string> = {}) =>
      api.send('PATCH', path, json({ name }, { 'Idempotency-Key': 'a', ...headers }))
    const patched = await patch('Back')
    expect([patched.status, isReplayed(patched)]).toEqual([200, false])
    expect(isReplayed(await patch('Back', { 'If-Match': '"old"' }))).toBe(true)
    expect(told(await patch('Side', { 'If-Match': '"old"' }))).toBe('412 precondition_failed')
    expect(told(await patch('Side'))).toBe('422 idempotency_mismatch')
    const { key } = await api.newKey()
    const other = await sendTo(api.base, key, 'POST', '/api/v1/gates', json(gate, { 'Idempotency-Key': 'a' }))
    expect([other.status, isReplayed(other)]).toEqual([201, false])
  })

  it('runs again when it had no effect', async () => {
    await api.database.knex('plans').where({ name: 'pro' }).update({ gateLimit: 0 })
    expect(told(await create('a'))).toBe('403 plan_limit_reached')
    await api.database.knex('plans').where({ name: 'pro' }).update({ gateLimit: 5 })
    const second = await create('a')
    expect([second.status, isReplayed(second)]).toEqual([201, false])
  })

  it('needs a key of 1 to 255 visible ASCII characters', async () => {
    for (const bad of ['', 'a b', '"a', '"a" b', 'x'.repeat(256), '"a b"', 'é'])
      expect(told(await create(bad)), bad).toBe('400 validation_error')
    expect((await create('x'.repeat(255))).status).toBe(201)
    expect(isReplayed(await create(`"${'x'.repeat(255)}"`))).toBe(true)
  })

  it('is remembered for 24 hours, and then forgotten for good', async () => {
    await create('a')
    for (let other = 0; other < 21; other++) await create(`other-${other}`)
    await served(dayMs - 1)
    expect(isReplayed(await create('a'))).toBe(true)
    // The count of the service is raised once a minute.
    await served(3 * 60_000)
    expect(isReplayed(await create('a'))).toBe(false)
    expect((await api.database.knex('keptAnswers')).length).toBe(2)
  })

  it.each([25, -26, 24 * 365 * 10])(
    'is remembered where the wall clock is set by %i h in between',
    async hours => {
      await create('a')
      for (const byMs of [hours * hourMs, 10_000, -hours * hourMs]) {
        api.world.jumpWallClock(byMs)
        await served(10_000)
        expect(isReplayed(await create('a'))).toBe(true)
        expect((await create(`other${byMs}`)).status).toBe(201)
      }
      expect(await api.database.knex('keptAnswers')).toHaveLength(4)
    },
  )

  it('is forgotten after a day of service where a wrong clock has dated it years ahead', async () => {
    api.world.jumpWallClock(24 * 365 * 10 * hourMs)
    await create('a')
    api.world.jumpWallClock(-24 * 365 * 10 * hourMs)
    await served(dayMs - 1)
    expect(isReplayed(await create('a'))).toBe(true)
    await served(3 * 60_000)
    expect(isReplayed(await create('a'))).toBe(false)
  })

  it('is remembered while no cloud serves', async () => {
    await create('a')
    await api.world.advance(10 * dayMs)
    expect(isReplayed(await create('a'))).toBe(true)
  })

  it('is kept sealed, so that the database tells nothing', async () => {
    const { text } = await create('a')
    const [row] = await api.database.knex('keptAnswers')
    const { askerId, requestHash, sealedAnswer } = row
    expect(JSON.stringify(row)).not.toContain(gate.name)
    const kept = JSON.parse(api.seal.unseal(sealedAnswer, `${askerId}|${requestHash}`) ?? '')
    expect(kept.body).toBe(text)
    await api.database.knex('keptAnswers').update({ sealedAnswer: `9.${'A'.repeat(60)}` })
    expect(told(await create('a'))).toBe('409 conflict')
    expect(await gateCount()).toBe(1)
  })
})

/** Delays each creation of a gate until the returned function is called. */
function hold(): () => void {
  let release = () => {}
  held = new Promise(resolve => {
    release = resolve
  })
  return release
}

/** Sends the same request to two processes. Neither has found a kept answer when the first of them writes. */
async function createInTwoProcesses() {
  const other = await listen(api, createGateOf(api))
  const release = hold()
  const init = json(gate, { 'Idempotency-Key': 'a' })
  const both = [create('a'), sendTo(other.base, api.key, 'POST', '/api/v1/gates', init)]
  while (arrived < 2) await new Promise(resolve => setImmediate(resolve))
  release()
  const answers = await Promise.all(both)
  await other.close()
  return answers
}

describe('requests with the same key at the same time', () => {
  it('have one effect and equal answers', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => create('a')))
    expect(answers.map(answer => answer.status)).toEqual(Array(10).fill(201))
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(answers.filter(isReplayed)).toHaveLength(9)
    expect(await gateCount()).toBe(1)
  })

  it('have one effect also in two processes', async () => {
    const answers = await createInTwoProcesses()
    expect(answers.map(answer => answer.status)).toEqual([201, 201])
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(answers.filter(isReplayed)).toHaveLength(1)
    expect(await gateCount()).toBe(1)
  })

  it('are not refused because of what the first one has created in another process', async () => {
    await api.database.knex('plans').where({ name: 'pro' }).update({ gateLimit: 1 })
    const answers = await createInTwoProcesses()
    expect(answers.map(told)).toEqual(['201 undefined', '201 undefined'])
    expect(answers.filter(isReplayed)).toHaveLength(1)
    expect(told(await create('b'))).toBe('403 plan_limit_reached')
  })

  it('wait for the first, and give up when their own wait is over', async () => {
    const release = hold()
    const first = create('a')
    const twin = create('a')
    while (api.world.nextTimerMs() === undefined) await new Promise(resolve => setImmediate(resolve))
    await api.world.advance(50_000)
    const given = await Promise.race([first, twin])
    expect(told(given)).toBe('409 conflict')
    release()
    const answers = await Promise.all([first, twin])
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 409])
    expect(await gateCount()).toBe(1)
  })
})
