import { type EnrolledLogin, loginBytes, offerBytes } from '@callgate/contract/enrolment/agreement'
import { isProblem } from '@callgate/contract/rest/problem'
import { signingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { changePassword, checkLogin, passwordKeeper, revokeGateway } from '../gateway/gateways.ts'
import { setOwnLimits } from '../space/plans.ts'
import { newSpace } from '../space/space.kit.ts'
import { playedGateway } from './enrolment.kit.ts'
import { cloudKey, enrolmentHouse, usualLogin, wordOf } from './enrolmentHouse.kit.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let house: ReturnType<typeof enrolmentHouse>
type House = typeof house

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ database, world })
  house = enrolmentHouse({ world, database, spaceId })
})
afterEach(() => database.close())

const minuteMs = 60_000
type Offer = { enrolmentId: string; cloudNonce: string; cloudKeys: string[]; signature: string }
const bodyIn = <Body>(answer: unknown) => (answer as { body: Body }).body
const actions = async () =>
  (await database.knex('activity').orderBy(['timestamp', 'id']).select('action', 'actor')).map(
    ({ action, actor }) => `${action} ${actor}`,
  )
/** A code with the same name and another rest. */
const otherRest = (code: string) => `${code.slice(0, -3)}${code.endsWith('000') ? '111' : '000'}`

/** A gateway that has taken a code and revealed its nonce. */
async function pending(given: object = {}, of: House = house) {
  const { code, enrolment } = await of.start(given)
  const gateway = playedGateway(world)
  const offer = bodyIn<Offer>(await of.take(gateway, code))
  expect(wordOf(await of.ask(gateway, offer))).toBe('waiting')
  return { code, gateway, offer, id: enrolment.id, fingerprint: gateway.fingerprint(offer) }
}

it('shows no line of the shell for a card, whose package is there already', async () => {
  expect((await house.start({ isForCard: true })).installCommand).toBeNull()
})

it('leads from a code over a compared fingerprint to a login, which is handed out until it is stored', async () => {
  const { cardFile, code, enrolment, installCommand, link } = await house.start()
  expect(code).toMatch(/^[0-9A-Z]{6}-[0-9A-Z]{6}-[0-9A-Z]{6}$/)
  expect(link).toBe(`https://gates.example.com/enrol#${code}.${cloudKey.publicKey}`)
  expect(installCommand).toMatch(
    `${code} --cloud https://gates.example.com --cloud-key ${cloudKey.publicKey}`,
  )
  expect(cardFile).toContain(
    `cloud: https://gates.example.com\ncode: ${code}\ncloudKey: ${cloudKey.publicKey}\n`,
  )
  expect(enrolment).toMatchObject({ state: 'waiting', gateway: null, wrongTries: 0 })
  const gateway = playedGateway(world)
  const offer = bodyIn<Offer>(await house.take(gateway, code))
  const { commitment, publicKey } = gateway.codeBody(code)
  const isSigned = verifyingKey(cloudKey.publicKey)?.verify(
    offerBytes({ ...offer, publicKey, commitment }),
    Buffer.from(offer.signature, 'base64url'),
  )
  expect(isSigned).toBe(true)
  expect(await house.view(enrolment.id)).toMatchObject({
    state: 'pending',
    gateway: { fingerprint: null, publicKey, serial: '100000003d1f', imei: null },
  })
  expect(await database.knex('gateways')).toEqual([])
  expect(wordOf(await house.ask(gateway, offer))).toBe('waiting')
  const fingerprint = gateway.fingerprint(offer)
  expect((await house.view(enrolment.id)).gateway?.fingerprint).toBe(fingerprint)
  const confirmed = await house.confirm(enrolment.id, fingerprint)
  expect(confirmed).toMatchObject({ status: 200, body: { gateway: { name: 'Attic', publicKey } } })
  // An answer may be lost, so it is given again.
  const [first, again] = [await house.ask(gateway, offer), await house.ask(gateway, offer)]
  expect(again).toEqual(first)
  const { login, signature } = bodyIn<{ login: EnrolledLogin; signature: string }>(first)
  const bytes = loginBytes(enrolment.id, login)
  expect(verifyingKey(cloudKey.publicKey)?.verify(bytes, Buffer.from(signature, 'base64url'))).toBe(true)
  const { gatewayId, mqttPassword } = login
  const checked = () => checkLogin(database, gatewayId, Buffer.from(mqttPassword), world.nowMs())
  expect(await checked()).toBe('admitted')
  expect(wordOf(await house.stored(gateway, offer))).toBe('done')
  expect(wordOf(await house.stored(gateway, offer))).toBe('done')
  expect(wordOf(await house.ask(gateway, offer))).toBe('handed_out')
  expect(await database.knex('gateways').first('passwordSealed')).toEqual({ passwordSealed: null })
  expect(await actions()).toEqual([
    'gateway.code_created user:ada@example.com',
    'gateway.pending system',
    'gateway.enrolled user:ada@example.com',
  ])
  await revokeGateway({ database, world }, { gatewayId, actor: 'operator' })
  expect(await checked()).toBe('revoked')
})

