import { callProfile } from '@callgate/contract/call/callProfile'
import type { Verdict } from '@callgate/contract/call/verdict'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import type { Report } from '@callgate/contract/wire/messages'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime, moment } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { afterRepeats, playedBeat } from './exchange.kit.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { playedEndpoint } from './gatewayEndpoint.kit.ts'

const phoneNumber = '+40722000001'
const boot = (letter: string) => letter.repeat(22)
const ended = (verdict: Verdict, sinceClaimMs = 100): Report => ({
  phase: 'ended',
  sinceClaimMs,
  verdict,
  evidence: null,
})

let world: FakeWorld
let database: Database
let exchange: Exchange
let online: string[]
let hints: string[]
let ids: { spaceId: string; apiKeyId: string; gateId: string; gatewayId: string }
let seq = 0

/** Starts a cloud on the same data, as after a restart. */
async function restart() {
  exchange?.stop()
  const hint = (gatewayId: string, openingId: string) => hints.push(`${gatewayId} ${openingId}`)
  const endpoint = playedEndpoint(() => online, hint)
  exchange = createExchange({ noteDrift, world, database, endpoint })
  await exchange.start()
}

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  const createdAt = isoTime(world.nowMs())
  const spaceId = newId(world, 'space')
  ids = {
    spaceId,
    apiKeyId: newId(world, 'key'),
    gateId: newId(world, 'gate'),
    gatewayId: newId(world, 'gw'),
  }
  const { knex } = database
  await knex('spaces').insert({
    id: spaceId,
    name: 'A',
    plan: 'pro',
    country: 'RO',
    timezone: 'UTC',
    language: 'en',
    createdAt,
  })
  const scopes = JSON.stringify(['gates:open'])
  await knex('apiKeys').insert({
    id: ids.apiKeyId,
    spaceId,
    name: 'door',
    keyHash: 'h',
    shownPrefix: 's',
    scopes,
    createdAt,
  })
  const profile = JSON.stringify(callProfile({ mode: 'reject' }))
  const gate = { spaceId, phoneNumber, location: '', isActive: true, createdAt, callProfile: profile }
  await knex('gates').insert({ ...gate, id: ids.gateId, name: 'North' })
  await knex('gateways').insert({
    id: ids.gatewayId,
    spaceId,
    name: 'Pi',
    bootId: boot('A'),
    publicKey: 'k',
    passwordHash: 'p',
    createdAt,
  })
  online = [ids.gatewayId]
  hints = []
  await restart()
})
afterEach(async () => {
  exchange.stop()
  await database.close()
})

async function press(): Promise<string> {
  const actor = {
    actorType: 'owner',
    actorName: 'api:door',
    actorEmail: null,
    apiKeyId: ids.apiKeyId,
  } as const
  const pressed = await exchange.press({ ...ids, actor, since: moment(world) })
  if (!pressed) throw new Error('no such gate')
  return pressed.openingId
}
async function row(openingId: string): Promise<OpeningRow> {
  await afterRepeats(world)
  const found = await database.knex<OpeningRow>('openings').where({ id: openingId }).first()
  if (!found) throw new Error('no such opening')
  return found
}
const claim = (openingId: string, more: { bootId?: string; nonce?: string; gatewayId?: string } = {}) =>
  exchange.claim({
    gatewayId: ids.gatewayId,
    bootId: boot('A'),
    nonce: boot('N'),
    openingId,
    sinceBootMs: world.sinceBootMs(),
    ...more,
  })
const report = (
  openingId: string,
  what: Report,
  more: { bootId?: string; seq?: number; gatewayId?: string } = {},
) => {
  seq += 1
  const sent = { bootId: boot('A'), seq, body: JSON.stringify(what), signature: 's' }
  return exchange.report({ gatewayId: ids.gatewayId, ...sent, openingId, report: what, ...more })
}
const gate = () => database.knex('gates').where({ id: ids.gateId }).first()

