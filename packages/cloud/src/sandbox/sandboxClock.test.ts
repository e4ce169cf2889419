import { readFileSync } from 'node:fs'
import { callProfile } from '@callgate/contract/call/callProfile'
import type { Schedule, ScheduleInput } from '@callgate/contract/rest/schedule'
import { magicNumber } from '@callgate/contract/sandbox/magicNumbers'
import { fakeWorld } from '@callgate/world/fake'
import { isoTime, moment } from '@callgate/world/world'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { readSchedules } from '../core/schedule/readSchedules.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import { playedEndpoint } from '../opening/gatewayEndpoint.kit.ts'
import { memberDecisionHandlers } from '../opening/memberDecisions.ts'
import { setClock } from '../space/spaces.ts'
import { createSandbox } from './sandboxes.ts'
import { StandIns } from './standIn.ts'

interface Vector {
  readonly rule: string
  readonly schedules: readonly ScheduleInput[]
  readonly instants: readonly { readonly at: string; readonly allowed: boolean }[]
}
const docs = new URL('../../docs/schedule-vectors.json', import.meta.url)
const { decisions } = JSON.parse(readFileSync(docs, 'utf8')) as { readonly decisions: readonly Vector[] }

/** A member who may open the gate, by the clock of a sandbox. Each allowed press ends at once, as no gateway is connected. */
let database: Database
let exchange: Exchange
let spaceId: string
const world = fakeWorld(1)
const ids = { memberId: 'member_1', accessId: 'access_1', gateId: 'gate_1' }

beforeAll(async () => {
  database = await testDatabase(world)
  const endpoint = new StandIns({ world, database, wire: playedEndpoint() })
  exchange = createExchange({ world, database, endpoint, noteDrift })
  endpoint.start(exchange)
  const zone = { country: 'RO', timezone: 'Europe/Bucharest' }
  spaceId = (await createSandbox({ world, database }, { name: 'Tests', plan: 'business', ...zone })).spaceId
  const { knex } = database
  const own = { spaceId, createdAt: isoTime(world.nowMs()) }
  const phoneNumber = magicNumber('gateway_offline')
  const profile = JSON.stringify(callProfile({ mode: 'reject' }))
  const gate = { id: ids.gateId, phoneNumber, name: 'North', location: '', isActive: true }
  await knex('gates').insert({ ...own, ...gate, callProfile: profile })
  await knex('members').insert({ ...own, id: ids.memberId, name: 'Ana', linkHash: 'h', linkSealed: 's' })
  const { accessId: id, gateId, memberId } = ids
  await knex('accesses').insert({ ...own, id, memberId, gateId, schedules: '[]' })
})
afterAll(async () => {
  exchange.stop()
  await database.close()
})

async function decided() {
  const { decideMember } = memberDecisionHandlers({ database, world })
  const request = {
    params: { memberId: ids.memberId },
    principal: { spaceId },
    query: { gateId: ids.gateId },
  }
  const answer = await decideMember(request as Parameters<typeof decideMember>[0])
  if (!('body' in answer)) throw new Error(JSON.stringify(answer))
  return answer.body
}

/** The reason with which a press of the member ends. */
async function pressed(): Promise<string> {
  const named = { actorType: 'guest', actorName: 'Ana', actorEmail: null } as const
  const actor = { ...named, memberId: ids.memberId, accessId: ids.accessId }
  const since = moment(world)
  const { openingId } = (await exchange.press({ spaceId, gateId: ids.gateId, actor, since })) ?? {}
  return (await database.knex('openings').where({ id: openingId }).first('reason')).reason
}

async function stored(inputs: readonly ScheduleInput[]): Promise<void> {
  const read = readSchedules(inputs, 'schedules')
  if (!read.ok) throw new Error(read.problem.message)
  const schedules: readonly Schedule[] = read.schedules
  await database.knex('accesses').update({ schedules: JSON.stringify(schedules) })
}

describe('by the clock of a sandbox', () => {
  it.each(decisions)(
    'a decision and a press agree with the vectors: $rule',
    async ({ instants, schedules }) => {
      await stored(schedules)
      for (const { allowed, at } of instants) {
        await database.write(tx =>
          setClock(tx, spaceId, { clockAt: isoTime(Date.parse(at)), clockSetAt: null }),
        )
        const decision = await decided()
        expect([at, decision.allowed, decision.decidedAt]).toEqual([at, allowed, isoTime(Date.parse(at))])
        expect([at, await pressed()]).toEqual([at, decision.reason ?? 'gateway_offline'])
      }
    },
  )

  it.each([
    ['spring', '2026-03-29T00:00:00Z'],
    ['autumn', '2026-10-25T00:00:00Z'],
  ])('the hours of a night with a change of the clock are walked through in %s', async (_, from) => {
    const window = { from: '03:30', to: '04:15' }
    await stored([{ type: 'custom', daysOfWeek: [0], timeWindows: [window], timezone: 'Europe/Bucharest' }])
    const setAt = isoTime(world.nowMs())
    await database.write(tx =>
      setClock(tx, spaceId, { clockAt: isoTime(Date.parse(from)), clockSetAt: setAt }),
    )
    for (let minute = 0; minute < 180; minute += 5) {
      const decision = await decided()
      const time = new Date(decision.decidedAt).toLocaleTimeString('en-GB', { timeZone: 'Europe/Bucharest' })
      expect([time, decision.allowed]).toEqual([time, time >= '03:30' && time < '04:15'])
      expect(await pressed()).toBe(decision.reason ?? 'gateway_offline')
      await world.advance(5 * 60_000)
    }
  })
})