it('stores neither the code nor the password in plain text', async () => {
  const { code, fingerprint, gateway, id, offer } = await pending()
  await house.confirm(id, fingerprint)
  const { login } = bodyIn<{ login: EnrolledLogin }>(await house.ask(gateway, offer))
  const rows = [...(await database.knex('enrolments')), ...(await database.knex('gateways'))]
  const kept = JSON.stringify([rows, await database.knex('activity'), await database.knex('events')])
  for (const secret of [code, code.replaceAll('-', ''), code.slice(7), login.mqttPassword])
    expect(kept).not.toContain(secret)
})

it('hands out a new password where it was changed before the gateway has stored the first', async () => {
  const { fingerprint, gateway, id, offer } = await pending()
  await house.confirm(id, fingerprint)
  const { login: first } = bodyIn<{ login: EnrolledLogin }>(await house.ask(gateway, offer))
  const keepPassword = passwordKeeper(house.seal)
  const given = { gatewayId: first.gatewayId, actor: 'operator', keepPassword, isKept: false }
  const changed = await changePassword({ database, world }, given)
  const { login } = bodyIn<{ login: EnrolledLogin }>(await house.ask(gateway, offer))
  expect(changed).toMatchObject({ ok: true, mqttPassword: login.mqttPassword })
  expect(login.mqttPassword).not.toBe(first.mqttPassword)
})

it('stores the password sealed where a broker needs it', async () => {
  const login = { ...usualLogin, ca: 'PEM', keepPassword: () => 'sealed' }
  const told = enrolmentHouse({ world, database, spaceId, login })
  const { fingerprint, gateway, id, offer } = await pending({}, told)
  await told.confirm(id, fingerprint)
  expect(await told.ask(gateway, offer)).toMatchObject({ body: { login: { ca: 'PEM' } } })
  await told.stored(gateway, offer)
  expect(await database.knex('gateways').first('passwordSealed')).toEqual({
    passwordSealed: expect.stringMatching(/^1\./),
  })
})

it('G4: refuses a wrong code, and after the fifth wrong try the right one too', async () => {
  const { code, enrolment } = await house.start()
  const gateway = playedGateway(world)
  const strange = await house.take(gateway, 'ZZZZZZ-ZZZZZZ-ZZZZZZ')
  const wrong = await house.take(gateway, otherRest(code))
  expect(wordOf(wrong)).toBe('wrong_code')
  expect(strange).toEqual(wrong)
  for (let tries = 2; tries <= 4; tries++) await house.take(gateway, otherRest(code))
  expect(await house.view(enrolment.id)).toMatchObject({ state: 'waiting', wrongTries: 4 })
  expect(await house.take(gateway, otherRest(code))).toEqual(wrong)
  expect(wordOf(await house.take(gateway, code))).toBe('code_spent')
  expect(await house.take(gateway, otherRest(code))).toEqual(wrong)
  expect(await house.view(enrolment.id)).toMatchObject({ state: 'spent', gateway: null })
})

it('G4: counts each of many wrong tries at once', async () => {
  const { code, enrolment } = await house.start()
  const from = (place: number) => house.take(playedGateway(world), otherRest(code), `192.0.2.${place}`)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, place) => from(place)))
  expect(new Set(answers.map(wordOf))).toEqual(new Set(['wrong_code']))
  expect((await house.view(enrolment.id)).wrongTries).toBe(5)
  expect(wordOf(await house.take(playedGateway(world), code))).toBe('code_spent')
})

