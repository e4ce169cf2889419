import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { createSpace } from '../space/spaces.ts'
import { backUp } from './backup.ts'
import { readLastBackup } from './lastBackup.ts'
import { operatorFiles } from './operatorFiles.ts'

const world = realWorld({ logLevel: 'silent' })
const zone = { plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
let top = ''
let serving: Database
const at = (...names: string[]) => join(top, ...names)

beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'callgate-retention-'))
  serving = await openDatabase({ url: at('data', 'callgate.sqlite') })
  await migrate(serving)
  await loadKeyring(world, { folder: at('data') })
  await createSpace({ database: serving, world }, { name: 'Lake view', ...zone })
})
afterEach(async () => {
  await serving.close()
  rmSync(top, { recursive: true })
})

/** A backup of a day in 2026, as a clock of that day makes it. Returns its name. */
async function made(day: string, withKeys = true): Promise<string> {
  const read = readConfig({ CALLGATE_DATA: at('data') })
  if (!read.ok) throw new Error(read.message)
  const then = { ...world, nowMs: () => Date.parse(`2026-${day}T03:15:00Z`) }
  const done = await backUp(
    { config: read.config, files: operatorFiles(undefined), world: then },
    { folder: at('b'), keysFolder: withKeys ? at('k') : undefined },
  )
  if (!done.ok) throw new Error(done.message)
  return basename(done.folder)
}

const keep = (count: string, ...more: string[]) =>
  runCommand({ CALLGATE_DATA: at('data') }, [
    ...['backup', at('b'), '--keep', count, ...(more.length > 0 ? more : ['--keys', at('k')])],
  ])
const there = (folder: string) => readdirSync(at(folder)).sort()

it('keeps the newest backups with their keys, and removes the older ones', async () => {
  const [, second = '', third = ''] = [await made('01-01'), await made('01-02'), await made('01-03')]
  const { code, out } = await keep('3')
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('Here are 3 backups now; 2 older folders removed.'),
  ])
  expect(there('b').slice(0, 2)).toEqual([second, third])
  expect(there('b')).toHaveLength(3)
  expect(there('k')).toEqual(there('b').map(name => `${name}-keys`))
})

it('removes all but the new one where one is kept, and none where there are fewer', async () => {
  const only = await made('01-01')
  expect((await keep('7')).out).toContain('Here are 2 backups now; none was too old.')
  expect(there('b')).toContain(only)
  expect((await keep('1')).out).toContain('Here is 1 backup now; 4 older folders removed.')
  expect([there('b').length, there('k').length]).toEqual([1, 1])
})

it('leaves alone what is no backup, what is not whole, and what holds other files', async () => {
  const names = []
  for (const day of ['01-01', '01-02', '01-03', '01-04', '01-05']) names.push(await made(day))
  const [torn = '', bare = '', noted = '', moved = '', removed = ''] = names
  writeFileSync(at('b', torn, 'callgate.sqlite'), 'torn')
  rmSync(at('b', bare, 'manifest.json'))
  writeFileSync(at('b', noted, 'why.txt'), 'the one of before the storm')
  // A link in the place of a folder, which would lead elsewhere.
  renameSync(at('b', moved), at('elsewhere'))
  symlinkSync(at('elsewhere'), at('b', moved))
  mkdirSync(at('b', 'callgate-2020'))
  writeFileSync(at('b', 'letters.txt'), 'mine')
  const copied = 'callgate-2025-01-01T03-15-00-000Z'
  cpSync(at('b', noted), at('b', copied), { recursive: true })
  const { code, out } = await keep('1')
  expect(code).toBe(0)
  expect(out).toContain(`${at('b', torn)} was left alone: it has a callgate.sqlite that is not whole.`)
  expect(out).toContain(`${at('b', bare)} was left alone: it has no manifest that can be read.`)
  expect(out).toContain(`${at('b', noted)} was left alone: it holds why.txt as well.`)
  expect(out).toContain(`${at('b', moved)} was left alone: it is no folder.`)
  expect(out).toContain(`${at('b', copied)} was left alone: it has the manifest of another backup.`)
  expect(there('b')).not.toContain(removed)
  expect(there('b').slice(0, 7)).toEqual([
    'callgate-2020',
    copied,
    ...[torn, bare, noted, moved],
    expect.stringMatching(/^callgate-20/),
  ])
  expect(readdirSync(at('elsewhere'))).toHaveLength(2)
  expect(readFileSync(at('b', noted, 'why.txt'), 'utf8')).toContain('storm')
})

