import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteBackup } from '../backup/lastBackup.ts'
import { operatorFiles } from '../backup/operatorFiles.ts'
import { runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { checkBackups } from './backupChecks.ts'

const world = realWorld({ logLevel: 'silent' })
const hourMs = 3_600_000
let top = ''
const at = (...names: string[]) => join(top, ...names)
beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'callgate-backup-checks-'))
  const database = await openDatabase({ url: at('data', 'callgate.sqlite') })
  await migrate(database)
  await database.close()
  await loadKeyring(world, { folder: at('data') })
})
afterEach(() => rmSync(top, { recursive: true }))

const backUp = () => runCommand({ CALLGATE_DATA: at('data') }, ['backup', at('b'), '--keys', at('k')])

/** What the doctor finds, so many hours from now. */
async function found(hours = 0, folder?: string) {
  const read = readConfig({ CALLGATE_DATA: at('data') })
  if (!read.ok) throw new Error(read.message)
  const later = { ...world, nowMs: () => world.nowMs() + hours * hourMs }
  return checkBackups({ config: read.config, files: operatorFiles(undefined), world: later }, folder)
}

it('warns where no backup was ever made, and says how one is made each night', async () => {
  expect(await found()).toMatchObject({ state: 'warning', advice: expect.stringContaining('--keep 30') })
})

it('finds the last backup where it was made, until it is older than one missed night', async () => {
  await backUp()
  expect(await found(49)).toMatchObject({
    state: 'ok',
    says: expect.stringMatching(new RegExp(`49 h old, in ${at('b')}/$`)),
  })
  expect(await found(51)).toMatchObject({ state: 'wrong', says: expect.stringContaining('51 h old') })
  expect(await found(49, at('b'))).toMatchObject({ state: 'ok' })
  expect(await found(51, at('b'))).toMatchObject({ state: 'wrong' })
})

it('warns where the last backup is not there any more', async () => {
  await backUp()
  renameSync(at('b'), at('moved'))
  expect(await found()).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('not where it was made'),
    advice: expect.stringContaining('--backups'),
  })
  expect((await found(0, at('moved'))).state).toBe('ok')
})

it('tells why the last attempt failed, which is wrong once the last good one is old', async () => {
  const fail = () => noteBackup({ dataFolder: at('data'), world }, { why: 'The disk is full.' })
  await fail()
  expect(await found()).toMatchObject({
    state: 'wrong',
    says: expect.stringMatching(/failed: The disk is full\. None was ever made$/),
  })
  await backUp()
  await fail()
  expect(await found()).toMatchObject({ state: 'warning', says: expect.stringContaining('0 h old') })
  expect((await found(51)).state).toBe('wrong')
  await backUp()
  expect((await found()).state).toBe('ok')
})

it('takes no backup of another installation in the same folder for its own', async () => {
  await runCommand({ CALLGATE_DATA: at('other') }, ['migrate'])
  await loadKeyring(world, { folder: at('other') })
  await runCommand({ CALLGATE_DATA: at('other') }, ['backup', at('b'), '--without-keys'])
  expect(await found(0, at('b'))).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining('no backup of this installation'),
  })
  await backUp()
  expect(await found(0, at('b'))).toMatchObject({
    state: 'ok',
    says: expect.stringMatching(/^The newest of 1, and 1 of another installation is /),
  })
})