describe('one opening', () => {
  it('is hinted, granted once, connected, completed, and counted once', async () => {
    const openingId = await press()
    expect(hints).toEqual([`${ids.gatewayId} ${openingId}`])
    const grant = await claim(openingId)
    expect(grant).toEqual({ granted: true, phoneNumber, callProfile: callProfile({ mode: 'reject' }) })
    expect(await claim(openingId)).toEqual(grant)
    expect(await claim(openingId, { nonce: boot('M') })).toEqual({
      granted: false,
      reason: 'already_granted',
    })
    await world.advance(3_000)
    expect(hints).toHaveLength(1)
    expect(await report(openingId, { phase: 'ringing', sinceClaimMs: 2_000 })).toEqual({ result: 'applied' })
    expect((await row(openingId)).status).toBe('connected')
    const waiting = exchange.requests.wait(openingId, 50_000)
    expect(await report(openingId, ended(exampleVerdict, 2_500), { seq: 900 })).toEqual({ result: 'applied' })
    await waiting
    expect(await report(openingId, ended(exampleVerdict, 2_500), { seq: 900 })).toEqual({
      result: 'duplicate',
    })
    const done = await row(openingId)
    expect(done).toMatchObject({ status: 'completed', lockedNumber: null })
    expect(Date.parse(done.completedAt ?? '') - Date.parse(done.grantedAt ?? '')).toBe(2_500)
    expect(await gate()).toMatchObject({ openCount: 1, lastOpenedAt: done.completedAt })
  })

  it('A2: that nobody claims is hinted again, also to the next gateway, and ends after 12 s', async () => {
    online = [ids.gatewayId, 'gw_second']
    const openingId = await press()
    await world.advance(2_000)
    expect(hints).toEqual(
      [ids.gatewayId, ids.gatewayId, 'gw_second'].map(gatewayId => `${gatewayId} ${openingId}`),
    )
    await world.advance(9_999)
    expect((await row(openingId)).status).toBe('initiated')
    await world.advance(1)
    expect(await row(openingId)).toMatchObject({
      status: 'failed',
      reason: 'gateway_offline',
      lockedNumber: null,
    })
    expect(await claim(openingId)).toEqual({ granted: false, reason: 'expired' })
  })

  it('is not granted late, even after the wall clock was set back', async () => {
    const openingId = await press()
    world.jumpWallClock(-3_600_000)
    await world.advance(12_000)
    expect(await claim(openingId)).toMatchObject({ granted: false })
  })

  it('fails at once where no gateway is online, and once every gateway has declined', async () => {
    online = []
    expect(await row(await press())).toMatchObject({ status: 'failed', reason: 'gateway_offline' })
    online = [ids.gatewayId]
    const openingId = await press()
    await report(openingId, { phase: 'declined', reason: 'no_network' })
    expect(await row(openingId)).toMatchObject({ status: 'failed', reason: 'no_network', opened: 'no' })
  })

  it('without a report ends as a timeout after 90 s, which a late report corrects once', async () => {
    const openingId = await press()
    await claim(openingId)
    await world.advance(90_000)
    expect(await row(openingId)).toMatchObject({
      status: 'timeout',
      reason: 'no_report',
      lockedNumber: phoneNumber,
    })
    expect(await report(openingId, ended(exampleVerdict))).toEqual({ result: 'applied' })
    expect(await row(openingId)).toMatchObject({ status: 'completed', lockedNumber: null })
    await report(openingId, ended({ ...exampleVerdict, status: 'failed', reason: 'busy' }))
    expect(await row(openingId)).toMatchObject({ status: 'completed' })
    expect((await gate()).openCount).toBe(1)
  })

  it('P5: keeps its number for 100 s at most', async () => {
    const openingId = await press()
    await claim(openingId)
    await world.advance(99_999)
    expect((await row(openingId)).lockedNumber).toBe(phoneNumber)
    await world.advance(1)
    expect((await row(openingId)).lockedNumber).toBeNull()
  })
})

