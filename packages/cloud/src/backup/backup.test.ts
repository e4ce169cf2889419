import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { realWorld } from '@callgate/world/real'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { createSpace } from '../space/spaces.ts'
import { backUp as backUpAt } from './backup.ts'
import { checkFolder } from './manifest.ts'
import { operatorFiles } from './operatorFiles.ts'

const world = realWorld({ logLevel: 'silent' })
const zone = { plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
let top = ''
let serving: Database
const at = (...names: string[]) => join(top, ...names)

beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'callgate-backup-'))
  // Like a serving cloud: its connection stays open, and its writes stay in the WAL.
  serving = await openDatabase({ url: at('data', 'callgate.sqlite') })
  await migrate(serving)
  await loadKeyring(world, { folder: at('data') })
  await createSpace({ database: serving, world }, { name: 'Lake view', ...zone })
})
afterEach(async () => {
  await serving.close()
  rmSync(top, { recursive: true })
})

const callgate = (...args: string[]) => callgateWith({ CALLGATE_DATA: at('data') }, ...args)
const callgateIn = (folder: string, command: string, file?: string) =>
  callgateWith({ CALLGATE_DATA: resolve(top, folder), ...(file && { DATABASE_URL: file }) }, command)

async function callgateWith(environment: Readonly<Record<string, string>>, ...args: string[]) {
  return runCommand(environment, args)
}

const backUp = () => callgate('backup', at('b'), '--keys', at('k'), '--json')

function spacesIn(file: string): unknown[] {
  const copy = new BetterSqlite3(file, { readonly: true })
  try {
    return copy.prepare('select "name" from "spaces"').all()
  } finally {
    copy.close()
  }
}

it('contains everything that was committed, in one checked file, while the data is served', async () => {
  // A copy of the file alone, which is no backup.
  writeFileSync(at('copied.sqlite'), readFileSync(at('data', 'callgate.sqlite')))
  expect(() => spacesIn(at('copied.sqlite'))).toThrow('no such table')
  const { folder, keysFolder } = JSON.parse((await backUp()).out)
  expect(spacesIn(join(folder, 'callgate.sqlite'))).toEqual([{ name: 'Lake view' }])
  expect(readdirSync(folder).sort()).toEqual(['callgate.sqlite', 'manifest.json'])
  expect(readdirSync(keysFolder).sort()).toEqual(['manifest.json', 'sealing-keys', 'signing-key'])
  const paths = [folder, keysFolder].flatMap(name => [
    name,
    ...readdirSync(name).map(file => join(name, file)),
  ])
  const modes = paths.map(path => (statSync(path).mode & 0o777).toString(8))
  expect(new Set(modes)).toEqual(new Set(['700', '600']))
  const data = await checkFolder(folder, 'data')
  expect(data).toMatchObject({ ok: true, manifest: { rows: { spaces: 1, plans: 4 } } })
  expect((await checkFolder(keysFolder, 'keys')).ok).toBe(true)
})

it('waits for no writer, leaves open transactions out, and contains everything that was committed before', async () => {
  await serving.write(async tx => {
    await tx('spaces').update({ name: 'not yet' })
    const { folder } = JSON.parse((await backUp()).out)
    expect(spacesIn(join(folder, 'callgate.sqlite'))).toEqual([{ name: 'Lake view' }])
  })
  expect(await serving.knex('spaces').pluck('name')).toEqual(['not yet'])
})

it('says in one sentence why it failed, and leaves nothing behind', async () => {
  writeFileSync(at('file'), '')
  const refusals: [string, string[]][] = [
    ['--without-keys', [at('b')]],
    ['beside the data', [at('b'), '--keys', at('b', 'keys')]],
    ['beside the data', [at('b', 'x'), '--keys', at('b')]],
    ['with which it would be lost', [at('data', 'b'), '--without-keys']],
    ['with which they would be lost', [at('b'), '--keys', at('data')]],
    ['cannot be written', [at('file', 'b'), '--without-keys']],
    ['cannot be written', [at('b'), '--keys', at('file')]],
  ]
  for (const [message, args] of refusals) {
    const { code, err, out } = await callgate('backup', ...args)
    expect([code, out], message).toEqual([1, ''])
    expect(err).toContain(message)
  }
  expect(readdirSync(top).sort()).toEqual(['data', 'file'])
  mkdirSync(at('empty'))
  rmSync(at('data', 'sealing-keys'))
  expect((await callgate('backup', at('empty'), '--without-keys')).err).toContain('cannot be read')
  expect(readdirSync(at('empty'))).toEqual([])
})

it('leaves no keys in the second place when the last rename of the data fails', async () => {
  const read = readConfig({ CALLGATE_DATA: at('data') })
  if (!read.ok) throw new Error(read.message)
  mkdirSync(at('b', 'callgate-2026-01-01T00-00-00-000Z', 'taken'), { recursive: true })
  const stopped = { ...world, nowMs: () => Date.parse('2026-01-01T00:00:00Z') }
  const places = { folder: at('b'), keysFolder: at('k') }
  const made = await backUpAt(
    { config: read.config, world: stopped, files: operatorFiles(undefined) },
    places,
  )
  expect(made).toMatchObject({ ok: false, message: expect.stringContaining('nothing is left of it') })
  expect([readdirSync(at('b')), readdirSync(at('k'))]).toEqual([['callgate-2026-01-01T00-00-00-000Z'], []])
  expect(readdirSync(at('b', 'callgate-2026-01-01T00-00-00-000Z'))).toEqual(['taken'])
})