it('limits the wrong codes of a network, and counts no right one', async () => {
  const { code } = await house.start()
  const gateway = playedGateway(world)
  for (let tries = 0; tries < 20; tries++) {
    expect(wordOf(await house.take(gateway, 'ZZZZZZ-ZZZZZZ-ZZZZZZ'))).toBe('wrong_code')
    await world.advance(1)
  }
  expect(await house.take(gateway, code)).toMatchObject({
    problem: 'rate_limited',
    headers: { 'Retry-After': '900' },
  })
  expect(wordOf(await house.take(gateway, code, '192.0.2.2'))).toBe('taken')
  for (let again = 0; again < 30; again++) await house.take(gateway, code, '192.0.2.2')
  expect(wordOf(await house.take(gateway, code, '192.0.2.2'))).toBe('taken')
})

it('G4: accepts a typed code for 10 minutes, and that of a card for 24 hours', async () => {
  const [typed, card] = [await house.start(), await house.start({ isForCard: true })]
  const take = ({ code }: { code: string }) => house.take(playedGateway(world), code)
  await world.advance(10 * minuteMs)
  expect(wordOf(await take(typed))).toBe('code_expired')
  expect((await house.view(typed.enrolment.id)).state).toBe('expired')
  await world.advance(24 * 60 * minuteMs - 10 * minuteMs - 1)
  expect(wordOf(await take(card))).toBe('taken')
})

it('G4: gives one code to one of two gateways, and informs the other; a repeated try of the first is answered again', async () => {
  const { code, enrolment } = await house.start()
  const racers = [playedGateway(world), playedGateway(world)]
  const answers = await Promise.all(racers.map(racer => house.take(racer, code)))
  expect(answers.map(wordOf).sort()).toEqual(['code_used', 'taken'])
  const winner = racers[answers.findIndex(answer => !isProblem(answer))]
  expect((await house.view(enrolment.id)).gateway?.publicKey).toBe(winner?.publicKey)
  for (const [place, racer] of racers.entries()) expect(await house.take(racer, code)).toEqual(answers[place])
})

it('G4: shows another fingerprint for a gateway with a code that somebody else saw, and leaves nothing open after a refusal', async () => {
  const { code, enrolment } = await house.start()
  const [thief, own] = [playedGateway(world), playedGateway(world)]
  const offer = bodyIn<Offer>(await house.take(thief, code))
  await house.ask(thief, offer)
  expect(wordOf(await house.take(own, code))).toBe('code_used')
  const shown = (await house.view(enrolment.id)).gateway?.fingerprint
  expect(shown).not.toBe(own.fingerprint(offer))
  expect(await house.confirm(enrolment.id, own.fingerprint(offer))).toMatchObject({ problem: 'conflict' })
  expect(await house.refuse(enrolment.id)).toEqual({ status: 204 })
  expect(await house.refuse(enrolment.id)).toEqual({ status: 204 })
  expect(wordOf(await house.ask(thief, offer))).toBe('not_confirmed')
  expect(wordOf(await house.stored(thief, offer))).toBe('not_confirmed')
  expect(await house.confirm(enrolment.id, shown ?? '')).toMatchObject({ problem: 'conflict' })
  expect(await database.knex('gateways')).toEqual([])
  expect((await actions()).slice(1)).toEqual([
    'gateway.pending system',
    'gateway.refused user:ada@example.com',
  ])
})

it('G4: accepts only a proof of the key that took the code, with the nonce of its commitment', async () => {
  const { code } = await house.start()
  const [gateway, other] = [playedGateway(world), playedGateway(world)]
  const offer = bodyIn<Offer>(await house.take(gateway, code))
  const nowhere = { ...offer, enrolmentId: 'enrol_01kdhx3m8e2w7q5v9z4r6t8y0a' }
  const none = await house.ask(other, offer)
  expect(none).toMatchObject({ problem: 'not_found' })
  expect(await house.ask(gateway, nowhere)).toEqual(none)
  expect(await house.stored(other, offer)).toEqual(none)
  const mixed = { ...gateway.signed('ask', offer), gatewayNonce: other.signed('ask', offer).gatewayNonce }
  expect(await house.endpoint.askForLogin({ addressGroup: '', params: offer, body: mixed })).toEqual(none)
  // A nonce that was chosen later, with a proof by the gateway's own key.
  const later = { addressGroup: '', params: offer, body: gateway.signed('ask', offer, 'L'.repeat(22)) }
  expect(await house.endpoint.askForLogin(later)).toEqual(none)
  // A proof for one purpose is not valid for another.
  const asked = { addressGroup: '', params: offer, body: gateway.signed('stored', offer) }
  expect(await house.endpoint.askForLogin(asked)).toEqual(none)
})

