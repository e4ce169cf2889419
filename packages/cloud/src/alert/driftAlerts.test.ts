// Gates whose calls no longer fit their measured profile, by the openings that a gateway reports.

import { type CallProfile, callProfile } from '@callgate/contract/call/callProfile'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import type { Report } from '@callgate/contract/wire/messages'
import { settle } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onPostgres } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { type ExchangeRig, exchangeRig, type Guest, said } from '../opening/exchange.kit.ts'
import { newUser } from '../user/user.kit.ts'
import { watchForIncidents } from './alerts.ts'
import { driftedGates } from './driftChecks.ts'
import type { IncidentRow } from './incidentRows.ts'

const failed = { ...exampleVerdict, status: 'failed', opened: 'unknown' } as const
const ended = (reason: 'answered_unexpectedly' | 'late_release'): Report => ({
  phase: 'ended',
  sinceClaimMs: 100,
  verdict: { ...failed, reason },
  evidence: null,
})
const answered = ended('answered_unexpectedly')
const late = ended('late_release')

let rig: ExchangeRig
let gateId: string
let guest: Guest
let stop: () => Promise<void>
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  guest = await rig.addGuest(gateId)
  await newUser(rig, { email: 'olga@example.com', spaceId: rig.spaceId })
  await learn()
  const { database, exchange, world } = rig
  stop = watchForIncidents({ database, world, heard: exchange.heartbeat.heard, isConnected: () => true })
})
afterEach(async () => {
  await stop()
  await rig.close()
})

/** Puts the gate into the state after an accepted calibration. */
async function learn(): Promise<void> {
  const profile: CallProfile = callProfile({ mode: 'reject', learned: true })
  const origin = { at: isoTime(rig.world.nowMs()), gatewayId: rig.gatewayId, modem: null, operator: null }
  await rig.database
    .knex('gates')
    .where({ id: gateId })
    .update({
      callProfile: JSON.stringify(profile),
      learnedFrom: JSON.stringify(origin),
      driftedAt: null,
    })
  // Calls of the same moment would count as earlier calls.
  await rig.world.advance(1_000)
}

async function call(report: Report, times = 1): Promise<void> {
  for (let done = 0; done < times; done++) {
    await rig.run(guest, report)
    await rig.world.advance(20_000)
  }
}

async function incidents(): Promise<readonly (readonly [string, boolean])[]> {
  await rig.world.advance(40_000)
  await settle(60)
  const rows: IncidentRow[] = await rig.database.knex('incidents').orderBy('openedAt')
  return rows.map(({ closedAt, kind, targetId }) => {
    expect(targetId).toBe(gateId)
    return [kind, closedAt === null] as const
  })
}
const mails = async () =>
  (await rig.database.knex('alertMails').orderBy(['createdAt', 'id'])).map(({ kind }) => kind)
const noted = async () => {
  const rows = await rig.database.knex('activity').where({ action: 'gate.drifted' }).orderBy('id')
  return rows.map(({ details }) => JSON.parse(details).doubt)
}

it('notifies once of a gate that is answered now, until five calls in a row fit again', async () => {
  await call(said.completed, 2)
  expect(await incidents()).toEqual([])
  await call(answered, 2)
  expect(await incidents()).toEqual([['gate_drifted', true]])
  await call(said.completed, 4)
  expect(await incidents()).toEqual([['gate_drifted', true]])
  await call(said.completed)
  expect(await incidents()).toEqual([['gate_drifted', false]])
  expect(await noted()).toEqual(['answers_now'])
})

it('notifies again when it drifts again, in the alerts and in the activity', async () => {
  await call(answered)
  expect(await incidents()).toEqual([['gate_drifted', true]])
  await call(said.completed, 5)
  expect(await incidents()).toEqual([['gate_drifted', false]])
  await call(answered)
  expect(await incidents()).toEqual([
    ['gate_drifted', false],
    ['gate_drifted', true],
  ])
  expect(await noted()).toEqual(['answers_now', 'answers_now'])
})

it('continues while another doubt is left, and reports each doubt once', async () => {
  await call(late, 2)
  expect(await incidents()).toEqual([])
  await call(late)
  expect(await incidents()).toEqual([['gate_drifted', true]])
  await call(answered)
  await call(said.completed, 5)
  expect(await incidents()).toEqual([['gate_drifted', true]])
  expect(await noted()).toEqual(['other_times', 'answers_now'])
})

it('ends with another calibration, and notifies of that', async () => {
  await call(answered)
  expect(await incidents()).toEqual([['gate_drifted', true]])
  await learn()
  expect(await incidents()).toEqual([['gate_drifted', false]])
  expect(await mails()).toEqual(['opened', 'closed'])
})

it.each([
  ['a profile that is set by hand', { callProfile: JSON.stringify(callProfile({ mode: 'ring' })) }],
  ['a gate that is switched off', { isActive: false }],
])('ends without a notification for %s', async (_, columns) => {
  await call(answered)
  expect(await incidents()).toEqual([['gate_drifted', true]])
  await rig.database.knex('gates').where({ id: gateId }).update(columns)
  expect(await incidents()).toEqual([['gate_drifted', false]])
  expect(await mails()).toEqual(['opened'])
})

it('ignores a gate that was never measured', async () => {
  await rig.database.knex('gates').where({ id: gateId }).update({ learnedFrom: null })
  await call(answered, 3)
  expect(await incidents()).toEqual([])
})

it('reads drifting gates by an index that contains no others', async ({ skip }) => {
  skip(onPostgres, 'it reads plans of SQLite')
  const [[plan] = []] = await plansOf(rig.database, async db => {
    await driftedGates(db, {})
  })
  expect(plan).toMatch(/USING INDEX gates_drifted/)
})
