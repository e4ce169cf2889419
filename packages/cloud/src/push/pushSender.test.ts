import { createPublicKey, verify } from 'node:crypto'
import { settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newSpace } from '../space/space.kit.ts'
import { insertSpace } from '../space/spaces.ts'
import { newUser, type SignedInBrowser } from '../user/user.kit.ts'
import type { Answering } from '../webhook/webhook.kit.ts'
import { limitsOfAttempt } from '../webhook/webhookRequest.ts'
import { type PushHouse, pushHouse } from './push.kit.ts'
import { publicPushKey } from './pushKeys.ts'
import { pushLimits } from './pushSender.ts'

let house: PushHouse
let ana: SignedInBrowser
let answering: Answering
const takeAll: Answering = (_, response) => response.writeHead(201).end()
beforeEach(async () => {
  answering = takeAll
  house = await pushHouse((received, response) => answering(received, response))
  ana = await newUser(house, { email: 'ana@example.com', name: 'Ana Pop', spaceId: house.spaceId })
})
afterEach(() => house.close())

const alert = () => ({ kind: 'alert', spaceId: house.spaceId, id: 'inc_1' }) as const
const opening = () => ({ kind: 'opening', spaceId: house.spaceId, id: 'open_1' }) as const
const soon = { interval: 2, timeout: 10_000 }
const arrive = (count: number) => expect.poll(() => house.service.received.length, soon).toBe(count)
const logged = (message: string) =>
  expect.poll(() => house.world.lines.filter(line => line.message === message).length, soon).toBe(1)
const devices = () => house.database.knex('pushDevices').pluck('id')
/** Time in which an attempt would come, if there were one. */
async function nothingComes(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    await new Promise(resolve => setImmediate(resolve))
    await settle(5)
  }
}

describe('a push', () => {
  it('S1: is encrypted for its browser, and contains ids alone', async () => {
    const { browser } = await house.add(ana)
    await house.sender.tell(alert())
    await arrive(1)
    const [received] = house.service.received
    if (!received) throw new Error('nothing came')
    expect(JSON.parse(browser.read(received))).toEqual(alert())
    expect(received.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: '86400',
      urgency: 'high',
    })
    const all = browser.read(received) + received.bytes.toString('latin1') + JSON.stringify(received.headers)
    expect(all).not.toMatch(/Ana Pop|ana@example|Lake view/i)
  })

  it('is signed with the key of the installation, for this push service and no other', async () => {
    await house.add(ana)
    await house.sender.tell(opening())
    await arrive(1)
    const [, token = '', key] =
      /^vapid t=([^,]+), k=(.+)$/.exec(String(house.service.received[0]?.headers['authorization'])) ?? []
    expect(key).toBe(await publicPushKey(house))
    const [head = '', claims = '', signature = ''] = token.split('.')
    const bytes = Buffer.from(key ?? '', 'base64url')
    const [x, y] = [bytes.subarray(1, 33), bytes.subarray(33)].map(part => part.toString('base64url'))
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y } as never, format: 'jwk' })
    const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
    expect(
      verify('sha256', Buffer.from(`${head}.${claims}`), signed, Buffer.from(signature, 'base64url')),
    ).toBe(true)
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
      aud: `https://localhost:${house.service.port}`,
      sub: 'https://callgate.example',
    })
  })

  it('S1: goes to the devices that want its kind, and not to those of whoever has pressed', async () => {
    const bob = await newUser(house, { email: 'bob@example.com', spaceId: house.spaceId })
    const stranger = await newUser(house, { email: 'eve@example.com', spaceId: await newSpace(house) })
    await house.add(ana)
    const { browser } = await house.add(bob, { alerts: false })
    await house.add(bob, { openings: false })
    await house.add(stranger)
    await house.sender.tell(opening(), ana.userId)
    await arrive(1)
    await nothingComes()
    expect(house.service.received).toHaveLength(1)
    const [received] = house.service.received
    expect(received && JSON.parse(browser.read(received))).toEqual(opening())
  })

  it('S1: is not sent to a user who was removed from the Space while it waited, or signs in no more', async () => {
    answering = (_, response) => response.writeHead(503).end()
    const bob = await newUser(house, { email: 'bob@example.com', spaceId: house.spaceId })
    await house.add(ana)
    await house.add(bob)
    await house.sender.tell(alert())
    await arrive(2)
    await nothingComes()
    await house.database.knex('userRoles').where({ userId: ana.userId }).delete()
    const deactivatedAt = isoTime(house.world.nowMs())
    await house.database.knex('users').where({ id: bob.userId }).update({ deactivatedAt })
    await house.world.advance(10 * 60_000)
    await house.sender.tell(alert())
    await nothingComes()
    expect(house.service.received).toHaveLength(2)
  })

  it('is not sent from a sandbox', async () => {
    await house.add(ana)
    const { database, world } = house
    const spaceId = newId(world, 'space')
    const given = {
      name: 'Test',
      plan: 'pro',
      country: 'RO',
      timezone: 'Europe/Bucharest',
      mode: 'sandbox',
    } as const
    await database.write(tx => insertSpace(tx, world, spaceId, given))
    await newUser(house, { email: ana.email, spaceId })
    await house.sender.tell({ ...alert(), spaceId })
    await nothingComes()
    expect(house.service.received).toHaveLength(0)
  })
})