it('ends when nobody confirms in time, or the gateway does not ask in time', async () => {
  const late = await pending()
  await world.advance(60 * minuteMs)
  expect(wordOf(await house.ask(late.gateway, late.offer))).toBe('too_late')
  expect(await house.confirm(late.id, late.fingerprint)).toMatchObject({ problem: 'conflict' })
  const { fingerprint, gateway, id, offer } = await pending()
  await house.confirm(id, fingerprint)
  expect(await house.refuse(id)).toMatchObject({ problem: 'conflict' })
  await world.advance(24 * 60 * minuteMs)
  expect(wordOf(await house.ask(gateway, offer))).toBe('too_late')
})

it('G4: revokes the gateway that it replaces, and takes over its name and caller number', async () => {
  const before = await pending()
  await house.confirm(before.id, before.fingerprint)
  const { id: oldId } = await database.knex('gateways').first('id')
  await database.write(tx => tx('gateways').where({ id: oldId }).update({ callerNumber: '+40722000111' }))
  const next = await pending({ name: undefined, replaces: oldId })
  expect(await database.knex('gateways').first('revokedAt')).toEqual({ revokedAt: null })
  expect(await house.confirm(next.id, next.fingerprint)).toMatchObject({
    body: { gateway: { name: 'Attic', callerNumber: '+40722000111' }, enrolment: { replaces: oldId } },
  })
  const old = await database.knex('gateways').where({ id: oldId }).first('revokedAt')
  expect(old.revokedAt).not.toBeNull()
  expect(wordOf(await house.ask(before.gateway, before.offer))).toBe('not_confirmed')
  const start = (body: object) => house.dashboard.startEnrolment(house.request({ body }))
  expect(await start({ replaces: oldId, isForCard: false })).toMatchObject({ problem: 'conflict' })
  expect(await start({ replaces: 'gw_none', isForCard: false })).toMatchObject({ problem: 'not_found' })
  expect(await start({ isForCard: false })).toMatchObject({ problem: 'validation_error' })
})

it("G4: keeps the plan's limit on gateways, except for one that replaces another", async () => {
  const limit = (gatewayLimit: number) =>
    setOwnLimits({ database, world }, { spaceId, limits: { gatewayLimit }, actor: 'operator' })
  const before = await pending()
  const late = await pending()
  await house.confirm(before.id, before.fingerprint)
  await limit(1)
  const refused = {
    problem: 'plan_limit_reached',
    message: expect.stringContaining('may have 1 gateway, and 1 is in use'),
  }
  expect(await house.confirm(late.id, late.fingerprint)).toMatchObject(refused)
  const body = { name: 'Yard', isForCard: false }
  expect(await house.dashboard.startEnrolment(house.request({ body }))).toMatchObject(refused)
  const { id: replaces } = await database.knex('gateways').first('id')
  const next = await pending({ replaces })
  expect(await house.confirm(next.id, next.fingerprint)).toMatchObject({ status: 200 })
  await limit(2)
  expect(await house.confirm(late.id, late.fingerprint)).toMatchObject({ status: 200 })
})

it('accepts no key that another gateway has or had', async () => {
  const { fingerprint, gateway, id } = await pending()
  const second = await house.start()
  expect(wordOf(await house.take(gateway, second.code))).toBe('taken')
  await house.confirm(id, fingerprint)
  expect(wordOf(await house.take(gateway, (await house.start()).code))).toBe('known_key')
})

it('creates no code where the accounts at the broker are maintained by hand, and at most 20 at once', async () => {
  const start = (of: House) =>
    of.dashboard.startEnrolment(of.request({ body: { name: 'Attic', isForCard: false } }))
  const byHand = enrolmentHouse({ world, database, spaceId, login: { ...usualLogin, hasOwnBroker: true } })
  expect(await start(byHand)).toMatchObject({
    problem: 'conflict',
    message: expect.stringContaining('MQTT_ADMIN_URL'),
  })
  for (let count = 0; count < 20; count++) await house.start()
  expect(await start(house)).toMatchObject({ problem: 'conflict' })
  const listed = bodyIn<{ enrolments: object[] }>(await house.dashboard.listEnrolments(house.request({})))
  expect(listed.enrolments).toHaveLength(20)
  await world.advance(10 * minuteMs)
  expect(await start(house)).toMatchObject({ status: 201 })
})

