// Rotation of the sealing keys: no text is ever unreadable, and each step can be repeated after a crash.

import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { onPostgres, testDatabase } from '../database/postgres.kit.ts'
import { passwordPlace } from '../gateway/gateways.ts'
import { keptAnswers } from '../http/keptAnswers.ts'
import { newLink } from '../member/memberLinks.ts'
import { pushDevicePlace } from '../push/pushDevices.ts'
import { publicPushKey } from '../push/pushKeys.ts'
import { type Keyring, loadKeyring, readKeyring } from '../secrets/keyring.ts'
import type { Seal } from '../secrets/sealing.ts'
import { watchSealingKeys } from '../secrets/sealingKeysWatch.ts'
import { newSpace } from '../space/space.kit.ts'
import { newMailedLink } from '../user/mailedLinks.ts'
import { newTotp } from '../user/totp.ts'
import { newUser } from '../user/user.kit.ts'
import { verifySeals } from '../verify/verify.ts'
import { webhookSecretPlace } from '../webhook/webhookRows.ts'
import { countLeft, resealAll } from './resealing.ts'
import { sealedColumns } from './sealedColumns.ts'
import {
  beginRotation,
  forgetAfterMs,
  forgetOldKeys,
  leastDelayMs,
  rotationState,
} from './sealingRotation.ts'

let folder = ''
let world: FakeWorld
let database: Database
let spaceId = ''

async function furnish(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'callgate-rotation-'))
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ database, world })
}
async function clear(): Promise<void> {
  await database.close()
  rmSync(folder, { recursive: true })
}
beforeEach(furnish)
afterEach(clear)

const parts = () => ({ database, world, places: { folder }, isByWorld: true })
const file = () => join(folder, 'sealing-keys')

async function keyring(): Promise<Keyring> {
  const loaded = await loadKeyring(world, { folder })
  if (!loaded.ok) throw new Error(loaded.message)
  return loaded.keyring
}

/** Waits for the checks of the file, which wait for the disk. */
const settled = async () => {
  for (let turn = 0; turn < 5; turn++) {
    await readFile(file()).catch(() => undefined)
    await new Promise(resolve => setImmediate(resolve))
  }
}

/** A cloud that serves, with its keys in memory. */
async function cloud() {
  const ring = await keyring()
  const stop = watchSealingKeys(world, ring, { folder })
  return { seal: ring.seal, versions: () => [...ring.sealingKeys().keys()], ring, stop }
}

let members = 0
async function addMember(seal: Seal): Promise<string> {
  const id = `member_${String(members++).padStart(6, '0')}`
  const link = newLink(world, seal, { spaceId, id })
  await database.knex('members').insert({ id, spaceId, name: 'Ana', createdAt: '2026', ...link })
  return id
}

/** Adds a row with each kind of sealed text. */
async function addOfEach(seal: Seal): Promise<void> {
  await addMember(seal)
  const { userId } = await newUser({ database, world }, { email: 'olga@example.com' })
  const { totpSealed } = newTotp({ seal, world }, { id: userId, email: 'olga@example.com' })
  await database.knex('users').update({ totpSealed })
  const mark = { askerId: 'key_a', requestHash: 'r', bodyHash: 'b' }
  await database.write(tx =>
    keptAnswers({ database, seal, world }).insert(tx, mark, {
      reply: { status: 200, headers: {}, body: '{}' },
    }),
  )
  const passwordSealed = seal.seal('p', passwordPlace('gw_1'))
  const gateway = { id: 'gw_1', spaceId, name: 'Pi', publicKey: 'k', passwordHash: 'p', createdAt: '2026' }
  await database.knex('gateways').insert({ ...gateway, passwordSealed })
  const times = { createdAt: '2026', expiresAt: '2027' }
  const reset = newMailedLink(world, seal, 'reset_1')
  await database.knex('passwordResets').insert({ id: 'reset_1', userId, ...reset, ...times })
  const invitation = newMailedLink(world, seal, 'invite_1')
  const about = { email: 'a@example.com', name: 'A', role: 'admin', language: 'en', invitedBy: userId }
  await database
    .knex('userInvitations')
    .insert({ id: 'invite_1', spaceId, ...about, ...invitation, ...times })
  const secretSealed = seal.seal('s', webhookSecretPlace('hook_1'))
  const previousSealed = seal.seal('p', webhookSecretPlace('hook_1'))
  const webhook = { id: 'hook_1', spaceId, url: 'https://desk.example.com/', createdAt: '2026' }
  await database.knex('webhooks').insert({ ...webhook, secretSealed, previousSealed })
  const device = { id: 'd', userId, browser: 'Firefox', alerts: true, openings: true, createdAt: '2026' }
  const subscriptionSealed = seal.seal('{}', pushDevicePlace('d'))
  await database.knex('pushDevices').insert({ ...device, subscriptionSealed })
  await publicPushKey({ database, seal, world })
}

