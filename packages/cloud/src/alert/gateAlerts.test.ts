// Gates that do not react, by the openings that a gateway reports.

import { exampleVerdict } from '@callgate/contract/call/verdict'
import type { Report } from '@callgate/contract/wire/messages'
import { settle } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onPostgres } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { recordObservation } from '../history/observations.ts'
import { type ExchangeRig, exchangeRig, type Guest, said } from '../opening/exchange.kit.ts'
import { watchForIncidents } from './alerts.ts'
import { notReacted } from './gateChecks.ts'
import { heardGateways } from './gatewayChecks.ts'
import { readPast } from './incidentHandlers.ts'
import type { IncidentRow } from './incidentRows.ts'

const verdict = { ...exampleVerdict, status: 'failed', opened: 'no', reason: 'no_reaction' } as const
const inVainUnknown: Report = {
  phase: 'ended',
  sinceClaimMs: 100,
  verdict: { ...verdict, opened: 'unknown', confidence: 'unknown' },
  evidence: null,
}
const inVain: Report = { phase: 'ended', sinceClaimMs: 100, verdict, evidence: null }

let rig: ExchangeRig
let guest: Guest
let stop: () => Promise<void>
beforeEach(async () => {
  rig = await exchangeRig()
  guest = await rig.addGuest(await rig.addGate())
  const { database, exchange, world } = rig
  stop = watchForIncidents({ database, world, heard: exchange.heartbeat.heard, isConnected: () => true })
})
afterEach(async () => {
  await stop()
  await rig.close()
})

async function round(): Promise<readonly (readonly [string, boolean, number | null])[]> {
  await rig.world.advance(40_000)
  await settle(60)
  const rows: IncidentRow[] = await rig.database.knex('incidents').orderBy('openedAt')
  return rows.map(({ closedAt, figure, kind }) => [kind, closedAt === null, figure] as const)
}

it('notifies of a gate that did not react three times in a row, until it reacts', async () => {
  for (let call = 0; call < 2; call++) await rig.run(guest, inVain)
  await rig.world.advance(20_000)
  await rig.run(guest, said.completed)
  await rig.world.advance(20_000)
  expect(await round()).toEqual([])
  for (let call = 0; call < 3; call++) {
    await rig.run(guest, inVain)
    await rig.world.advance(20_000)
  }
  expect(await round()).toEqual([['gate_not_reacting', true, 3]])
  await rig.run(guest, inVain)
  expect(await round()).toEqual([['gate_not_reacting', true, 3]])
  await rig.run(guest, said.completed)
  expect(await round()).toEqual([['gate_not_reacting', false, 3]])
})

it.each([
  ['nobody knows what became of it', inVainUnknown],
  ['the number was busy', said.busy],
  ['the SIM card of the gateway refused', said.simError],
])('continues after a call that the gate did not take: %s', async (_why, ended) => {
  for (const call of [inVain, inVain, inVain, ended]) {
    await rig.run(guest, call)
    await rig.world.advance(20_000)
    await round()
  }
  expect(await round()).toEqual([['gate_not_reacting', true, 3]])
  await rig.run(guest, said.completed)
  expect(await round()).toEqual([['gate_not_reacting', false, 3]])
})

it('ends when a person sees the gate move after a call with an unknown outcome', async () => {
  for (const call of [inVain, inVain, inVain, inVainUnknown]) {
    await rig.run(guest, call)
    await rig.world.advance(20_000)
    await round()
  }
  const { database, world } = rig
  const { id: openingId } = await database.knex('openings').orderBy('calledAt', 'desc').first('id')
  const seen = { actorType: 'owner', seen: 'moving', seenAt: isoTime(world.nowMs()) } as const
  await recordObservation(database.knex, { spaceId: rig.spaceId, openingId }, seen)
  expect(await round()).toEqual([['gate_not_reacting', false, 3]])
})

it('continues while presses are denied, which say nothing about the gate', async () => {
  for (let call = 0; call < 3; call++) {
    await rig.run(guest, inVain)
    await rig.world.advance(20_000)
  }
  const { database } = rig
  const { class: _, ...last } = await database.knex('openings').orderBy('calledAt', 'desc').first()
  const deny = (count: number, from: number) =>
    Array.from({ length: count }, (_row, place) => ({
      ...last,
      id: `open_z${String(from + place).padStart(25, '0')}`,
      gatewayId: null,
      grantedAt: null,
      reason: 'outside_schedule',
      opened: 'no',
      calledAt: isoTime(rig.world.nowMs() + place),
    }))
  await database.write(tx => tx('openings').insert(deny(30, 0)))
  expect(await database.knex('openings').where('id', 'like', 'open_z%').distinct('class')).toEqual([
    { class: 'denied' },
  ])
  expect(await round()).toEqual([['gate_not_reacting', true, 3]])
  for (let from = 100; from < 700; from += 30)
    await database.write(tx => tx('openings').insert(deny(30, from)))
  expect(await round()).toEqual([['gate_not_reacting', true, 3]])
})

it('ends for a gate that is switched off', async () => {
  for (let call = 0; call < 3; call++) {
    await rig.run(guest, inVain)
    await rig.world.advance(20_000)
  }
  expect(await round()).toHaveLength(1)
  await rig.database.knex('gates').update({ isActive: false })
  expect(await round()).toEqual([['gate_not_reacting', false, 3]])
})

it('reads every growing table by an index', async ({ skip }) => {
  skip(onPostgres, 'it reads plans of SQLite')
  const { database, spaceId } = rig
  const since = isoTime(rig.world.nowMs())
  const plans = await plansOf(database, async db => {
    await notReacted(db, { since })
    await heardGateways(db, { after: '', rows: 200 })
    await readPast(db, { spaceId }, { limit: 50, cursor: '' })
  })
  const [gates, gateways, past] = plans.map(steps => steps.join('; '))
  expect(gates).toMatch(/USING (COVERING )?INDEX openings_not_reacted/)
  expect(gateways).toMatch(/SEARCH gateways USING INDEX sqlite_autoindex_gateways/)
  expect(gateways).not.toMatch(/SCAN|TEMP/)
  expect(past).toMatch(/USING INDEX incidents_spaceid_openedat_id_index/)
  expect(past).not.toMatch(/TEMP/)
})