it('does not reveal the enrolments of another Space', async () => {
  const { fingerprint, id } = await pending()
  const foreign = await newSpace({ database, world })
  const given = house.request({ params: { enrolmentId: id }, body: { fingerprint } }, foreign)
  for (const operation of ['getEnrolment', 'confirmEnrolment', 'refuseEnrolment'] as const)
    expect(await house.dashboard[operation](given)).toMatchObject({ problem: 'not_found' })
  expect(await house.dashboard.listEnrolments(given)).toMatchObject({ body: { enrolments: [] } })
})

it('deletes the enrolments of long ago when another one begins', async () => {
  await house.start()
  await world.advance(31 * 24 * 60 * minuteMs)
  await house.start()
  expect(await database.knex('enrolments')).toHaveLength(1)
})

it('is signed with a key of its offer, also where the signing key is rotated meanwhile', async () => {
  const { code, fingerprint, gateway, id, offer } = await pending()
  const newKey = signingKey(new Uint8Array(32).fill(10))
  const signing = { keys: [cloudKey, newKey], number: 1 }
  const login = { ...usualLogin, cloudKeys: signing.keys.map(({ publicKey }) => publicKey) }
  const rotated = enrolmentHouse({ world, database, spaceId, login, signing })
  expect(bodyIn<Offer>(await rotated.take(gateway, code))).toEqual(offer)
  await rotated.confirm(id, fingerprint)
  const given = bodyIn<{ login: EnrolledLogin; signature: string }>(await rotated.ask(gateway, offer))
  const bytes = loginBytes(id, given.login)
  const isSigned = verifyingKey(cloudKey.publicKey)?.verify(bytes, Buffer.from(given.signature, 'base64url'))
  expect(isSigned).toBe(true)
  expect(given.login.cloudKeys).toEqual(login.cloudKeys)
})

it('offers for a code from before the rotation the key that its card names, and the login has both keys', async () => {
  const { code, enrolment, cloudKey: named } = await house.start({ isForCard: true })
  const newKey = signingKey(new Uint8Array(32).fill(10))
  const signing = { keys: [cloudKey, newKey], number: 1 }
  const login = { ...usualLogin, cloudKeys: signing.keys.map(({ publicKey }) => publicKey) }
  const rotated = enrolmentHouse({ world, database, spaceId, login, signing })
  const gateway = playedGateway(world)
  const offer = bodyIn<Offer>(await rotated.take(gateway, code))
  expect([named, offer.cloudKeys]).toEqual([cloudKey.publicKey, [cloudKey.publicKey]])
  const { commitment, publicKey } = gateway.codeBody(code)
  const bytes = offerBytes({ ...offer, publicKey, commitment })
  expect(verifyingKey(named)?.verify(bytes, Buffer.from(offer.signature, 'base64url'))).toBe(true)
  await rotated.ask(gateway, offer)
  await rotated.confirm(enrolment.id, gateway.fingerprint(offer))
  const given = bodyIn<{ login: EnrolledLogin }>(await rotated.ask(gateway, offer))
  expect(given.login.cloudKeys).toEqual(login.cloudKeys)
  // A new code names the new key, and the new key is offered to its gateway.
  const later = await rotated.start({ isForCard: true })
  const second = bodyIn<Offer>(await rotated.take(playedGateway(world), later.code))
  expect([later.cloudKey, second.cloudKeys]).toEqual([newKey.publicKey, [newKey.publicKey]])
  // A cloud that does not have the key of a card any more offers the keys that it has.
  const forgotten = { ...usualLogin, cloudKeys: [newKey.publicKey] }
  const after = enrolmentHouse({
    world,
    database,
    spaceId,
    login: forgotten,
    signing: { keys: [newKey], number: 2 },
  })
  const old = await house.start({ isForCard: true })
  const third = bodyIn<Offer>(await after.take(playedGateway(world), old.code))
  expect(third.cloudKeys).toEqual([newKey.publicKey])
})