async function reseal(): ReturnType<typeof resealAll> {
  const ring = await keyring()
  let isOver = false
  const done = resealAll({ ...parts(), seal: ring.seal }, Math.max(...ring.sealingKeys().keys())).finally(
    () => {
      isOver = true
    },
  )
  while (!isOver) {
    await settled()
    await world.advance(20)
  }
  return done
}

/** The texts that `seal` cannot open in their context. */
async function unreadable(seal: Seal): Promise<string[]> {
  const found: string[] = []
  for (const { column, idOf, isWhole, placeOf, table } of sealedColumns)
    for (const row of await database.knex(table).whereNotNull(column)) {
      const text = seal.unseal(row[column], placeOf(row))
      if (text === undefined || !isWhole(text, row)) found.push(`${table} ${idOf(row)}`)
    }
  return found
}

it('knows every column with sealed texts', async ({ skip }) => {
  skip(onPostgres, "it reads SQLite's list of tables")
  const tables = (await database.knex('sqlite_master').where({ type: 'table' }).pluck('name')) as string[]
  const found: string[] = []
  for (const table of tables)
    for (const column of Object.keys(await database.knex(table).columnInfo()))
      if (/sealed/i.test(column)) found.push(`${table}.${column}`)
  expect(found.sort()).toEqual(sealedColumns.map(({ column, table }) => `${table}.${column}`).sort())
})

describe('a rotation', () => {
  it('leads from one key to the next while a cloud serves, and loses nothing', async () => {
    const serving = await cloud()
    await addOfEach(serving.seal)
    const begun = await beginRotation(parts(), leastDelayMs)
    expect(begun).toMatchObject({ ok: true, version: 2 })
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    await world.advance(30_000)
    await settled()
    expect(serving.versions()).toEqual([1, 2])
    expect(serving.seal.seal('a', 'c')).toMatch(/^1\./)
    expect(await forgetOldKeys(parts())).toMatchObject({
      ok: false,
      message: expect.stringContaining('seals from'),
    })
    await world.advance(90_000)
    expect(serving.seal.seal('a', 'c')).toMatch(/^2\./)
    expect(Object.keys(await countLeft(database.knex, 2)).sort()).toEqual(
      sealedColumns.map(({ column, table }) => `${table}.${column}`).sort(),
    )
    await world.advance(forgetAfterMs)
    expect(await forgetOldKeys(parts())).toMatchObject({
      ok: false,
      message: expect.stringContaining('reseal'),
    })
    expect(await reseal()).toEqual({ resealed: 10, unreadable: [] })
    expect(await reseal()).toEqual({ resealed: 0, unreadable: [] })
    expect(await unreadable(serving.seal)).toEqual([])
    expect(await forgetOldKeys(parts())).toEqual({ ok: true, forgotten: [1] })
    expect(await forgetOldKeys(parts())).toEqual({ ok: true, forgotten: [] })
    await world.advance(30_000)
    await settled()
    expect(serving.versions()).toEqual([2])
    expect(await unreadable((await keyring()).seal)).toEqual([])
    expect(await verifySeals(database.knex, (await keyring()).seal)).toEqual([])
    expect(readdirSync(folder).sort()).toEqual(['sealing-keys', 'signing-key'])
    serving.stop()
  })

  it('keeps the owner of the file when root runs it', async () => {
    await keyring()
    // Only root can give a file away.
    if (process.getuid?.() !== 0) return
    chownSync(file(), 65_532, 65_533)
    chmodSync(file(), 0o640)
    expect((await beginRotation(parts(), leastDelayMs)).ok).toBe(true)
    await world.advance(leastDelayMs + forgetAfterMs)
    expect(await forgetOldKeys(parts())).toMatchObject({ ok: true, forgotten: [1] })
    const { gid, mode, uid } = statSync(file())
    expect([uid, gid, mode & 0o777]).toEqual([65_532, 65_533, 0o640])
  })

  it('begins once, and again only after its end', async () => {
    await keyring()
    const both = await Promise.all([
      beginRotation(parts(), leastDelayMs),
      beginRotation(parts(), leastDelayMs),
    ])
    expect(both.map(({ ok }) => ok).sort()).toEqual([false, true])
    expect(both.find(({ ok }) => !ok)).toMatchObject({ message: expect.stringContaining('under way') })
  })

  it('waits for pages that were opened before the change', async () => {
    await keyring()
    await beginRotation(parts(), leastDelayMs)
    await world.advance(leastDelayMs + forgetAfterMs - 1)
    expect(await forgetOldKeys(parts())).toMatchObject({
      ok: false,
      message: expect.stringContaining('Pages'),
    })
    await world.advance(1)
    expect((await forgetOldKeys(parts())).ok).toBe(true)
  })

  it('does not forget a key while one of several clouds has other keys', async () => {
    const ring = await keyring()
    const old = ring.fingerprints
    await beginRotation(parts(), leastDelayMs)
    await world.advance(leastDelayMs + forgetAfterMs)
    const row = { id: 'cloud_1', signing: old.signing, sealing: old.sealing }
    await database.knex('clouds').insert({ ...row, aliveUntilMs: world.nowMs() + 15_000 })
    expect(await rotationState(parts())).toMatchObject({ cloudsWithOtherKeys: 1 })
    expect(await forgetOldKeys(parts())).toMatchObject({
      ok: false,
      message: expect.stringContaining('A cloud serves'),
    })
    await world.advance(15_000)
    expect((await forgetOldKeys(parts())).ok).toBe(true)
  })

  it('leaves a text unchanged that no key opens, reports it, and keeps the old key for it', async () => {
    const ring = await keyring()
    const id = await addMember(ring.seal)
    await addMember(ring.seal)
    await database
      .knex('members')
      .where({ id })
      .update({ linkSealed: ring.seal.seal('x', 'elsewhere') })
    await beginRotation(parts(), leastDelayMs)
    await world.advance(leastDelayMs + forgetAfterMs)
    expect(await reseal()).toEqual({ resealed: 1, unreadable: [`members.linkSealed ${id}`] })
    expect(await unreadable((await keyring()).seal)).toEqual([`members ${id}`])
    expect((await forgetOldKeys(parts())).ok).toBe(false)
  })

  it('names the fault of the file, and changes nothing', async () => {
    expect(await beginRotation(parts(), leastDelayMs)).toMatchObject({
      message: expect.stringContaining('serve'),
    })
    await keyring()
    const before = readFileSync(file(), 'utf8')
    chmodSync(folder, 0o500)
    const begun = await beginRotation(parts(), leastDelayMs)
    chmodSync(folder, 0o700)
    // The superuser writes everywhere.
    if (process.getuid?.() !== 0) {
      expect(begun).toMatchObject({ ok: false, message: expect.stringContaining('EACCES') })
      expect(readFileSync(file(), 'utf8')).toBe(before)
    }
    writeFileSync(file(), 'torn')
    expect(await rotationState(parts())).toMatchObject({
      ok: false,
      message: expect.stringContaining('damaged'),
    })
  })
})

