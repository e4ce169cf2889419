import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { canonicalJson } from '../core/canonicalJson.ts'
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
async function made(day: string, withKeys = true, data = 'data'): Promise<string> {
  const read = readConfig({ CALLGATE_DATA: at(data) })
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
  // Whoever mends what was left alone needs its keys.
  expect(there('k').slice(0, 4)).toEqual([torn, bare, noted, moved].map(name => `${name}-keys`))
  expect(there('k')).not.toContain(`${removed}-keys`)
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
  // Now each that stays has its own, so the keys go whose data went before.
  await keep('1')
  expect(there('k')).toEqual([`${there('b')[0]}-keys`])
})

it('leaves keys alone whose data lies elsewhere, where no such keys stay', async () => {
  const away = await made('01-01')
  renameSync(at('b', away), at('elsewhere'))
  appendFileSync(at('data', 'sealing-keys'), '\n')
  const { out } = await keep('1')
  expect(out).toContain(
    `${at('k', `${away}-keys`)} was left alone: it has no data here, and other keys than those that stay.`,
  )
  expect(there('k')).toEqual([`${away}-keys`, `${there('b')[0]}-keys`])
})

it('removes backups of an earlier signing key, and leaves those of another installation alone', async () => {
  const other = await openDatabase({ url: at('other', 'callgate.sqlite') })
  await migrate(other)
  await loadKeyring(world, { folder: at('other') })
  const [foreign, own] = [await made('01-01', true, 'other'), await made('01-02')]
  await other.close()
  const before = await loadKeyring(world, { folder: at('data') })
  if (!before.ok) throw new Error(before.message)
  const [{ keyId } = { keyId: '' }] = before.keyring.signing().keys
  await serving.knex('signingKeys').insert({ createdAt: '2026-01-01T00:00:00.000Z', keyId, publicKey: null })
  rmSync(at('data', 'signing-key'))
  await loadKeyring(world, { folder: at('data') })
  const { code, out } = await keep('1')
  expect([code, out]).toEqual([0, expect.stringContaining('Here is 1 backup now; 2 older folders removed.')])
  const why = 'was left alone: it has a signing key that this installation never had.'
  expect(out).toContain(`${at('b', foreign)} ${why}`)
  expect(out).toContain(`${at('k', `${foreign}-keys`)} ${why}`)
  expect([there('b'), there('k')].map(names => names[0])).toEqual([foreign, `${foreign}-keys`])
  expect(there('b')).not.toContain(own)
})

it('names the rest of a backup that it cannot remove, at each run, and keeps its keys', async () => {
  const old = await made('01-01')
  // A folder in the place of the file, which unlink refuses.
  rmSync(at('b', old, 'callgate.sqlite'))
  mkdirSync(at('b', old, 'callgate.sqlite'))
  const file = at('b', old, 'manifest.json')
  const { sha256: _, ...manifest } = JSON.parse(readFileSync(file, 'utf8'))
  manifest.files[0].bytes = statSync(at('b', old, 'callgate.sqlite')).size
  const sha256 = createHash('sha256').update(canonicalJson(manifest)).digest('hex')
  writeFileSync(file, `${JSON.stringify({ ...manifest, sha256 }, null, 2)}\n`)
  const rest = at('b', `.${old}.removing`)
  const first = await keep('1')
  expect([first.code, first.out]).toEqual([
    1,
    expect.stringContaining(`${rest} was left alone: it cannot be`),
  ])
  const second = await keep('1')
  expect(second.code).toBe(0)
  expect(second.out).toContain(`${rest} was left alone: it is the rest of a backup whose removal failed`)
  expect(there('k')).toEqual([`${old}-keys`, `${there('b')[1]}-keys`])
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