describe('P3: a permission that ends before the grant', () => {
  it.each([
    ['gates', { isActive: false }, 'gate_inactive'],
    ['gates', { phoneNumber: '+40722000009' }, 'number_changed'],
    ['apiKeys', { revokedAt: '2026-01-05T08:00:00.000Z' }, 'permission_lost'],
    ['apiKeys', { scopes: '["gates:read"]' }, 'permission_lost'],
    ['apiKeys', { limited: '{"gateIds":["gate_other"],"scopes":["gates:open"]}' }, 'permission_lost'],
    ['spaces', { plan: 'free' }, 'permission_lost'],
  ])('%s with %j is not dialled', async (table, change, reason) => {
    const openingId = await press()
    await database.knex(table).update(change)
    expect(await claim(openingId)).toEqual({ granted: false, reason: 'refused' })
    const safeToRetry = reason === 'number_changed' ? 1 : 0
    expect(await row(openingId)).toMatchObject({ status: 'failed', reason, safeToRetry })
  })
  it('of a revoked gateway is not dialled', async () => {
    const openingId = await press()
    await database.knex('gateways').update({ revokedAt: '2026-01-05T08:00:00.000Z' })
    expect(await claim(openingId)).toEqual({ granted: false, reason: 'superseded' })
  })
})

it('rejects the report of a gateway that was revoked during its call', async () => {
  const openingId = await press()
  await claim(openingId)
  await database.knex('gateways').update({ revokedAt: '2026-01-05T08:00:00.000Z' })
  expect(await report(openingId, ended(exampleVerdict))).toMatchObject({ result: 'refused' })
  await world.advance(90_000)
  expect(await row(openingId)).toMatchObject({ status: 'timeout', reason: 'no_report' })
})

describe('a second press on the number', () => {
  it('P5, A6: joins, ends with the first, and counts nothing', async () => {
    const [first, second] = [await press(), await press()]
    expect(hints).toHaveLength(1)
    expect(await claim(second)).toEqual({ granted: false, reason: 'refused' })
    await claim(first)
    await report(first, ended(exampleVerdict))
    const [leader, joiner] = [await row(first), await row(second)]
    expect(joiner).toMatchObject({
      joinedOpeningId: first,
      status: 'completed',
      completedAt: leader.completedAt,
    })
    expect((await gate()).openCount).toBe(1)
  })

  it('ends as the last call did within the cool-down, and calls after it', async () => {
    const first = await press()
    await claim(first)
    await report(first, ended(exampleVerdict))
    await world.advance(4_900)
    expect(await row(await press())).toMatchObject({ joinedOpeningId: first, status: 'completed' })
    await world.advance(100)
    expect(await row(await press())).toMatchObject({ joinedOpeningId: null, status: 'initiated' })
  })

  it('waits for the longer cool-down when two gates share the number', async () => {
    const profile = JSON.stringify(callProfile({ mode: 'reject', coolDownMs: 20_000 }))
    await database.knex('gates').update({ callProfile: profile })
    const first = await press()
    await claim(first)
    await report(first, ended(exampleVerdict))
    await database.knex('gates').update({ callProfile: JSON.stringify(callProfile({ mode: 'reject' })) })
    await world.advance(19_000)
    expect(await row(await press())).toMatchObject({ joinedOpeningId: first })
    await world.advance(1_000)
    expect(await row(await press())).toMatchObject({ joinedOpeningId: null })
  })

  it('calls at once after a call that cannot have moved the gate', async () => {
    const first = await press()
    await claim(first)
    await report(first, ended({ ...exampleVerdict, status: 'failed', reason: 'busy', opened: 'no' }))
    expect(await row(await press())).toMatchObject({ joinedOpeningId: null, status: 'initiated' })
  })

  it('A2: takes over when nothing was dialled, if the joiner is still in time', async () => {
    const first = await press()
    await world.advance(4_000)
    const second = await press()
    await world.advance(1)
    const third = await press()
    await claim(first)
    await world.advance(5_000)
    await report(first, { phase: 'not_dialled', sinceClaimMs: 5_000 })
    expect(await row(first)).toMatchObject({ status: 'failed', reason: 'not_dialled' })
    expect(await row(second)).toMatchObject({
      status: 'initiated',
      joinedOpeningId: null,
      lockedNumber: phoneNumber,
    })
    expect(await row(third)).toMatchObject({ status: 'initiated', joinedOpeningId: second })
    await expect.poll(() => hints.at(-1)).toBe(`${ids.gatewayId} ${second}`)
    expect(await claim(second)).toMatchObject({ granted: true })
    await report(second, ended(exampleVerdict))
    expect(await row(third)).toMatchObject({ status: 'completed' })
  })

  it('is corrected together with the opening that it joined', async () => {
    const [first, second] = [await press(), await press()]
    await claim(first)
    await world.advance(90_000)
    expect((await row(second)).status).toBe('timeout')
    await report(first, ended(exampleVerdict))
    expect((await row(second)).status).toBe('completed')
  })
})