describe('a cloud that serves', () => {
  it('keeps its keys when the file is missing, damaged or of another cloud', async () => {
    const serving = await cloud()
    const good = readFileSync(file(), 'utf8')
    const other = `1 ${Buffer.alloc(32, 7).toString('base64url')}\n`
    for (const text of [undefined, 'torn', other, `${good}1 ${'A'.repeat(43)}`]) {
      if (text === undefined) rmSync(file())
      else writeFileSync(file(), text)
      await world.advance(30_000)
      await settled()
      expect(serving.versions()).toEqual([1])
    }
    writeFileSync(file(), good.replace(/^1/, '2'))
    await world.advance(30_000)
    await settled()
    expect(serving.versions()).toEqual([2])
    serving.stop()
  })

  it('seals with no forgotten key after a stall during a whole rotation', async () => {
    const ring = await keyring()
    const still = { ...world, after: () => ({ cancel() {} }) }
    const stop = watchSealingKeys(still, ring, { folder })
    await beginRotation(parts(), leastDelayMs)
    await world.advance(leastDelayMs + forgetAfterMs)
    expect((await forgetOldKeys(parts())).ok).toBe(true)
    expect(ring.seal.seal('a', 'c')).toMatch(/^2\./)
    stop()
  })
})

/** The possible events of a rotation, in any order. */
const step = fc.constantFrom(
  ...([
    'rotate',
    'reseal',
    'half a reseal',
    'forget',
    'write',
    'write',
    'restart',
    'wait',
    'wait long',
  ] as const),
)

it('leaves no sealed text unreadable to any cloud, with any events in any order', async ({ skip }) => {
  skip(onPostgres, 'it is run on SQLite alone, as it has many steps')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), fc.integer(), async (steps, seed) => {
      await clear()
      await furnish()
      const clouds = [await cloud(), await cloud()]
      let turn = seed
      const any = () => clouds[Math.abs(turn++) % 2] as (typeof clouds)[number]
      for (const what of steps) {
        if (what === 'rotate') await beginRotation(parts(), leastDelayMs)
        if (what === 'forget') await forgetOldKeys(parts())
        if (what === 'write') for (let count = 0; count < 30; count++) await addMember(any().seal)
        if (what === 'reseal') await reseal()
        if (what === 'half a reseal') {
          const ring = await keyring()
          // Killed after its first turn: the pause never ends.
          void resealAll({ ...parts(), seal: ring.seal }, Math.max(...ring.sealingKeys().keys()))
          await settled()
        }
        if (what === 'restart') {
          clouds[0]?.stop()
          clouds.splice(0, 1, await cloud())
          clouds.reverse()
        }
        if (what === 'wait') await world.advance(30_000)
        if (what === 'wait long')
          for (let count = 0; count < 30; count++) {
            await world.advance(30_000)
            await settled()
          }
        await settled()
        const started = await readKeyring(world, { folder })
        if (!started.ok) throw new Error(started.message)
        for (const { seal } of [...clouds, started.keyring]) expect(await unreadable(seal)).toEqual([])
      }
      for (const one of clouds) one.stop()
    }),
    { numRuns: 15 },
  )
})
