import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { runCommand } from './terminal.kit.ts'

let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-keys-'))
  await fillFolder(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Nothing listens on these ports: 1 is reserved. */
const environment = () => ({ CALLGATE_DATA: folder, PORT: '1', MQTT_PORT: '1' })
const run = (...args: string[]) => runCommand(environment(), args)
const keys = (...args: string[]) => run('signing-key', ...args)
const file = () => join(folder, 'signing-key')

/** The doctor's check of the signing key. */
async function doctorSays() {
  const { checks } = JSON.parse((await run('doctor', '--json')).out)
  return checks.find(({ name }: { name: string }) => name === 'signing key')
}

/** Dates the last step far back. */
const waitLong = () =>
  writeFileSync(file(), readFileSync(file(), 'utf8').replace(/ 2\S+Z$/gm, ' 2026-01-01T00:00:00.000Z'))

it('goes through a rotation by hand, with its mistakes', async () => {
  expect(await keys('rotate')).toMatchObject({
    code: 1,
    err: expect.stringContaining('"callgate serve" makes'),
  })
  const space = JSON.parse(
    (await run('space', 'create', '--name', 'Lake view', '--plan', 'pro', '--json')).out,
  )
  const publicKey = 'SWiFsgwXe69n-_76PsRTI50pgO3NZNsqJEvwiI_3T1I'
  const added = await run(
    'gateway',
    'add',
    '--space',
    space.spaceId,
    '--name',
    'Attic',
    '--public-key',
    publicKey,
    '--json',
  )
  const { cloudKeys, gatewayId } = JSON.parse(added.out)
  expect((await keys('status')).out).toMatch(
    /signs\n\n0 of 1 gateway trust the newest key\.\n\n.*\n.*Attic +- +was never online/,
  )
  const rotated = await keys('rotate')
  expect(rotated).toMatchObject({ code: 0, out: expect.stringContaining('announce it to every gateway') })
  expect(await keys('rotate')).toMatchObject({ code: 1, err: expect.stringContaining('under way') })
  expect(await keys('forget')).toMatchObject({ code: 1, err: expect.stringContaining('Try again from') })
  const state = JSON.parse((await keys('status', '--json')).out)
  expect(state).toMatchObject({ keys: [{ publicKey: cloudKeys[0] }, {}], cloudsWithOtherKeys: 0 })
  expect(JSON.stringify(state)).not.toContain(readFileSync(file(), 'utf8').slice(0, 43))
  waitLong()
  expect(await keys('forget')).toMatchObject({
    code: 1,
    err: expect.stringContaining(`Attic (${gatewayId})`),
  })
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  const says = (number: number, keyIds: readonly string[]) =>
    database.knex('gateways').update({ lastBeat: JSON.stringify({ trusts: { number, keyIds } }) })
  const ids = state.keys.map(({ keyId }: { keyId: string }) => keyId)
  await says(1, ids)
  expect((await keys('status')).out).toContain('1 of 1 gateway trusts the newest key.')
  expect((await doctorSays()).says).toBe('A new signing key is announced; 1 of 1 gateway trusts it')
  const forgotten = await keys('forget')
  expect(forgotten).toMatchObject({
    code: 0,
    out: expect.stringContaining(`The key ${ids[0]} is out of the file.`),
  })
  expect((await keys('forget')).out).toBe('There is no old key to forget.')
  expect(readFileSync(file(), 'utf8')).toMatch(/^[\w-]{43} 2\S+Z\n$/)
  await keys('rotate')
  waitLong()
  const left = await keys('forget', '--leave-behind')
  expect(left.out).toContain(`Left behind: Attic (${gatewayId}). Write the public key`)
  expect((await keys('status')).out).toContain('trusts none of these: write the key into its cloudKeys')
  expect(await doctorSays()).toMatchObject({ state: 'wrong', says: expect.stringContaining('Attic') })
  await database.close()
})

it('names the gateways whose daemons are too old to be told', async () => {
  const space = JSON.parse(
    (await run('space', 'create', '--name', 'Lake view', '--plan', 'pro', '--json')).out,
  )
  const publicKey = 'SWiFsgwXe69n-_76PsRTI50pgO3NZNsqJEvwiI_3T1I'
  await run('gateway', 'add', '--space', space.spaceId, '--name', 'Attic', '--public-key', publicKey)
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await database.knex('gateways').update({ lastBeat: '{"version":"0.1.0"}' })
  await database.close()
  expect((await keys('rotate')).out).toContain('Too old to be told are the daemons of Attic (gw_')
  expect((await keys('status')).out).toContain('its daemon is too old: update it')
  expect(await doctorSays()).toMatchObject({ state: 'warning', says: expect.stringContaining('too old') })
})
