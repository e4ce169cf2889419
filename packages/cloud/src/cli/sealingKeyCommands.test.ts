import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fillFolder } from '../database/tables.kit.ts'
import { runCommand } from './terminal.kit.ts'

let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-keys-'))
  await fillFolder(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => runCommand({ CALLGATE_DATA: folder }, ['sealing-key', ...args])
const file = () => join(folder, 'sealing-keys')

/** Creates a Space with a member whose link is sealed, and with it the keys. */
async function furnish(): Promise<void> {
  const make = (...args: string[]) => runCommand({ CALLGATE_DATA: folder }, args)
  await make('space', 'create', '--name', 'Lake view', '--plan', 'pro')
  const { code, err } = await make('member', 'create', '--name', 'Ana', '--email', 'ana@example.com')
  expect([code, err]).toEqual([0, ''])
}

/** Dates the new key far back. */
function waitLong(): void {
  writeFileSync(file(), readFileSync(file(), 'utf8').replace(/ 2\S+Z\n$/, ' 2026-01-01T00:00:00.000Z\n'))
}

it('goes through a rotation by hand, with its mistakes', async () => {
  expect(await run('rotate')).toMatchObject({
    code: 1,
    err: expect.stringContaining('"callgate serve" makes'),
  })
  await furnish()
  for (const wrong of ['5', '1m', '0h', 'soon'])
    expect(await run('rotate', '--in', wrong)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^--in must/),
    })
  expect((await run('rotate', '--in', '2h')).out).toContain('Version 2 is in the file')
  expect(await run('rotate')).toMatchObject({ code: 1, err: expect.stringContaining('under way') })
  for (const early of ['reseal', 'forget'])
    expect(await run(early)).toMatchObject({ code: 1, err: expect.stringContaining('Version 2 seals from') })
  expect((await run('status')).out).toMatch(/1 +seals +-\n2 +will seal +2\S+Z\n(.*\n)+members.linkSealed +1$/)
  waitLong()
  expect(await run('forget')).toMatchObject({
    code: 1,
    err: expect.stringContaining('1 in members.linkSealed'),
  })
  expect(JSON.parse((await run('reseal', '--json')).out)).toEqual({
    version: 2,
    resealed: 1,
    unreadable: [],
    left: {},
    leftInAll: 0,
  })
  expect((await run('forget')).out).toContain('Version 1 is out of the file')
  expect((await run('forget')).out).toBe('There is no old key to forget.')
  expect(JSON.parse((await run('status', '--json')).out)).toMatchObject({
    versions: [{ version: 2, sealsFrom: null, isSealing: true }],
    leftInAll: 0,
  })
  expect(readFileSync(file(), 'utf8')).toMatch(/^2 [\w-]{43}\n$/)
})

it('names what no key can unseal, and ends with 1', async () => {
  await furnish()
  const before = readFileSync(file(), 'utf8')
  await run('rotate')
  waitLong()
  const rotated = readFileSync(file(), 'utf8').replace(before.slice(2, 8), 'AAAAAA')
  writeFileSync(file(), rotated)
  const { code, out } = await run('reseal')
  expect([code, out]).toEqual([
    1,
    expect.stringMatching(/No key opens 1 of these.*\nmembers.linkSealed member_/),
  ])
  expect(await run('forget')).toMatchObject({ code: 1, err: expect.stringContaining('still needed') })
})