it('uses the singular and the plural in its output', async () => {
  const { out } = await callgate('backup', at('b'), '--without-keys')
  expect(out).toContain('bytes; 1 Space, 0 gates, 0 members, 0 openings.')
})

it('makes no backup of damaged data', async () => {
  await serving.knex.raw('pragma foreign_keys = off')
  await serving.knex('apiKeys').insert({
    id: 'key_1',
    spaceId: 'space_gone',
    name: 'x',
    keyHash: 'h',
    shownPrefix: 's',
    scopes: '[]',
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  const { code, err } = await backUp()
  expect([code, err]).toEqual([1, expect.stringContaining('is damaged')])
  expect([readdirSync(at('b')), readdirSync(at('k'))]).toEqual([[], []])
})

const flip = (bytes: Buffer, place: number) => {
  bytes[place] = (bytes[place] ?? 0) ^ 1
  return bytes
}
const harms: Readonly<Record<string, (file: string) => void>> = {
  'its first byte is another': file => writeFileSync(file, flip(readFileSync(file), 0)),
  'a byte in the middle is another': file => {
    const bytes = readFileSync(file)
    writeFileSync(file, flip(bytes, Math.floor(bytes.length / 2)))
  },
  'its end is missing': file => writeFileSync(file, readFileSync(file).subarray(0, -1)),
  'it is empty': file => writeFileSync(file, ''),
  'it is gone': file => rmSync(file),
}

it.each(Object.entries(harms))('finds that a file has changed: %s', async (_, harm) => {
  for (const name of ['callgate.sqlite', 'manifest.json', 'signing-key', 'sealing-keys']) {
    const { folder, keysFolder } = JSON.parse((await backUp()).out)
    const isKey = name.includes('key')
    harm(join(isKey ? keysFolder : folder, name))
    const read = await checkFolder(isKey ? keysFolder : folder, isKey ? 'keys' : 'data')
    expect(read, name).toEqual({ ok: false, message: expect.stringMatching(/damaged|missing|There is no/) })
  }
})

it('verifies the data by a command, with a table of the rows and the exit code 1', async () => {
  expect((await callgate('verify')).code).toBe(0)
  await serving.knex('spaces').update({ createdAt: 'yesterday' })
  const [id] = await serving.knex('spaces').pluck('id')
  const { code, out } = await callgate('verify')
  expect([code, out]).toEqual([1, expect.stringContaining(id)])
  expect(JSON.parse((await callgate('verify', '--json')).out).findings).toEqual([
    { rule: 'spaces.createdAt', id, what: 'is no time: yesterday' },
  ])
})

it('prints nothing with --quiet when nothing is wrong', async () => {
  expect(await callgate('verify', '--quiet')).toEqual({ out: '', err: '', code: 0 })
  await serving.knex('spaces').update({ createdAt: 'yesterday' })
  expect(await callgate('verify', '--quiet')).toMatchObject({
    out: expect.stringContaining('no time'),
    code: 1,
  })
})

it.each(['verify', 'confirm-restore'])('creates nothing where there is no data: %s', async command => {
  const said = await callgateIn('elsewhere', command)
  expect(said).toEqual({
    out: '',
    err: expect.stringMatching(/^There is no database .*CALLGATE_DATA/),
    code: 1,
  })
  expect(readdirSync(top)).toEqual(['data'])
})

it('does not verify data without its keys, and creates no keys', async () => {
  rmSync(at('data', 'sealing-keys'))
  const { code, err } = await callgate('verify')
  expect([code, err]).toEqual([1, expect.stringContaining('sealing-keys')])
  expect(readdirSync(at('data'))).not.toContain('sealing-keys')
})

it.each(['verify', 'confirm-restore'])('does not change tables of another version: %s', async command => {
  const { knex } = serving
  await knex('migrations').insert({ name: '9999-later', batch: 9, migration_time: 0 })
  await knex('schemas').update({ readableFrom: '9999-later' })
  expect(await callgate(command)).toMatchObject({
    out: '',
    err: expect.stringContaining('newer version'),
    code: 1,
  })
  await knex('migrations').where('id', '>', 3).delete()
  expect(await callgate(command)).toMatchObject({ err: expect.stringContaining('callgate migrate'), code: 1 })
  expect(await knex('migrations').pluck('id')).toEqual([1, 2, 3])
})

it('verifies a backup in its place, and changes none of its bytes', async () => {
  const { folder, keysFolder } = JSON.parse((await backUp()).out)
  const said = await callgateIn(keysFolder, 'verify', join(folder, 'callgate.sqlite'))
  expect(said).toMatchObject({ code: 0, err: '' })
  expect((await checkFolder(folder, 'data')).ok).toBe(true)
})

it('says what to do where the file is no database, or its pages are damaged', async () => {
  mkdirSync(at('bad'))
  writeFileSync(at('bad', 'callgate.sqlite'), 'This is no database. '.repeat(60))
  expect((await callgateIn('bad', 'verify')).err).toContain('is not a SQLite database')
  const { folder, keysFolder } = JSON.parse((await backUp()).out)
  const file = join(folder, 'callgate.sqlite')
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(0x55, 4096))
  expect((await callgateIn(keysFolder, 'verify', file)).err).toContain('is damaged or its disk fails')
})
