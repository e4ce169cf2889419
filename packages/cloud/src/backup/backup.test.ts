import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, migrate, openDatabase } from '../database.ts'
import { loadKeyring } from '../keyring.ts'
import { operatorProgram } from '../operator.ts'
import { createSpace } from '../spaces.ts'
import { checkFolder } from './manifest.ts'

const world = realWorld({ logLevel: 'silent' })
const zone = { plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
let top = ''
let serving: Database
const at = (...names: string[]) => join(top, ...names)

beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'callgate-backup-'))
  // As a cloud that serves: its connection stays open, and what it writes stays in the WAL.
  serving = await openDatabase({ url: at('data', 'callgate.sqlite') })
  await migrate(serving)
  await loadKeyring(world, at('data'))
  await createSpace({ database: serving, world }, { name: 'Lake view', ...zone })
})
afterEach(async () => {
  await serving.close()
  rmSync(top, { recursive: true })
})

async function callgate(...args: string[]) {
  const said = { out: '', err: '', code: 0 }
  const program = operatorProgram({
    environment: { CALLGATE_DATA: at('data'), LOG_LEVEL: 'silent' },
    print(text) {
      said.out += text
    },
    complain(text) {
      said.err += text
    },
    exitWith(code) {
      said.code = code
    },
  })
  await program.parseAsync(args, { from: 'user' })
  return said
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

it('holds all that was committed, in one checked file, while the data is served', async () => {
  // What the documentation once said: a copy of the file alone.
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

it('waits for nobody who writes, leaves their open work out, and reads what came before it', async () => {
  await serving.write(async tx => {
    await tx('spaces').update({ name: 'not yet' })
    const { folder } = JSON.parse((await backUp()).out)
    expect(spacesIn(join(folder, 'callgate.sqlite'))).toEqual([{ name: 'Lake view' }])
  })
  expect(await serving.knex('spaces').pluck('name')).toEqual(['not yet'])
})

it('says in one sentence why there is none, and leaves nothing behind', async () => {
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

it('makes no backup of damaged data', async () => {
  await serving.knex.raw('pragma foreign_keys = off')
  await serving.knex('apiKeys').insert({
    ...{ id: 'key_1', spaceId: 'space_gone', name: 'x', keyHash: 'h', shownPrefix: 's', scopes: '[]' },
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

it.each(Object.entries(harms))('knows that a file is not what it was: %s', async (_, harm) => {
  for (const name of ['callgate.sqlite', 'manifest.json', 'signing-key', 'sealing-keys']) {
    const { folder, keysFolder } = JSON.parse((await backUp()).out)
    const isKey = name.includes('key')
    harm(join(isKey ? keysFolder : folder, name))
    const read = await checkFolder(isKey ? keysFolder : folder, isKey ? 'keys' : 'data')
    expect(read, name).toEqual({ ok: false, message: expect.stringMatching(/damaged|missing|There is no/) })
  }
})

it('verifies the data by a command, as a table with the rows and the exit code 1', async () => {
  expect((await callgate('verify')).code).toBe(0)
  await serving.knex('spaces').update({ createdAt: 'yesterday' })
  const [id] = await serving.knex('spaces').pluck('id')
  const { code, out } = await callgate('verify')
  expect([code, out]).toEqual([1, expect.stringContaining(id)])
  expect(JSON.parse((await callgate('verify', '--json')).out).findings).toEqual([
    { rule: 'spaces.createdAt', id, what: 'is no time: yesterday' },
  ])
})