describe('a push service', () => {
  it('S3: that knows a subscription no more has the device removed', async () => {
    for (const status of [404, 410]) {
      answering = (_, response) => response.writeHead(status).end()
      const { id } = await house.add(ana)
      expect(await devices()).toEqual([id])
      await house.sender.tell(alert())
      await expect.poll(devices, soon).toEqual([])
    }
  })

  it('that fails is tried again some times, and then no more', async () => {
    answering = (_, response) => response.writeHead(500).end()
    await house.add(ana)
    await house.sender.tell(alert())
    for (const [place, delayMs] of pushLimits.delaysMs.entries()) {
      await arrive(place + 1)
      await nothingComes()
      await house.world.advance(delayMs - 1)
      expect(house.service.received).toHaveLength(place + 1)
      await house.world.advance(1)
    }
    await arrive(pushLimits.delaysMs.length + 1)
    await logged('a push was given up')
    await house.world.advance(3_600_000)
    await nothingComes()
    expect(house.service.received).toHaveLength(pushLimits.delaysMs.length + 1)
    expect(await devices()).toHaveLength(1)
  })

  it('that refuses a push gets it once', async () => {
    answering = (_, response) => response.writeHead(400).end()
    await house.add(ana)
    await house.sender.tell(alert())
    await logged('a push was given up')
    await house.world.advance(3_600_000)
    expect(house.service.received).toHaveLength(1)
  })

  it('S3: that does not answer holds one place for a device, and delays no other device and no other Space', async () => {
    const held: (() => void)[] = []
    answering = (received, response) => {
      const end = () => response.writeHead(201).end()
      if (['/2', '/7'].includes(received.path)) end()
      else held.push(end)
    }
    await house.add(ana)
    await house.add(ana)
    for (let count = 0; count < 5; count++) await house.sender.tell(alert())
    await arrive(1 + 5)
    expect(held).toHaveLength(1)
    for (const name of ['bob', 'eva', 'dan', 'ina']) {
      const { spaceId } = house
      await house.add(await newUser(house, { email: `${name}@example.com`, spaceId }))
    }
    const spaceId = await newSpace(house)
    await house.add(await newUser(house, { email: 'ion@example.com', spaceId }))
    await house.sender.tell(alert())
    await expect.poll(() => held.length, soon).toBe(pushLimits.runningOfSpace)
    await nothingComes()
    expect(held).toHaveLength(pushLimits.runningOfSpace)
    await house.sender.tell({ ...alert(), spaceId })
    await expect.poll(() => house.service.at('/7').length, soon).toBe(1)
    await expect
      .poll(() => {
        for (const end of held.splice(0)) end()
        return house.service.received.length
      }, soon)
      .toBe(2 * 6 + 4 + 1)
    for (const end of held.splice(0)) end()
  })

  it('S3: that is slow and then knows a device no more has it removed, with what waits for it', async () => {
    const held: (() => void)[] = []
    answering = (received, response) => {
      if (received.path === '/2') return response.writeHead(201).end()
      // The rest of the answer never comes.
      held.push(() => response.writeHead(410).write('gone'))
    }
    const { id } = await house.add(ana)
    const other = await house.add(ana)
    await house.sender.tell(alert())
    await house.sender.tell(alert())
    await arrive(1 + 2)
    // The first attempt has no status in time, and another one is made.
    await house.world.advance(limitsOfAttempt.statusMs)
    await arrive(2 + 2)
    await house.world.advance(limitsOfAttempt.statusMs / 2)
    expect(new Set(await devices())).toEqual(new Set([id, other.id]))
    for (const end of held.splice(0)) end()
    await expect
      .poll(async () => {
        await house.world.advance(5)
        return devices()
      }, soon)
      .toEqual([other.id])
    await house.world.advance(3_600_000)
    await nothingComes()
    expect(house.service.at('/1')).toHaveLength(2)
    expect(house.service.at('/2')).toHaveLength(2)
  })

  it('gets no more than the queue takes; the rest is dropped', async () => {
    const held: (() => void)[] = []
    answering = (_, response) => void held.push(() => response.writeHead(201).end())
    await house.add(ana)
    const { waitingOfUser } = pushLimits
    await house.sender.tell(alert())
    await arrive(1)
    for (let count = 0; count < waitingOfUser + 1; count++) await house.sender.tell(alert())
    await logged('too many pushes wait: some are dropped')
    for (let sent = 1; sent < 1 + waitingOfUser; sent++) {
      held.shift()?.()
      await arrive(sent + 1)
    }
    for (const end of held.splice(0)) end()
    await nothingComes()
    expect(house.service.received).toHaveLength(1 + waitingOfUser)
  })
})
