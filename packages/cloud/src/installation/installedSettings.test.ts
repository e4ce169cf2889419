// The environment of a command of an installed cloud.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { installedSettings } from './installedSettings.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-settings-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const given = (args: readonly string[]) =>
  installedSettings({ PATH: '/bin', PORT: '1', CALLGATE_SETTINGS: join(folder, 'cloud.env') }, args)

it('adds the variables of the file to the environment', () => {
  writeFileSync(join(folder, 'cloud.env'), 'APP_URL=https://gates.example.com\nPORT=8081\n')
  expect(given(['space', 'list'])).toMatchObject({
    ok: true,
    environment: { PATH: '/bin', PORT: '8081', APP_URL: 'https://gates.example.com' },
  })
  expect(installedSettings({ PORT: '1' }, ['space', 'list'])).toEqual({
    ok: true,
    environment: { PORT: '1' },
  })
})

it('says that there are no settings yet, except to what needs none', () => {
  expect(given(['space', 'list'])).toEqual({
    ok: false,
    message: `There is no ${join(folder, 'cloud.env')} yet: "callgate setup" makes it.`,
    exitCode: 78,
  })
  for (const args of [['setup'], ['broker', 'setup'], ['--version'], [], ['space', '--help']])
    expect([args, given(args).ok]).toEqual([args, true])
})

it('refuses a file that it cannot read, and says who can', () => {
  expect(installedSettings({ CALLGATE_SETTINGS: folder }, ['space', 'list'])).toEqual({
    ok: false,
    message: `${folder} cannot be read (EISDIR): run this command as root.`,
    exitCode: 77,
  })
  expect(installedSettings({ CALLGATE_SETTINGS: folder }, ['setup']).ok).toBe(false)
  expect(installedSettings({ CALLGATE_SETTINGS: folder }, ['setup', '--help']).ok).toBe(true)
  writeFileSync(join(folder, 'cloud.env'), '# Ours\nAPP_URL\n')
  expect(given(['setup'])).toEqual({
    ok: false,
    message: `${join(folder, 'cloud.env')}, line 2: a line is NAME=VALUE.`,
    exitCode: 78,
  })
})
