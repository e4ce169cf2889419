// The operator's side of a rotation of the signing key, in the files and the database.

import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { pendingEnrolment } from '../enrolment/enrolment.kit.ts'
import { joinClouds } from '../limit/clouds.ts'
import { type Keyring, loadKeyring, signingKeyFault } from '../secrets/keyring.ts'
import type { SigningKeys } from '../secrets/signingKeys.ts'
import { watchSigningKeys } from '../secrets/signingKeysWatch.ts'
import { newSpace } from '../space/space.kit.ts'
import {
  beginSigningRotation,
  forgetOldSigningKey,
  forgetSigningAfterMs,
  signingState,
} from './signingRotation.ts'

let folder = ''
let world: FakeWorld
let database: Database
let spaceId = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-signing-'))
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ database, world })
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const parts = () => ({ database, world, places: { folder }, isByWorld: true })
const file = () => join(folder, 'signing-key')
async function keyring(): Promise<Keyring> {
  const loaded = await loadKeyring(world, { folder })
  if (!loaded.ok) throw new Error(loaded.message)
  return loaded.keyring
}
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) {
    await readFile(file()).catch(() => undefined)
    await new Promise(resolve => setImmediate(resolve))
  }
}
async function check(): Promise<void> {
  await world.advance(30_000)
  await settled()
}
/** A gateway with this last beat. */
async function gateway(id: string, said: object | null): Promise<void> {
  const row = { id, spaceId, name: id, publicKey: id, passwordHash: 'p', createdAt: '2026' }
  const lastBeat = said && JSON.stringify(said)
  await database
    .knex('gateways')
    .insert({ ...row, lastBeat })
    .onConflict('id')
    .merge(['lastBeat'])
}
const trusting = (number: number, ...keyIds: readonly string[]) => ({ trusts: { number, keyIds } })
const forget = (leavesBehind = false) => forgetOldSigningKey(parts(), { leavesBehind })
const refusal = (words: string) => ({ ok: false, message: expect.stringContaining(words) })

it('leads from one key to the next, and forgets the old one only when nobody needs it', async () => {
  const ring = await keyring()
  const changes: SigningKeys[] = []
  const stop = watchSigningKeys(world, ring, { folder }, keys => changes.push(keys))
  const old = ring.fingerprints.signing
  await gateway('gw_1', trusting(0, old))
  await gateway('gw_2', { version: 'of before' })
  await gateway('gw_3', null)
  await gateway('gw_4', trusting(0, 'a'.repeat(16)))
  expect(await forget()).toEqual({ ok: true, forgotten: null, leftBehind: [] })
  const begun = await beginSigningRotation(parts())
  if (!begun.ok) throw new Error(begun.message)
  expect(begun.gateways.map(({ standing }) => standing)).toEqual([
    'waits',
    'says_nothing',
    'never_heard',
    'left_behind',
  ])
  expect(await beginSigningRotation(parts())).toMatchObject(refusal('under way'))
  expect(statSync(file()).mode & 0o777).toBe(0o600)
  expect(await signingKeyFault(ring, { folder })).toBeUndefined()
  const next = begun.keys[1]?.keyId ?? ''
  expect(ring.fingerprints.signing).toBe(old)
  await check()
  expect(ring.fingerprints.signing).toBe(`${old}.${next}`)
  expect(changes).toHaveLength(1)
  expect(await forget(true)).toMatchObject(refusal('Try again from'))
  await world.advance(forgetSigningAfterMs)
  expect(await forget()).toMatchObject(refusal('gw_1 (gw_1), gw_2 (gw_2), gw_3 (gw_3), gw_4 (gw_4)'))
  for (const id of ['gw_1', 'gw_2', 'gw_3']) await gateway(id, trusting(begun.keys.length, old, next))
  await database.knex('gateways').where({ id: 'gw_4' }).update({ revokedAt: '2026' })
  expect(await forget()).toEqual({ ok: true, forgotten: old, leftBehind: [] })
  await check()
  expect(ring.fingerprints.signing).toBe(next)
  expect((await keyring()).fingerprints.signing).toBe(next)
  expect(await signingState(parts())).toMatchObject({ ok: true, keys: [{ keyId: next }] })
  // Each step has a larger number, also where the clock was set back.
  const numbers = changes.map(({ number }) => number)
  await world.advance(1)
  expect(numbers[1]).toBeGreaterThan(numbers[0] ?? 0)
  expect(readdirSync(folder).sort()).toEqual(['sealing-keys', 'signing-key'])
  stop()
})

