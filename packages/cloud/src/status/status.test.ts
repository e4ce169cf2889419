import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { muteAlerts } from '../alert/mutes.ts'
import { readConfig } from '../config.ts'
import { onPostgres } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { type ExchangeRig, exchangeRig, said } from '../opening/exchange.kit.ts'
import { noteRestore } from '../restore/restores.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { noteServing, servingClouds } from './servingClouds.ts'
import { readStatus } from './status.ts'

let rig: ExchangeRig
let dataFolder = ''
beforeEach(async () => {
  rig = await exchangeRig()
  dataFolder = mkdtempSync(join(tmpdir(), 'callgate-status-'))
})
afterEach(async () => {
  await rig.close()
  rmSync(dataFolder, { recursive: true })
})

const hourMs = 3_600_000

async function status(environment: Record<string, string> = {}) {
  const read = readConfig({ CALLGATE_DATA: dataFolder, ...environment })
  if (!read.ok) throw new Error(read.message)
  // The clock of a Postgres is the real one, and that of the rig is not.
  return readStatus({ config: read.config, database: rig.database, world: rig.world, isByWorld: true })
}

it('shows data without anything in it', async () => {
  expect(await status()).toMatchObject({
    clouds: [],
    database: {
      product: onPostgres ? 'Postgres' : 'SQLite',
      version: expect.stringMatching(/^\d+\.\d+/),
      migrations: expect.any(Number),
      newestMigration: expect.stringMatching(/^\d{4}-/),
      unconfirmedRestoreAt: null,
    },
    broker: { isEmbedded: true, isConnected: null },
    openingsOfLastHour: { opened: 0, failed: 0, failedBy: {}, unknown: 0, running: 0 },
    mails: { waiting: 0, oldestAt: null },
    webhooks: { active: 0, failing: 0, off: 0, waitingDeliveries: 0 },
    keys: null,
    backup: null,
    alerts: { goingOn: 0, mute: null },
  })
})

it('counts the openings of the last hour in live Spaces by how they ended, and those that run', async () => {
  const end = async (name: string, how: Parameters<typeof rig.run>[1] | undefined) => {
    const guest = await rig.addGuest(await rig.addGate({ name }))
    if (how) await rig.run(guest, how)
    else await rig.press(guest)
  }
  await end('Old', said.completed)
  await rig.world.advance(hourMs + 1_000)
  await end('One', said.completed)
  await end('Two', said.completed)
  await end('Three', undefined)
  rig.online.length = 0
  await end('Four', undefined)
  const { knex } = rig.database
  const space = await knex('spaces').first()
  await knex('spaces').insert({ ...space, id: 'space_played', mode: 'sandbox' })
  await knex('gates').insert({ ...(await knex('gates').first()), id: 'gate_played', spaceId: 'space_played' })
  const { class: _, ...ended } = await knex('openings').where({ reason: 'gateway_offline' }).first()
  const apart = { spaceId: 'space_played', gateId: 'gate_played', memberId: null, accessId: null }
  await knex('openings').insert({ ...ended, ...apart, id: 'open_played' })
  expect((await status()).openingsOfLastHour).toEqual({
    opened: 2,
    failed: 1,
    failedBy: { gateway_offline: 1 },
    unknown: 0,
    running: 1,
  })
})

