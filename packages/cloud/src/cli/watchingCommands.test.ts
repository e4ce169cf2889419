import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { runCommand } from './terminal.kit.ts'

let top = ''
const at = (...names: string[]) => join(top, ...names)
const callgate = (...args: string[]) => runCommand({ CALLGATE_DATA: at('data') }, args)

beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), 'callgate-watching-'))
  const database = await openDatabase({ url: at('data', 'callgate.sqlite') })
  await migrate(database)
  await database.close()
  await loadKeyring(realWorld({ logLevel: 'silent' }), { folder: at('data') })
})
afterEach(() => rmSync(top, { recursive: true }))

it('shows the status on one screen, and changes nothing', async () => {
  const before = readFileSync(at('data', 'callgate.sqlite'))
  const { code, err, out } = await callgate('status')
  expect([code, err]).toEqual([0, ''])
  const names = out.split('\n').map(line => line.slice(0, 12).trim())
  expect(names.filter(name => name !== '')).toEqual([
    ...['clouds', 'database', 'broker', 'gateways', 'openings', 'mails', 'webhooks', 'keys'],
    ...['last backup', 'alerts'],
  ])
  for (const line of ['None serves now', 'SQLite 3.', 'Embedded; no cloud serves', '0 online, 0 offline.'])
    expect(out).toContain(line)
  expect(out).toContain('In the last hour 0 opened, 0 failed, 0 unknown. None runs now.')
  expect(out.split('\n').length).toBeLessThan(24)
  expect(readFileSync(at('data', 'callgate.sqlite')).equals(before)).toBe(true)
  const json = JSON.parse((await callgate('status', '--json')).out)
  expect(json).toMatchObject({ clouds: [], alerts: { mute: null } })
})

it('shows the last backup, and why a later one failed', async () => {
  expect((await callgate('status')).out).toContain('None was ever made by "callgate backup".')
  await callgate('backup', at('b'), '--without-keys')
  expect((await callgate('status')).out).toMatch(/last backup +\S+Z \(\d+ s ago\), in \S+\/b\/callgate-/)
  await callgate('backup', at('data', 'b'), '--without-keys')
  expect((await callgate('status')).out).toMatch(/The attempt of \S+ FAILED: The backup must not lie/)
})

it('mutes alerts until a time, which status and doctor show', async () => {
  const muted = await callgate('alerts', 'mute', '--minutes', '30', '--why', ' moving to a new server ')
  expect(muted).toMatchObject({
    code: 0,
    out: expect.stringContaining('Nobody is told of alerts by mail until'),
  })
  expect((await callgate('status')).out).toMatch(
    /MUTED until \S+, for (29|30) min more: moving to a new server\. Nobody is told by mail\./,
  )
  const checks = JSON.parse((await callgate('doctor', '--json')).out).checks
  expect(checks.find(({ name }: { name: string }) => name === 'alerts')).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('moving to a new server'),
  })
  const longer = await callgate('alerts', 'mute', '--minutes', '60', '--why', 'more')
  expect(longer).toMatchObject({ code: 1, err: expect.stringMatching(/59 minutes are left/) })
  expect((await callgate('alerts', 'unmute')).code).toBe(0)
  expect(await callgate('alerts', 'unmute')).toMatchObject({ code: 1, err: 'Alerts are not muted.' })
  expect((await callgate('status')).out).not.toContain('MUTED')
})

it.each([
  [['--minutes', '61', '--why', 'x'], '--minutes must be a number from 1 to 60'],
  [['--minutes', '0', '--why', 'x'], '--minutes must be a number from 1 to 60'],
  [['--minutes', '1h', '--why', 'x'], '--minutes must be a number from 1 to 60'],
  [['--minutes', '5', '--why', ' '], '--why'],
  [['--minutes', '5'], '--why <text>'],
  [['--why', 'x'], '--minutes <count>'],
])('refuses %j', async (given, message) => {
  const { code, err } = await callgate('alerts', 'mute', ...given)
  expect([code, err]).toEqual([1, expect.stringContaining(message)])
})

it('creates nothing where there is no data', async () => {
  for (const args of [['status'], ['alerts', 'unmute']])
    expect(await runCommand({ CALLGATE_DATA: at('none') }, args)).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no database'),
    })
})
