import type { PushDevice } from '@callgate/contract/app/push'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { bodyOf } from '../http/requests.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { newUser, type SignedInBrowser } from '../user/user.kit.ts'
import { newSubscription, type PushHouse, pushHouse } from './push.kit.ts'
import { mostDevices } from './pushDevices.ts'
import { publicPushKey, readPushKeys } from './pushKeys.ts'

let house: PushHouse
let ana: SignedInBrowser
let bob: SignedInBrowser
beforeEach(async () => {
  house = await pushHouse()
  ana = await newUser(house, { email: 'ana@example.com', spaceId: house.spaceId })
  bob = await newUser(house, { email: 'bob@example.com', spaceId: house.spaceId })
})
afterEach(() => house.close())

const read = ({ userId }: SignedInBrowser) =>
  bodyOf<{ publicKey: string; devices: PushDevice[] }>(house.handlers.getPush(house.request(userId)) as never)
const devices = async (user: SignedInBrowser) => (await read(user)).devices
const add = ({ userId }: SignedInBrowser, body: object) =>
  house.handlers.addPushDevice(house.request(userId, { body: { alerts: true, openings: false, ...body } }))

it('S1: makes the keys once, and seals the private one', async () => {
  const keys = await readPushKeys(house.database.knex, house.seal)
  expect(await publicPushKey(house)).toBe(keys?.publicKey)
  expect((await read(ana)).publicKey).toBe(keys?.publicKey)
  const rows = JSON.stringify(await house.database.knex('pushKeys').select())
  expect(rows).not.toContain(keys?.privateKey)
})

it('S1: shows to a user their own devices, without an endpoint, which is sealed', async () => {
  const { browser, id } = await house.add(ana)
  const shown = { browser: 'Firefox on Linux', alerts: true, openings: true, createdAt: expect.any(String) }
  expect(await devices(ana)).toEqual([{ id, ...shown }])
  expect(await devices(bob)).toEqual([])
  const { endpoint, keys } = browser.subscription
  const rows = JSON.stringify(await house.database.knex('pushDevices').select())
  for (const secret of [endpoint, keys.auth, keys.p256dh]) expect(rows).not.toContain(secret)
})

it('lets a user change and remove their own devices only', async () => {
  const { id } = await house.add(ana)
  const params = { deviceId: id }
  const { removePushDevice, updatePushDevice } = house.handlers
  const notFound = { problem: 'not_found' }
  const change = (who: SignedInBrowser, body: object) =>
    updatePushDevice(house.request(who.userId, { params, body }))
  expect(await change(bob, { alerts: false })).toMatchObject(notFound)
  expect(await removePushDevice(house.request(bob.userId, { params }))).toMatchObject(notFound)
  expect(await change(ana, {})).toMatchObject({ body: { device: { alerts: true, openings: true } } })
  expect(await change(ana, { alerts: false })).toMatchObject({
    body: { device: { alerts: false, openings: true } },
  })
  expect(await removePushDevice(house.request(ana.userId, { params }))).toEqual({ status: 204 })
  expect(await devices(ana)).toEqual([])
})

it('gives a browser to the user who signs in on it later', async () => {
  const { browser, id } = await house.add(ana)
  expect(await add(bob, browser.subscription)).toMatchObject({ status: 201 })
  expect(await devices(ana)).toEqual([])
  expect(await devices(bob)).toMatchObject([{ id, alerts: true, openings: false }])
})

it('replaces the oldest device of a user where there are too many', async () => {
  const ids: string[] = []
  for (let count = 0; count < mostDevices + 1; count++) {
    ids.push((await house.add(ana)).id)
    await house.world.advance(1_000)
  }
  await house.add(bob)
  expect((await devices(ana)).map(({ id }) => id)).toEqual(ids.slice(1))
  expect(await devices(bob)).toHaveLength(1)
})

it('takes no endpoint that leads into a network or is not encrypted, and no key off the curve', async () => {
  const good = newSubscription(house.world)
  const on = (endpoint: string) => ({ ...good, endpoint })
  const refused = { problem: 'validation_error' }
  const { port } = house.service
  for (const endpoint of [
    `http://localhost:${port}/`,
    `https://127.0.0.1:${port}/`,
    `https://[::1]:${port}/`,
    'https://push.example.com:22/',
    'nonsense',
  ])
    expect(await add(ana, on(endpoint)), endpoint).toMatchObject(refused)
  const p256dh = `B${'A'.repeat(86)}`
  const keys = { ...good.keys, p256dh }
  expect(await add(ana, { endpoint: `https://localhost:${port}/`, keys })).toMatchObject(refused)
  expect(await devices(ana)).toEqual([])
})

it('S1: says in the language of the user what a push is about, in their Space', async () => {
  const { database, handlers, spaceId, world } = house
  const at = isoTime(world.nowMs())
  const [gateId, openingId, incidentId] = [newId(world, 'gate'), newId(world, 'open'), newId(world, 'inc')]
  const gate = {
    id: gateId,
    spaceId,
    name: 'North',
    phoneNumber: '+40722000001',
    location: '',
    isActive: true,
  }
  await database.knex('gates').insert({ ...gate, callProfile: '{}', createdAt: at })
  const named = { gateName: 'North', phoneNumber: '+40722000001', actorType: 'guest', actorName: 'Ion' }
  const times = { calledAt: at, grantBefore: at, completedAt: at }
  const end = { status: 'completed', opened: 'yes', confidence: 'certain' }
  await database.knex('openings').insert({ id: openingId, spaceId, gateId, ...named, ...times, ...end })
  const incident = { id: incidentId, spaceId, kind: 'gate_not_reacting', targetId: gateId }
  await database.knex('incidents').insert({ ...incident, seenAt: at, openedAt: at })
  const ask = (query: object, inSpace = spaceId) => {
    const identity = { kind: 'user', userId: ana.userId }
    return handlers.getPushText({ principal: { spaceId: inSpace, identity }, query } as never)
  }
  const said = (text: string) => ({ status: 200, body: { title: 'Lake view', text } })
  expect(await ask({ kind: 'opening', id: openingId })).toEqual(said('Ion opened North.'))
  expect(await ask({ kind: 'alert', id: incidentId })).toEqual(said('North does not react'))
  expect(await ask({ kind: 'alert' })).toEqual(said('North does not react'))
  const other = { ...incident, id: newId(world, 'inc'), kind: 'gate_drifted', seenAt: at, openedAt: at }
  await database.knex('incidents').insert(other)
  expect(await ask({ kind: 'alert' })).toEqual(said('2 problems need a look'))
  await database.knex('openings').update({ confidence: 'assumed' })
  await database.knex('incidents').update({ closedAt: at })
  await database.knex('users').update({ language: 'ro' })
  expect(await ask({ kind: 'opening', id: openingId })).toEqual(said('Ion a deschis probabil: North.'))
  expect(await ask({ kind: 'alert', id: incidentId })).toEqual(said('Poarta reacționează din nou: North'))
  expect(await ask({ kind: 'alert' })).toMatchObject({ problem: 'not_found' })
  const otherId = await newSpace(house)
  for (const kind of ['opening', 'alert']) {
    const id = kind === 'opening' ? openingId : incidentId
    expect(await ask({ kind, id }, otherId)).toMatchObject({ problem: 'not_found' })
    expect(await ask({ kind, id: 'open_none' })).toMatchObject({ problem: 'not_found' })
  }
})