describe('a restart', () => {
  let beats = 0
  /** Answers with the answer to a beat. Where that is a challenge, with the answer to the beat that answers the challenge. */
  async function beat(bootId: string, toReport: string[] = [], isOnline = true) {
    const of = { ...playedBeat, gatewayId: ids.gatewayId, bootId, isOnline, toReport }
    const say = (nonce?: string) =>
      exchange.heartbeat.beat({ ...of, seq: ++beats, ...(nonce !== undefined && { nonce }) })
    const said = await say()
    return said.kind === 'challenge' ? say(said.nonce) : said
  }
  const isCurrent = () => ({ kind: 'current', spaceId: ids.spaceId })

  it('of the cloud ends the openings without a grant, and waits for those with one', async () => {
    const first = await press()
    await restart()
    expect(await row(first)).toMatchObject({ status: 'failed', reason: 'interrupted' })
    const second = await press()
    await claim(second)
    await world.advance(80_000)
    await restart()
    await world.advance(4_999)
    expect((await row(second)).status).toBe('initiated')
    await world.advance(5_001)
    expect((await row(second)).status).toBe('timeout')
  })

  it('of the cloud after a long time leaves the gateway 5 s to report', async () => {
    const openingId = await press()
    await claim(openingId)
    exchange.stop()
    await world.advance(3_600_000)
    await restart()
    await world.advance(4_999)
    expect((await row(openingId)).status).toBe('initiated')
    await world.advance(1)
    expect(await row(openingId)).toMatchObject({ status: 'timeout', reason: 'no_report' })
  })

  it('A2, P5: of the gateway ends an opening that its journal has lost, until a report comes, and keeps one that it will report', async () => {
    const openingId = await press()
    await claim(openingId)
    await beat(boot('B'), [openingId])
    expect((await row(openingId)).status).toBe('initiated')
    await beat(boot('B'))
    const unknown = { status: 'timeout', reason: 'outcome_unknown', safeToRetry: 0 }
    expect(await row(openingId)).toMatchObject({ ...unknown, lockedNumber: phoneNumber })
    await report(openingId, ended(exampleVerdict))
    expect(await row(openingId)).toMatchObject({ status: 'completed' })
  })

  it('G2: of the gateway supersedes its older boot, but still accepts the reports of that boot', async () => {
    const openingId = await press()
    await claim(openingId)
    expect(await beat(boot('B'), [openingId])).toEqual(isCurrent())
    expect(await beat(boot('A'))).toEqual({ kind: 'refused' })
    const next = await press()
    expect(await claim(next)).toEqual({ granted: false, reason: 'superseded' })
    expect(await report(openingId, ended(exampleVerdict))).toEqual({ result: 'applied' })
  })

  it('of the gateway ends nothing on a goodbye, which never names openings to report', async () => {
    const openingId = await press()
    await claim(openingId)
    await beat(boot('B'), [openingId])
    await beat(boot('B'), [], false)
    expect((await row(openingId)).status).toBe('initiated')
  })
})