it('counts gateways, mails and webhooks, and names the keys with their age', async () => {
  const { knex } = rig.database
  await loadKeyring(rig.world, { folder: dataFolder })
  const { spaceId } = rig
  const at = (agoMs: number) => isoTime(rig.world.nowMs() - agoMs)
  const add = (name: string, row: object) =>
    knex('gateways').insert({
      ...{ id: `gw_${name}`, spaceId, name, publicKey: name, passwordHash: 'p', createdAt: at(0) },
      ...row,
    })
  const heard = { lastBeat: '{"online":true}', onlineSince: at(hourMs) }
  await knex('gateways').delete()
  await add('on', { ...heard, lastBeatAt: at(60_000) })
  await add('off', { ...heard, lastBeatAt: at(hourMs) })
  await add('silent', { ...heard, lastBeatAt: at(60_000), onlineSince: null })
  await add('new', {})
  await add('old', { tooOldAt: at(60_000) })
  await add('gone', { ...heard, lastBeatAt: at(60_000), revokedAt: at(0) })
  const mail = { kind: 'invitation', createdAt: at(7 * 60_000), nextAttemptAt: at(0) }
  await knex('outbox').insert({ id: 'mail_a', ...mail })
  await knex('outbox').insert({ id: 'mail_b', ...mail, sentAt: at(0) })
  const hook = { spaceId, url: 'https://x.example', secretSealed: 's', createdAt: at(0) }
  await knex('webhooks').insert({ id: 'hook_a', ...hook })
  await knex('webhooks').insert({ id: 'hook_b', ...hook, failures: 3, failingSince: at(0) })
  await knex('webhooks').insert({ id: 'hook_c', ...hook, failingSince: at(0), stoppedAt: at(0) })
  const delivery = { webhookId: 'hook_a', spaceId, kind: 'opening.ended', createdAt: at(0) }
  await knex('webhookDeliveries').insert({ ...delivery, seq: 1, nextAttemptAt: at(0) })
  await knex('webhookDeliveries').insert({ ...delivery, seq: 2, deliveredAt: at(0) })
  await noteRestore(knex, { takenAt: at(hourMs), restoredAt: at(0), confirmedAt: null })
  const found = await status()
  expect(found.gateways).toEqual({ online: 1, offline: 2, neverHeard: 2, tooOld: 1 })
  expect(found.mails).toEqual({ waiting: 1, oldestAt: mail.createdAt })
  expect(found.webhooks).toEqual({ active: 1, failing: 1, off: 1, waitingDeliveries: 1 })
  expect(found.database.unconfirmedRestoreAt).toBe(at(0))
  const [first] = await knex('spaces').pluck('createdAt')
  expect(found.keys).toMatchObject({
    signing: { since: first, isRotating: false },
    sealing: { version: 1, since: first, isRotating: false },
  })
})

it('shows the mute that holds', async () => {
  await muteAlerts(rig, { forMs: 30 * 60_000, why: 'a new disk' })
  expect((await status()).alerts.mute).toMatchObject({ why: 'a new disk' })
  await rig.world.advance(31 * 60_000)
  expect((await status()).alerts.mute).toBeNull()
})

it('shows the broker without a password', async () => {
  const found = await status({ MQTT_URL: 'mqtts://callgate:s3cret@broker.example:8883' })
  expect(found.broker).toEqual({ isEmbedded: false, url: 'mqtts://broker.example:8883', isConnected: null })
})

it('notes a cloud while it serves, and forgets it when it stops or is killed', async () => {
  const { database, world } = rig
  const { knex } = database
  const there = async () => (await servingClouds(knex, world.nowMs())).map(({ isConnected }) => isConnected)
  let isConnected = false
  const stop = noteServing({ database, world, isListening: () => isConnected, isAlone: false })
  await world.advance(2_000)
  expect(await there()).toEqual([false])
  isConnected = true
  await world.advance(21_000)
  const [one] = await servingClouds(knex, world.nowMs())
  expect(one).toMatchObject({ isConnected: true, startedAt: isoTime(world.nowMs() - 23_000) })
  const stopOther = noteServing({ database, world, isListening: () => true, isAlone: false })
  await world.advance(2_000)
  expect(await there()).toEqual([true, true])
  await stop()
  expect(await there()).toEqual([true])
  // It is killed: nothing notes it any more, and its row stays.
  const [killed] = await knex('servingClouds')
  await stopOther()
  await knex('servingClouds').insert(killed)
  await world.advance(51_000)
  expect([await there(), await knex('servingClouds')]).toEqual([[], [expect.anything()]])
  const stopAlone = noteServing({ database, world, isListening: () => true, isAlone: true })
  await world.advance(2_000)
  expect(await knex('servingClouds').pluck('id')).not.toContain(killed.id)
  await stopAlone()
})

it('reads every growing table by an index', async ({ skip }) => {
  skip(onPostgres, 'it reads plans of SQLite')
  const plans = (await plansOf(rig.database, () => status())).map(steps => steps.join('; '))
  const of = (table: RegExp) => plans.filter(plan => table.test(plan))
  expect(of(/openings/)).toEqual([
    expect.stringMatching(
      /SEARCH o USING INDEX openings_spaceid_calledat_id_index \(spaceId=\? AND calledAt>\?\)/,
    ),
    expect.stringMatching(/USING (COVERING )?INDEX openings_running/),
  ])
  for (const plan of of(/outbox/)) expect(plan).toMatch(/USING (COVERING )?INDEX outbox_turns/)
  for (const plan of of(/webhookDeliveries/))
    expect(plan).toMatch(/USING COVERING INDEX webhookDeliveries_due/)
  for (const plan of of(/incidents/)) expect(plan).toMatch(/USING INDEX incidents_going_on/)
})
