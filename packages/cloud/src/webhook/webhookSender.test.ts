import { callProfile } from '@callgate/contract/call/callProfile'
import { settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { markRestored } from '../backup/markRestored.ts'
import { openingsAfterLoss } from '../opening/openingsAfterLoss.ts'
import { type Answering, type Received, signedPart, type WebhookHouse, webhookHouse } from './webhook.kit.ts'
import { gatherMs } from './webhookSender.ts'

let house: WebhookHouse | undefined
afterEach(async () => {
  vi.useRealTimers()
  await house?.close()
  house = undefined
})

async function begin(answer?: Answering): Promise<WebhookHouse> {
  house = await webhookHouse(answer)
  return house
}

const soon = { interval: 2, timeout: 10_000 }
const arrive = (of: WebhookHouse, path: string, count: number) =>
  expect
    .poll(async () => {
      await of.world.advance(gatherMs)
      return of.receiver.at(path).length
    }, soon)
    .toBe(count)
/** Waits until the end of every attempt is written. */
const written = (of: WebhookHouse, webhookId: string, attempts: number) =>
  expect
    .poll(async () => {
      await of.world.advance(gatherMs)
      return (await of.deliveries(webhookId)).reduce((sum, one) => sum + one.attempts.length, 0)
    }, soon)
    .toBe(attempts)

/** Verifies a delivery as a receiver does when it comes. */
function verify(secret: string, received: Received) {
  vi.setSystemTime(Number(received.headers['webhook-timestamp']) * 1_000)
  return new Verifier(secret).verify(received.body, signedPart(received))
}

async function whyStopped(of: WebhookHouse, webhookId: string) {
  await of.world.advance(gatherMs)
  return (await of.webhook(webhookId)).stopped?.why
}

const refuseAll: Answering = (_, response) => response.writeHead(500).end('no')
const hourMs = 3_600_000
/** An opening whose gateway has not reported. */
async function endedOpening({ database, spaceId, world }: WebhookHouse) {
  const atMs = world.nowMs()
  const [id, gateId] = [newId(world, 'open'), newId(world, 'gate')]
  const at = isoTime(atMs)
  const gate = { name: 'North', phoneNumber: '+40722123456', location: '', isActive: true, createdAt: at }
  const profile = JSON.stringify(callProfile({ mode: 'unverified' }))
  const ended = { status: 'timeout', reason: 'no_report', opened: 'unknown', confidence: 'unknown' }
  const of = { gateName: 'North', phoneNumber: '+40722123456', actorType: 'owner', actorName: 'api:Desk' }
  const times = { calledAt: at, grantBefore: at, completedAt: at }
  await database.write(
    async tx => {
      await tx('gates').insert({ ...gate, id: gateId, spaceId, callProfile: profile })
      await tx('openings').insert({ ...ended, ...of, ...times, id, spaceId, gateId })
    },
    { spaceId },
  )
  return { id, atMs }
}
/** Some hours later, when the sender looks for what is due. */
async function later({ world }: WebhookHouse, hours: number) {
  world.jumpWallClock(hours * hourMs)
  await world.advance(1_000)
}

describe('a delivery', () => {
  it('is sent as its event is committed, signed, and told in the log', async () => {
    const of = await begin()
    const { secret, webhook } = await of.add('/hook')
    const at = isoTime(of.world.nowMs())
    await of.record({ gateId: 'gate_1' })
    await arrive(of, '/hook', 1)
    const [received] = of.receiver.received
    if (!received) throw new Error('nothing came')
    const message = verify(secret, received)
    expect(message).toEqual({
      type: 'gate.updated',
      timestamp: at,
      sequence: expect.any(Number),
      data: { targetId: 'gate_1', gateId: 'gate_1', memberId: null },
    })
    await written(of, webhook.id, 1)
    const [delivery] = await of.deliveries(webhook.id)
    expect(delivery).toMatchObject({
      state: 'delivered',
      nextAttemptAt: null,
      attempts: [{ status: 204, error: null }],
    })
    expect(received.headers['webhook-id']).toBe(delivery?.id)
  })

  it('is sent soon, whenever its event comes: a Space may get work just after it had none', async () => {
    const of = await begin()
    await of.add('/hook')
    const others: Promise<void>[] = []
    for (let event = 0; event < 300; event++) {
      others.push(of.record({}))
      for (let step = of.world.randomInt(0, 4); step > 0; step--) {
        await settle(of.world.randomInt(0, 30))
        await of.world.advance(of.world.randomInt(0, 6))
      }
    }
    await Promise.all(others)
    await arrive(of, '/hook', 300)
    expect(of.world.nowMs()).toBeLessThan(Date.parse('2026-01-05T08:01:00Z'))
  })

  it('goes to the webhooks of its Space that have chosen its type, and to no other', async () => {
    const of = await begin()
    await of.add('/all')
    await of.add('/some', ['member.created', 'gate.updated'])
    await of.add('/none', ['opening.ended'])
    await of.record({})
    await arrive(of, '/all', 3)
    await arrive(of, '/some', 1)
    expect(of.receiver.at('/none')).toEqual([])
    // A webhook hears of the others, and not of itself.
    const types = of.receiver.at('/all').map(({ body }) => JSON.parse(body).type)
    expect(types.sort()).toEqual(['gate.updated', 'webhook.created', 'webhook.created'])
  })

  it('W1: has the same bytes each time, also where its opening was corrected since', async () => {
    const of = await begin(refuseAll)
    const { webhook } = await of.add('/hook')
    const { atMs, id } = await endedOpening(of)
    await of.record({ kind: 'opening.ended', targetId: id, atMs })
    await arrive(of, '/hook', 1)
    await written(of, webhook.id, 1)
    const corrected = { status: 'completed', reason: 'rejected_after_ring', opened: 'yes' }
    await of.database.write(tx => tx('openings').where({ id }).update(corrected), { spaceId: of.spaceId })
    await later(of, 0.002)
    await arrive(of, '/hook', 2)
    const [first, second] = of.receiver.received.map(({ body }) => body)
    expect(JSON.parse(first ?? '')).toMatchObject({ data: { status: 'timeout', reason: 'no_report' } })
    expect(second).toBe(first)
  })

  it('is tried again with the same bytes, at the times of the schedule, and given up after ten attempts', async () => {
    const of = await begin(refuseAll)
    const { secret, webhook } = await of.add('/hook')
    await of.record({})
    for (const hours of [0, 0.002, 0.1, 0.6, 2.3, 5.6, 11.1, 15.5, 22.1, 26.5]) {
      const before = of.receiver.received.length
      await later(of, hours)
      await arrive(of, '/hook', before + 1)
      await written(of, webhook.id, before + 1)
    }
    const { 'webhook-timestamp': sentAt } = of.receiver.received.at(-1)?.headers ?? {}
    expect(Number(sentAt)).toBeGreaterThan(of.world.nowMs() / 1_000 - 10)
    const [first] = of.receiver.received
    for (const received of of.receiver.received) {
      expect(received.body).toBe(first?.body)
      expect(received.headers['webhook-id']).toBe(first?.headers['webhook-id'])
    }
    const last = of.receiver.received.at(-1)
    if (!last) throw new Error('nothing came')
    expect(verify(secret, last)).toMatchObject({ type: 'gate.updated' })
    const [delivery] = await of.deliveries(webhook.id)
    expect(delivery).toMatchObject({ state: 'given_up', nextAttemptAt: null })
    const { body, ...row } = await of.database.knex('webhookDeliveries').first()
    expect(body).toBe(last.body)
    expect(JSON.stringify(row)).not.toContain('no"')
    expect(delivery?.attempts[0]).toEqual({
      at: expect.any(String),
      status: 500,
      durationMs: expect.any(Number),
      error: 'answer_refused',
    })
  })

  it('is refused where the clock is wrong at its attempt, and taken after the clock was set right', async () => {
    const right = () => (of.world.nowMs() - aheadMs) / 1_000
    const isFresh = ({ headers }: Received) => Math.abs(Number(headers['webhook-timestamp']) - right()) < 300
    const of = await begin((received, response) => response.writeHead(isFresh(received) ? 204 : 400).end())
    let aheadMs = 0
    const { webhook } = await of.add('/hook')
    const step = (ms: number) => {
      aheadMs += ms
      of.world.jumpWallClock(ms)
    }
    step(hourMs)
    await of.record({})
    await arrive(of, '/hook', 1)
    await written(of, webhook.id, 1)
    step(-hourMs)
    await of.world.advance(1_000)
    await later(of, 2)
    await arrive(of, '/hook', 2)
    await written(of, webhook.id, 2)
    const [first, second] = of.receiver.received
    expect(second?.body).toEqual(first?.body)
    const [delivery] = await of.deliveries(webhook.id)
    expect(delivery).toMatchObject({ state: 'delivered', attempts: [{ status: 400 }, { status: 204 }] })
  })

  it('waits as long as Retry-After says', async () => {
    const of = await begin((_, response) => response.writeHead(503, { 'retry-after': '3600' }).end())
    const { webhook } = await of.add('/hook')
    await of.record({})
    await arrive(of, '/hook', 1)
    await written(of, webhook.id, 1)
    const [delivery] = await of.deliveries(webhook.id)
    expect(Date.parse(delivery?.nextAttemptAt ?? '')).toBeGreaterThan(of.world.nowMs() + 3_590_000)
  })

  it('W1: is signed by both secrets during a rotation, and by the new one afterwards', async () => {
    const of = await begin()
    const { secret: old, webhook } = await of.add('/hook')
    const params = { webhookId: webhook.id }
    const asked = of.request({ params, body: { overlapHours: 1 }, query: {}, receivedAt: undefined as never })
    const rotated = await of.handlers.rotateWebhookSecret(asked)
    if ('problem' in rotated) throw new Error(rotated.message)
    const { secret } = rotated.body
    await of.record({})
    await arrive(of, '/hook', 1)
    const [during] = of.receiver.received
    if (!during) throw new Error('nothing came')
    for (const one of [old, secret]) {
      expect(() => verify(one, during)).not.toThrow()
      expect(verify(one, during)).toMatchObject({ type: 'gate.updated' })
      const changed = { ...during, body: during.body.replace('gate_1', 'gate_2') }
      expect(() => verify(one, changed)).toThrow('No matching signature')
    }
    await later(of, 1)
    await of.record({})
    await arrive(of, '/hook', 2)
    const after = of.receiver.received[1]
    if (!after) throw new Error('nothing came')
    expect(verify(secret, after)).toMatchObject({ type: 'gate.updated' })
    expect(() => verify(old, after)).toThrow('No matching signature')
  })

  it('is made once by two senders on one database, and is due again when its process has died', async () => {
    const of = await begin()
    const other = of.newSender()
    other.start()
    const { webhook } = await of.add('/hook')
    await of.record({}, {}, {}, {}, {}, {})
    await arrive(of, '/hook', 6)
    await of.world.advance(3_000)
    await written(of, webhook.id, 6)
    expect(of.receiver.received).toHaveLength(6)

    // What a process leaves that has claimed it and sent nothing.
    const [delivery] = await of.deliveries(webhook.id)
    const left = { nextAttemptAt: isoTime(of.world.nowMs() + 120_000), deliveredAt: null, attempts: 0 }
    await of.database.knex('webhookDeliveries').where({ seq: delivery?.sequence }).update(left)
    await of.world.advance(119_000)
    expect(of.receiver.received).toHaveLength(6)
    await of.world.advance(2_000)
    await arrive(of, '/hook', 7)
    await other.stop()
  })
})

describe('a webhook', () => {
  it('W1: gets nothing of what happens while it is switched off, also later, beside one that gets it', async () => {
    const of = await begin()
    const { webhook } = await of.add('/off')
    await of.add('/on', ['gate.updated'])
    const set = (isActive: boolean) => {
      const given = { params: { webhookId: webhook.id }, body: { isActive }, query: {} }
      return of.handlers.updateWebhook(of.request({ ...given, receivedAt: undefined as never }))
    }
    await arrive(of, '/off', 1)
    await set(false)
    await of.record({})
    await arrive(of, '/on', 1)
    expect(of.receiver.at('/off')).toHaveLength(1)
    await set(true)
    const types = async () => {
      await of.world.advance(gatherMs)
      return of.receiver.at('/off').map(({ body }) => JSON.parse(body).type)
    }
    await expect.poll(types, soon).toContain('events.reset')
    await of.world.advance(5_000)
    // The first one is about the other webhook.
    expect(await types()).toEqual(['webhook.created', 'events.reset'])
  })

  it('is switched off by 410, with an entry in the activity', async () => {
    const of = await begin((_, response) => response.writeHead(410).end())
    const { webhook } = await of.add('/hook')
    await of.record({}, {})
    await arrive(of, '/hook', 2)
    await expect.poll(() => whyStopped(of, webhook.id), soon).toBe('gone')
    const states = (await of.deliveries(webhook.id)).map(({ state }) => state)
    expect(new Set(states)).toEqual(new Set(['given_up']))
    const entry = await of.database.knex('activity').where({ action: 'webhook.stopped' }).first()
    expect([entry.actor, JSON.parse(entry.details).why]).toEqual(['system', 'gone'])
    await of.record({})
    expect(await of.deliveries(webhook.id)).toHaveLength(states.length)
  })

  it('is switched off when nothing has reached it for five days', async () => {
    const of = await begin(refuseAll)
    const { webhook } = await of.add('/hook')
    for (let day = 0; day < 5; day++) {
      const before = of.receiver.received.length
      await of.record({})
      await expect
        .poll(async () => {
          await of.world.advance(gatherMs)
          return of.receiver.received.length
        }, soon)
        .toBeGreaterThan(before)
      await of.world.advance(1_000)
      expect((await of.webhook(webhook.id)).isActive).toBe(true)
      await later(of, 24)
    }
    await of.record({})
    await expect.poll(() => whyStopped(of, webhook.id), soon).toBe('failing')
  })

  it('gets nothing after a restore, until somebody lets it go on, and then a reset', async () => {
    const of = await begin()
    const { webhook } = await of.add('/hook')
    await of.record({ targetId: 'gate_before' })
    await of.database.write(tx => markRestored(tx, of.world, isoTime(of.world.nowMs())))
    await of.record({})
    expect((await of.webhook(webhook.id)).stopped?.why).toBe('restored')
    await of.world.advance(5_000)
    expect(of.receiver.received).toEqual([])
    const params = { webhookId: webhook.id }
    const body = { isActive: true }
    await of.handlers.updateWebhook(of.request({ params, body, query: {}, receivedAt: undefined as never }))
    await arrive(of, '/hook', 1)
    expect(JSON.parse(of.receiver.received[0]?.body ?? '')).toMatchObject({
      type: 'events.reset',
      data: { targetId: webhook.id },
    })
  })

  it('is told that events may be missing, after the data has gone back', async () => {
    const of = await begin()
    const { webhook } = await of.add('/hook')
    await of.record({})
    await arrive(of, '/hook', 1)
    const { markEnds } = openingsAfterLoss({ world: of.world, ends: { async afterEnd() {} } })
    await of.database.write(tx => markEnds(tx, of.spaceId))
    await arrive(of, '/hook', 2)
    const [before, after] = of.receiver.received.map(({ body }) => JSON.parse(body))
    expect(after).toMatchObject({ type: 'events.reset', data: { targetId: webhook.id } })
    expect(after.sequence).toBeGreaterThan(before.sequence + 1_000_000)
  })
})
