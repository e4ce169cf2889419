import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import { type Database, lockData, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { openingRow } from '../opening/openingRow.kit.ts'
import { insertOpening } from '../opening/openingRows.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { createSpace } from '../space/spaces.ts'

const world = realWorld({ logLevel: 'silent' })
const zone = { plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
const calledAt = '2026-03-01T08:00:00.000Z'
let top = ''
let serving: Database
let folder = ''
let keys = ''
const at = (...names: string[]) => join(top, ...names)
const file = () => at('data', 'callgate.sqlite')

const callgate = (data: string, ...args: string[]) => runCommand({ CALLGATE_DATA: at(data) }, args)
const tried = (...more: string[]) => callgate('data', 'restore', folder, '--drill', ...more)

async function backedUp() {
  const made = JSON.parse((await callgate('data', 'backup', at('b'), '--keys', at('k'), '--json')).out)
  folder = made.folder
  keys = made.keysFolder
}

beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'callgate-drill-'))
  // Like a serving cloud: its connection stays open.
  serving = await openDatabase({ url: file() })
  await migrate(serving)
  await loadKeyring(world, { folder: at('data') })
  const { spaceId } = await createSpace({ database: serving, world }, { name: 'Lake view', ...zone })
  await serving.knex('gates').insert({
    ...{ id: openingRow.gateId, spaceId, name: 'Gate', phoneNumber: '+40722000001', location: '' },
    ...{ isActive: true, createdAt: calledAt, callProfile: '{}' },
  })
  await insertOpening(serving.knex, { ...openingRow, spaceId, calledAt, apiKeyId: null })
  await backedUp()
})
afterEach(async () => {
  await serving.close()
  rmSync(top, { recursive: true })
})

/** The data and its folder, byte by byte. */
const state = () => [
  readdirSync(at('data')).sort(),
  readFileSync(file()).toString('base64'),
  readFileSync(at('data', 'signing-key'), 'utf8'),
]

it('restores beside the data that is served, verifies, and leaves nothing of it', async () => {
  const lock = lockData(file())
  const before = state()
  const { code, err, out } = await tried('--keys', keys)
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(
    /^The backup of \S+ can be restored: 1 Space, 1 gate, 0 members, 0 gateways, 1 opening; the newest opening is of 2026-03-01T08:00:00.000Z\.\nA restore takes \d+\.\d s here\./,
  )
  expect(state()).toEqual(before)
  expect(await serving.knex('restores').select()).toEqual([])
  expect(await serving.knex('openings').pluck('status')).toEqual(['initiated'])
  lock?.release()
  const { findings, ok, restoreMs, rows } = JSON.parse((await tried('--json')).out)
  expect({ findings, ok, spaces: rows.spaces }).toEqual({ findings: [], ok: true, spaces: 1 })
  expect(restoreMs).toBeGreaterThan(0)
})

it('can be tried where there is no data, and makes no folder for it', async () => {
  const before = readdirSync(top)
  const { code } = await callgate('new', 'restore', folder, '--drill', '--keys', keys)
  expect([code, readdirSync(top)]).toEqual([0, before])
})

it('ends with 1 where the restored data has a fault', async () => {
  await serving.knex('gates').update({ createdAt: 'yesterday' })
  await backedUp()
  const { code, out } = await tried()
  expect(code).toBe(1)
  expect(out).toContain('"callgate verify" finds faults in it')
  expect(out).toContain('is no time: yesterday')
  expect(readdirSync(at('data'))).not.toContain('callgate.sqlite.drill')
})

it('ends with 1 where the backup is damaged, its keys are others, or it is of a newer version', async () => {
  const refused = async (message: RegExp, ...more: string[]) =>
    expect(await tried(...more)).toEqual({ code: 1, out: '', err: expect.stringMatching(message) })
  mkdirSync(at('other'))
  await loadKeyring(world, { folder: at('other') })
  await refused(/There is no manifest.json/, '--keys', at('other'))
  await refused(/--drill or --replace/, '--replace')
  rmSync(at('data', 'signing-key'))
  await refused(/Give --keys/)
  await loadKeyring(world, { folder: at('data') })
  await refused(/do not belong to this backup/)
  const bytes = readFileSync(join(folder, 'callgate.sqlite'))
  bytes[5000] = (bytes[5000] ?? 0) ^ 1
  writeFileSync(join(folder, 'callgate.sqlite'), bytes)
  await refused(/is damaged: its checksum/, '--keys', keys)
  await serving.knex('migrations').insert({ name: '9999-later', batch: 9, migration_time: 0 })
  await serving.knex('schemas').update({ readableFrom: '9999-later' })
  await backedUp()
  await refused(/newer version of Callgate .* What was restored is removed again/, '--keys', keys)
  expect(readdirSync(at('data'))).not.toContain('callgate.sqlite.drill')
})

it('takes the place of a drill that was killed, and of none that runs', async () => {
  const left = at('data', 'callgate.sqlite.drill')
  mkdirSync(left)
  writeFileSync(join(left, 'callgate.sqlite.restoring'), 'half a copy')
  const running = lockData(join(left, 'callgate.sqlite'))
  expect((await tried()).err).toContain('Another drill runs')
  expect(readdirSync(left)).toContain('callgate.sqlite.restoring')
  running?.release()
  expect((await tried()).code).toBe(0)
})

it('removes nothing from a folder that no drill has made', async () => {
  const left = at('data', 'callgate.sqlite.drill')
  mkdirSync(at('mine'))
  writeFileSync(at('mine', 'callgate.sqlite.restoring'), 'mine')
  symlinkSync(at('mine'), left)
  expect(await tried()).toEqual({ code: 1, out: '', err: expect.stringMatching(/drill: it is no folder\./) })
  expect(readdirSync(at('mine'))).toEqual(['callgate.sqlite.restoring'])
  unlinkSync(left)
  for (const name of ['letters.txt', 'callgate.sqlite.restoring-wal']) {
    mkdirSync(join(left, name), { recursive: true })
    writeFileSync(join(left, 'callgate.sqlite.restoring'), 'half a copy')
    const { code, err } = await tried()
    expect([code, err]).toEqual([1, expect.stringContaining(`it holds ${name}. Move it away`)])
    expect(readdirSync(left).sort()).toEqual(['callgate.sqlite.restoring', name].sort())
    rmSync(left, { recursive: true })
  }
  expect((await tried()).code).toBe(0)
  expect(readdirSync(at('data'))).not.toContain('callgate.sqlite.drill')
})
