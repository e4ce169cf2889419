import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findMute } from '../alert/mutes.ts'
import { runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { markerOf } from '../database/unfinishedRestore.ts'
import { addGateway, revokeGateway } from '../gateway/gateways.ts'
import { newLink } from '../member/memberLinks.ts'
import { openingRow } from '../opening/openingRow.kit.ts'
import { insertOpening } from '../opening/openingRows.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { withNewestAlone, withNewKey } from '../secrets/signingKeys.ts'
import { createApiKey, revokeApiKey } from '../space/apiKeys.ts'
import { createSpace } from '../space/spaces.ts'
import { newUser } from '../user/user.kit.ts'
import { operatorFiles } from './operatorFiles.ts'
import { restore } from './restore.ts'

const world = realWorld({ logLevel: 'silent' })
const createdAt = '2026-01-01T00:00:00.000Z'
const actor = 'operator'
let top = ''
let folder = ''
let keys = ''
const at = (...names: string[]) => join(top, ...names)

async function callgate(data: string, ...args: string[]) {
  return runCommand({ CALLGATE_DATA: at(data) }, args)
}

async function withData<T>(data: string, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url: at(data, 'callgate.sqlite') })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** A Space with a key, a gateway, two gates, a guest with a cap, a running opening with one that joined it, and a mail. */
async function furnish(database: Database) {
  await migrate(database)
  const loaded = await loadKeyring(world, { folder: at('data') })
  if (!loaded.ok) throw new Error(loaded.message)
  const parts = { database, world }
  const zone = { country: 'RO', timezone: 'Europe/Bucharest' }
  const { spaceId } = await createSpace(parts, { name: 'Lake view', plan: 'pro', ...zone })
  const key = await createApiKey(parts, { spaceId, name: 'Desk', scopes: [], expiresAt: null, actor })
  const added = await addGateway(parts, { spaceId, name: 'Pi', publicKey: 'k'.repeat(43), actor })
  const { knex } = database
  await knex('gateways').update({ bootId: 'A'.repeat(22), bootCount: 1 })
  for (const id of ['gate_a', 'gate_b'])
    await knex('gates').insert({
      id,
      spaceId,
      name: id,
      phoneNumber: `+4072200000${id.at(-1)}`,
      location: '',
      isActive: true,
      createdAt,
      callProfile: '{}',
    })
  const member = { id: 'member_a', spaceId, name: 'Ana', createdAt }
  await knex('members').insert({ ...member, ...newLink(world, loaded.keyring.seal, member) })
  const access = { id: 'access_a', spaceId, memberId: member.id, gateId: 'gate_a' }
  await knex('accesses').insert({ ...access, schedules: '[]', maxUsage: 2, createdAt })
  const row = { ...openingRow, spaceId, apiKeyId: key?.apiKeyId ?? null, calledAt: createdAt }
  await insertOpening(knex, { ...row, lockedNumber: row.phoneNumber })
  await insertOpening(knex, { ...row, id: 'open_b', joinedOpeningId: row.id })
  const mail = { id: 'mail_a', spaceId, memberId: member.id, kind: 'invitation', createdAt }
  await knex('outbox').insert({ ...mail, nextAttemptAt: createdAt })
  return { apiKeyId: key?.apiKeyId ?? '', gatewayId: added.ok ? added.gateway.gatewayId : '', spaceId }
}

let ids = { apiKeyId: '', gatewayId: '', spaceId: '' }
beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'callgate-restore-'))
  ids = await withData('data', furnish)
  const made = JSON.parse((await callgate('data', 'backup', at('b'), '--keys', at('k'), '--json')).out)
  folder = made.folder
  keys = made.keysFolder
})
afterEach(() => rmSync(top, { recursive: true }))

it('restores the backup elsewhere, marked, locked and valid', async () => {
  const { code, out } = await callgate('new', 'restore', folder, '--keys', keys)
  expect(code).toBe(0)
  for (const words of [
    '2 openings that ran',
    '1 mail that waited then is given up',
    'exit code 4',
    'no data to compare with',
    'confirm-restore',
  ])
    expect(out).toContain(words)
  expect(readdirSync(at('new')).sort()).toEqual([
    'callgate.sqlite',
    'callgate.sqlite-serving',
    'sealing-keys',
    'signing-key',
  ])
  expect((await callgate('new', 'verify')).out).toContain('as it must be')
  await withData('new', async ({ knex }) => {
    const ended = { status: 'timeout', reason: 'outcome_unknown', isSettled: 0 }
    expect(await knex('openings').orderBy('id')).toMatchObject([
      { ...ended, lockedNumber: openingRow.phoneNumber },
      { ...ended, lockedNumber: null },
    ])
    expect(await knex('outbox')).toMatchObject([{ lastError: expect.stringContaining('nobody knows') }])
    expect(await knex('restores')).toMatchObject([{ confirmedAt: null, holdsNumbers: 1 }])
    expect(await knex('gateways')).toMatchObject([{ bootId: null }])
  })
  expect((await callgate('new', 'confirm-restore')).out).toContain('let in again')
  expect((await callgate('new', 'confirm-restore')).err).toContain('no restore')
})