it('neither counts nor removes a backup with a date after that of the new one', async () => {
  const [old, recent = '', late = ''] = [await made('01-01'), await made('01-02'), await made('01-03')]
  const future = late.replace('2026', '2999')
  const read = readConfig({ CALLGATE_DATA: at('data') })
  if (!read.ok) throw new Error(read.message)
  const wrong = { ...world, nowMs: () => Date.parse('2999-01-03T03:15:00Z') }
  await backUp(
    { config: read.config, files: operatorFiles(undefined), world: wrong },
    { folder: at('b'), keysFolder: at('k') },
  )
  const { out } = await keep('3')
  expect(out).toContain(`${at('b', future)} was left alone: it has a date after that of the new one.`)
  expect(there('b')).not.toContain(old)
  expect(there('b')).toEqual(expect.arrayContaining([recent, late, future]))
})

it('removes nothing where verify finds a fault in the new backup, and tells the doctor', async () => {
  const old = await made('01-01')
  await serving.knex('spaces').update({ createdAt: 'yesterday' })
  const { code, out } = await keep('1')
  expect(code).toBe(1)
  expect(out).toContain('No older backup was removed')
  expect(out).toContain('is no time: yesterday')
  expect(there('b')).toContain(old)
  expect(await readLastBackup(at('data'))).toMatchObject({
    made: { folder: expect.stringContaining(at('b')) },
    failed: { why: expect.stringContaining('finds faults') },
  })
})

it('removes nothing where the tables are of an older version', async () => {
  const old = await made('01-01')
  await serving.knex('migrations').where('id', '>', 3).delete()
  const { code, out } = await keep('1')
  expect([code, out]).toEqual([1, expect.stringContaining('tables are of an older version')])
  expect(there('b')).toContain(old)
})

it('keeps keys that a backup without keys of its own may need', async () => {
  const withKeys = await made('01-01')
  const without = await made('01-02', false)
  await keep('2')
  expect(there('b')).not.toContain(withKeys)
  expect(there('b')).toContain(without)
  expect(there('k')).toContain(`${withKeys}-keys`)
  await keep('1')
  expect(there('k')).toContain(`${there('b')[0]}-keys`)
})

it('leaves the keys of others in peace where it copies none', async () => {
  const old = await made('01-01')
  await keep('1', '--without-keys')
  expect(there('b')).not.toContain(old)
  expect(there('k')).toEqual([`${old}-keys`])
})

it.each(['0', '-1', '30d', 'all', '', '10000'])('refuses to keep "%s", and makes no backup', async count => {
  const { code, err, out } = await keep(count)
  expect([code, out, err]).toEqual([1, '', expect.stringContaining('--keep must be a number from 1 to 9999')])
  expect(readdirSync(top)).toEqual(['data'])
})

it('notes the last backup, and why a later one failed', async () => {
  expect(await readLastBackup(at('data'))).toBeUndefined()
  await keep('3')
  const first = await readLastBackup(at('data'))
  expect(first).toMatchObject({ made: { keysFolder: expect.stringContaining(at('k')) }, failed: null })
  writeFileSync(at('file'), '')
  await runCommand({ CALLGATE_DATA: at('data') }, ['backup', at('file', 'b'), '--without-keys'])
  expect(await readLastBackup(at('data'))).toEqual({
    made: first?.made,
    failed: { at: expect.any(String), why: expect.stringContaining('cannot be written') },
  })
  await keep('3')
  expect((await readLastBackup(at('data')))?.failed).toBeNull()
  writeFileSync(at('data', 'last-backup'), '{"made": "soon"}')
  expect(await readLastBackup(at('data'))).toBeUndefined()
})