it('leaves gateways behind only when the operator says so, and names them', async () => {
  const old = (await keyring()).fingerprints.signing
  await gateway('gw_1', trusting(0, old))
  await beginSigningRotation(parts())
  await world.advance(forgetSigningAfterMs)
  expect(await forget(true)).toMatchObject({
    ok: true,
    leftBehind: [{ gatewayId: 'gw_1', standing: 'waits' }],
  })
  expect(await signingState(parts())).toMatchObject({ gateways: [{ standing: 'left_behind' }] })
})

it('waits for every cloud on the database, and lets clouds with a common key serve beside each other', async () => {
  const ring = await keyring()
  const joined = await joinClouds(parts(), { ...ring.fingerprints })
  if (!joined.ok) throw new Error(joined.message)
  await beginSigningRotation(parts())
  expect(await signingState(parts())).toMatchObject({ cloudsWithOtherKeys: 1 })
  const second = await keyring()
  const beside = await joinClouds(parts(), second.fingerprints)
  if (!beside.ok) throw new Error(beside.message)
  await world.advance(forgetSigningAfterMs)
  expect(await forget(true)).toMatchObject(refusal('A cloud serves with other signing keys'))
  await joined.clouds.stop()
  expect((await forget(true)).ok).toBe(true)
  expect(await beginSigningRotation(parts())).toMatchObject(
    refusal('A cloud serves with another signing key'),
  )
  await beside.clouds.stop()
})

it('keeps its key when the file is missing, damaged or of another cloud, and names the fault', async () => {
  const ring = await keyring()
  const stop = watchSigningKeys(world, ring, { folder }, () => {})
  const { signing } = ring.fingerprints
  const whole = readFileSync(file(), 'utf8')
  const seed = (byte: number) => Buffer.alloc(32, byte).toString('base64url')
  const later = '2030-01-01T00:00:00.000Z'
  for (const text of [
    'torn',
    `${seed(1)}\n`,
    `${seed(1)} ${later}\n`,
    `${whole}${seed(2)}\n`,
    `${whole}${whole.trim()} ${later}\n`,
  ]) {
    writeFileSync(file(), text)
    await check()
    expect(ring.fingerprints.signing).toBe(signing)
    expect(await signingKeyFault(ring, { folder })).toContain('holds another key')
  }
  rmSync(file())
  await check()
  expect(await signingKeyFault(ring, { folder })).toContain('is gone')
  expect(await beginSigningRotation(parts())).toMatchObject(refusal('"callgate serve" makes it'))
  expect(world.lines.filter(({ message }) => message.includes('is not used'))).toHaveLength(1)
  writeFileSync(file(), 'torn')
  expect(await forget()).toMatchObject(refusal('is damaged'))
  writeFileSync(file(), whole)
  chmodSync(folder, 0o500)
  const begun = await beginSigningRotation(parts())
  chmodSync(folder, 0o700)
  // The superuser writes everywhere.
  if (process.getuid?.() !== 0) {
    expect(begun).toMatchObject(refusal('EACCES'))
    expect(readFileSync(file(), 'utf8')).toBe(whole)
  }
  stop()
})

it('keeps the old key while a code or a new gateway trusts no other key', async () => {
  await keyring()
  const oldKey = (await keyring()).publicKeys()[0] ?? ''
  const { enrolmentId } = await pendingEnrolment({ database, world }, spaceId, [oldKey])
  const begun = await beginSigningRotation(parts())
  const newKey = begun.ok ? (begun.keys[1]?.publicKey ?? '') : ''
  await pendingEnrolment({ database, world }, spaceId, [newKey])
  await world.advance(forgetSigningAfterMs)
  expect(await forget()).toMatchObject(refusal(`trust the old key alone: Yard (${enrolmentId}). Wait`))
  // It may still fetch its login, which it accepts by the old key only.
  const recent = isoTime(world.nowMs())
  await database
    .knex('enrolments')
    .where({ id: enrolmentId })
    .update({ endedAt: recent, endedAs: 'confirmed' })
  expect(await forget()).toMatchObject(refusal(enrolmentId))
  await database.knex('enrolments').where({ id: enrolmentId }).update({ storedAt: recent })
  expect(await forget()).toMatchObject({ ok: true })
})

it('gives up codes of the old key on request', async () => {
  const oldKey = (await keyring()).publicKeys()[0] ?? ''
  await pendingEnrolment({ database, world }, spaceId, [oldKey])
  await beginSigningRotation(parts())
  await world.advance(forgetSigningAfterMs)
  expect(await forget(true)).toMatchObject({ ok: true, leftBehind: [] })
})