it('lists what it undoes, where the replaced data can be read', async () => {
  await withData('data', async database => {
    const parts = { database, world }
    await revokeApiKey(parts, { apiKeyId: ids.apiKeyId, actor })
    await revokeGateway(parts, { gatewayId: ids.gatewayId, actor })
    await database.knex('gates').where({ id: 'gate_b' }).update({ isActive: false })
    await database.knex('accesses').update({ usageCount: 1 })
    await database.knex('members').update({ linkHash: 'other' })
    await createSpace(parts, { name: 'Late', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' })
  })
  const before = readFileSync(at('data', 'callgate.sqlite'))
  expect((await callgate('data', 'restore', folder)).err).toContain('--replace moves it aside')
  const { undone, movedAside } = JSON.parse(
    (await callgate('data', 'restore', folder, '--replace', '--json')).out,
  )
  expect(undone).toEqual([
    { what: 'key', id: ids.apiKeyId, change: expect.stringContaining('works again') },
    { what: 'gateway', id: ids.gatewayId, change: expect.stringContaining('admitted again') },
    { what: 'member', id: 'member_a', change: expect.stringContaining('the old one works again') },
    { what: 'gate', id: 'gate_b', change: 'deactivated, and active again' },
    { what: 'access', id: 'access_a', change: '1 use is forgotten; it may be used 2 times more' },
    { what: 'Spaces', id: '-', change: '1 made since, and forgotten' },
  ])
  expect(readFileSync(movedAside[0])).toEqual(before)
  const shown = await callgate('data', 'key', 'list')
  expect(shown.out).not.toContain('revoked')
  // The keys existed already, and were the same.
  expect(movedAside).toHaveLength(1)
})

it('signs everybody out, and lists the users whom it lets in again', async () => {
  const { spaceId } = ids
  await withData('data', async database => {
    const parts = { database, world }
    for (const email of ['a@example.com', 'b@example.com']) await newUser(parts, { email, spaceId })
    await database.knex('users').update({ passwordHash: 'old' })
  })
  const { out } = await callgate('data', 'backup', at('b'), '--without-keys', '--json')
  const users = await withData('data', async ({ knex }) => {
    const known: string[] = await knex('users').orderBy('email').pluck('id')
    await knex('users').where({ id: known[0] }).update({ deactivatedAt: createdAt, passwordHash: 'new' })
    await knex('userRoles').where({ userId: known[1] }).delete()
    return known
  })
  const backup = JSON.parse(out).folder
  const restored = await callgate('data', 'restore', backup, '--replace', '--json')
  expect(JSON.parse(restored.out).undone).toEqual([
    { what: 'user', id: users[0], change: 'shut out, and may sign in again' },
    { what: 'user', id: users[0], change: 'another password was set, and the former one works again' },
    { what: 'user', id: users[1], change: `is owner of ${spaceId} again` },
  ])
  await withData('data', async ({ knex }) => expect(await knex('sessions')).toEqual([]))
})

it('lists the restrictions that it undoes', async () => {
  const { apiKeyId, gatewayId, spaceId } = ids
  await withData('data', async ({ knex }) => {
    await knex('apiKeys').update({ expiresAt: createdAt, scopes: '["gates:read"]' })
    await knex('gates').where({ id: 'gate_a' }).update({ callProfile: '{"mode":"reject"}' })
    await knex('spaceLimits').insert({ spaceId, gateLimit: 1, allowedCountries: '["RO"]' })
    await knex('plans').where({ name: 'pro' }).update({ monthlyInvitationLimit: 5 })
    await knex('accesses').update({ maxUsage: 1 })
    await knex('gateways').update({ passwordHash: 'other' })
  })
  const { undone } = JSON.parse((await callgate('data', 'restore', folder, '--replace', '--json')).out)
  expect(undone).toEqual([
    { what: 'key', id: apiKeyId, change: 'has the scopes [] again' },
    { what: 'key', id: apiKeyId, change: 'never expires again' },
    { what: 'gateway', id: gatewayId, change: expect.stringContaining('former password at the broker') },
    { what: 'gate', id: 'gate_a', change: 'has its former call profile again' },
    { what: 'access', id: 'access_a', change: 'other hours or another cap' },
    { what: 'Space', id: spaceId, change: 'allowed countries: the usual ones again' },
    { what: 'Space', id: spaceId, change: 'active gates at most: as the plan says again' },
    { what: 'plan', id: 'pro', change: 'allows what it did before again' },
  ])
})

it('replaces damaged data, and says that it could not compare', async () => {
  writeFileSync(at('data', 'callgate.sqlite'), 'no database at all')
  writeFileSync(at('data', 'callgate.sqlite-wal'), 'left over')
  const { out } = await callgate('data', 'restore', folder, '--replace')
  expect(out).toContain('The data that was there cannot be compared')
  expect(out).not.toContain('There was no data')
  expect((await callgate('data', 'verify')).code).toBe(0)
  expect(readdirSync(at('data')).filter(name => name.includes('replaced'))).not.toEqual([])
})

/** A change of a backup, of the target folder or of the arguments, with the message that it gets. */
const refusals: readonly (readonly [string, () => Promise<readonly string[]> | readonly string[]])[] = [
  ['There is no manifest.json', () => [at('b')]],
  ['Give --keys', () => [folder]],
  [
    'do not belong to this backup',
    async () => {
      await loadKeyring(world, { folder: at('other') })
      await callgate('other', 'space', 'create', '--name', 'x', '--plan', 'pro')
      const made = await callgate('other', 'backup', at('b2'), '--keys', at('k2'), '--json')
      return [folder, '--keys', JSON.parse(made.out).keysFolder]
    },
  ],
  ['holds keys and no data', () => [keys, '--keys', keys]],
  ['holds data and no keys', () => [folder, '--keys', folder]],
  ...['callgate.sqlite', 'manifest.json'].map(
    name =>
      [
        'is damaged',
        () => {
          const bytes = readFileSync(join(folder, name))
          bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1
          writeFileSync(join(folder, name), bytes)
          return [folder, '--keys', keys]
        },
      ] as const,
  ),
  [
    'is missing',
    () => {
      rmSync(join(keys, 'sealing-keys'))
      return [folder, '--keys', keys]
    },
  ],
]

it.each(refusals)('changes nothing where a backup cannot be restored: %s', async (message, harm) => {
  const { code, err, out } = await callgate('new', 'restore', ...(await harm()))
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(message)
  expect(existsSync(at('new', 'callgate.sqlite'))).toBe(false)
})

/** Makes a backup of data that somebody has changed. */
async function backUpChanged(change: (database: Database) => Promise<unknown>): Promise<void> {
  await withData('data', change)
  const made = await callgate('data', 'backup', at('c'), '--keys', at('l'), '--json')
  folder = JSON.parse(made.out).folder
  keys = JSON.parse(made.out).keysFolder
}

it('restores a backup from before a rotation with the signing key from after it, which the gateways trust', async () => {
  const file = at('data', 'signing-key')
  const rotated = withNewKey(readFileSync(file, 'utf8'), world.randomBytes(32), world.nowMs())
  writeFileSync(file, withNewestAlone(rotated ?? '', world.nowMs()) ?? '')
  const newest = readFileSync(file, 'utf8')
  expect(await callgate('data', 'restore', folder, '--replace')).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8')).toBe(newest)
})

it('keeps the WAL of a missing database away from the restored one', async () => {
  const wal = at('data', 'callgate.sqlite-wal')
  await withData('data', async database => {
    await database.write(tx => tx('gates').update({ name: 'Written after the backup' }))
    cpSync(wal, at('left'))
  })
  rmSync(at('data', 'callgate.sqlite'))
  cpSync(at('left'), wal)
  expect((await callgate('data', 'restore', folder)).code).toBe(0)
  expect(existsSync(wal)).toBe(false)
  expect(readdirSync(at('data')).some(name => /replaced-.*-wal$/.test(name))).toBe(true)
  expect((await callgate('data', 'verify')).code).toBe(0)
})

it('does not restore newer data, nor links that the keys cannot unseal', async () => {
  await backUpChanged(({ knex }) => knex('members').update({ linkSealed: '1.AAAA' }))
  const sealed = await callgate('new', 'restore', folder, '--keys', keys)
  expect(sealed.err).toContain('does not open')
  await backUpChanged(async ({ knex }) => {
    await knex('migrations').insert({ name: '9999-later', batch: 9, migration_time: 0 })
    await knex('schemas').update({ readableFrom: '9999-later' })
  })
  const newer = await callgate('new', 'restore', folder, '--keys', keys)
  expect(newer.err).toContain('newer version of Callgate')
  expect(readdirSync(at('new')).filter(name => !name.endsWith('-serving'))).toEqual([])
})

it('takes the mute of alerts of the data that it replaces, and never that of the backup', async () => {
  await backUpChanged(() => callgate('data', 'alerts', 'mute', '--minutes', '20', '--why', 'an update'))
  for (const args of [['unmute'], ['mute', '--minutes', '30', '--why', 'a restore']]) {
    await callgate('data', 'alerts', ...args)
    expect((await callgate('data', 'restore', folder, '--replace')).code).toBe(0)
    const mute = await withData('data', database => findMute({ database, world }))
    expect(mute?.why).toBe(args[0] === 'mute' ? 'a restore' : undefined)
  }
  expect((await callgate('new', 'restore', folder, '--keys', keys)).code).toBe(0)
  expect(await withData('new', ({ knex }) => knex('alertMutes'))).toEqual([])
})

it('waits for a serving cloud, and for another command, to end', async () => {
  await withData('data', async database => {
    const reading = await callgate('data', 'restore', folder, '--replace')
    expect(reading.err).toContain('Another command uses')
    const lock = await database.lock()
    const serving = await callgate('data', 'restore', folder, '--replace')
    expect(serving.err).toContain('A cloud serves')
    await lock?.release()
  })
  expect(readdirSync(at('data')).filter(name => /replaced|restoring/.test(name))).toEqual([])
})

it('moves other keys aside, and restores a backup that was moved', async () => {
  cpSync(folder, at('moved'), { recursive: true })
  renameSync(keys, at('movedKeys'))
  await loadKeyring(world, { folder: at('new') })
  const other = readFileSync(at('new', 'signing-key'), 'utf8')
  const args = ['restore', at('moved'), '--keys', at('movedKeys')]
  expect((await callgate('new', ...args)).err).toContain('another key')
  const { movedAside } = JSON.parse((await callgate('new', ...args, '--replace', '--json')).out)
  expect(movedAside).toHaveLength(2)
  expect(readFileSync(movedAside[0], 'utf8')).toBe(other)
  expect(readFileSync(at('new', 'signing-key'), 'utf8')).toBe(readFileSync(at('data', 'signing-key'), 'utf8'))
})

/** Every file of a data folder with its content, except the lock; null for a folder. */
function snapshot(data: string) {
  const names = readdirSync(at(data), { withFileTypes: true }).filter(
    ({ name }) => !name.endsWith('-serving'),
  )
  return names.map(one => [one.name, one.isDirectory() ? null : readFileSync(at(data, one.name), 'base64')])
}

const aside = 'replaced-2026-01-02T00-00-00-000Z'
it.each([
  `signing-key.${aside}`,
  `sealing-keys.${aside}`,
  `callgate.sqlite.${aside}-wal`,
  `callgate.sqlite.${aside}`,
])('changes neither keys nor data where a file cannot be moved: %s is taken', async taken => {
  mkdirSync(at('new', taken), { recursive: true })
  await loadKeyring(world, { folder: at('new') })
  // Data that cannot be opened, or the WAL of missing data.
  const left = taken.endsWith('-wal') ? 'callgate.sqlite-wal' : 'callgate.sqlite'
  writeFileSync(at('new', left), 'no database at all')
  const before = snapshot('new')
  const read = readConfig({ CALLGATE_DATA: at('new') })
  if (!read.ok) throw new Error(read.message)
  const stopped = { ...world, nowMs: () => Date.parse('2026-01-02T00:00:00Z') }
  const from = { folder, keysFolder: keys, replaces: true, files: operatorFiles(undefined) }
  const failed = await restore({ config: read.config, world: stopped }, from)
  expect(failed).toMatchObject({ ok: false, message: expect.stringContaining('The data is as it was') })
  expect(snapshot('new')).toEqual(before)
  rmSync(at('new', taken), { recursive: true })
  expect(await restore({ config: read.config, world: stopped }, from)).toMatchObject({ ok: true })
  expect((await callgate('new', 'verify')).code).toBe(0)
})

it('installs no keys where data may not be replaced, nor where the copy is wrong', async () => {
  await backUpChanged(({ knex }) => knex('members').update({ linkSealed: '1.AAAA' }))
  await loadKeyring(world, { folder: at('new') })
  const before = snapshot('new')
  expect((await callgate('new', 'restore', folder, '--keys', keys, '--replace')).err).toContain('not open')
  expect(snapshot('new')).toEqual(before)
})

it('refuses every command on data with an unfinished restore, until it is restored again', async () => {
  // The state after a kill, once the old data has been moved aside.
  const file = at('data', 'callgate.sqlite')
  renameSync(file, at('data', 'callgate.sqlite.replaced-now'))
  writeFileSync(markerOf(file), '')
  const commands = [['serve'], ['verify'], ['space', 'list'], ['confirm-restore'], ['migrate']]
  for (const command of commands)
    expect(await callgate('data', ...command), command.join(' ')).toMatchObject({
      out: '',
      code: 1,
      err: expect.stringMatching(/was interrupted.*"callgate restore" again/),
    })
  expect(existsSync(file)).toBe(false)
  expect((await callgate('data', 'restore', folder, '--keys', keys)).code).toBe(0)
  expect(readdirSync(at('data')).filter(name => /restor/.test(name))).toEqual([])
  expect((await callgate('data', 'verify')).code).toBe(0)
})
