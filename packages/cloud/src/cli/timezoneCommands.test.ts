import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zoneRules } from '@callgate/contract/time/zoneRules'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { runCommand } from './terminal.kit.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-timezones-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const callgate = (...args: string[]) => runCommand({ CALLGATE_DATA: folder }, args)

it('shows the version of the rules, and whether they know every stored zone', async () => {
  const made = ['space', 'create', '--plan', 'pro', '--name']
  await callgate(...made, 'A')
  await callgate(...made, 'B', '--timezone', 'america/Vancouver')
  const heading = `The rules of the time zones are those of tz ${zoneRules.version}. Spaces and schedules name 2 zones.`
  expect(await callgate('timezones')).toEqual({ out: heading, err: '', code: 0 })
  const database = new BetterSqlite3(join(folder, 'callgate.sqlite'))
  // A name that a Space could have before, and a name that only other rules know.
  database.exec(`update "spaces" set "timezone" = 'BST' where "name" = 'A'`)
  expect((await callgate('timezones')).code).toBe(0)
  database.exec(`update "spaces" set "timezone" = 'Mars/Base' where "name" = 'A'`)
  database.pragma('foreign_keys = off')
  const schedules = JSON.stringify([{ type: 'always', timezone: 'Mars/Sea' }])
  const row = ['access_1', 'space_1', 'member_1', 'gate_1', schedules, '2026-01-01T00:00:00.000Z']
  const columns = '"id", "spaceId", "memberId", "gateId", "schedules", "createdAt"'
  database.prepare(`insert into "accesses" (${columns}) values (?, ?, ?, ?, ?, ?)`).run(...row)
  database.close()
  const { code, out } = await callgate('timezones')
  const found = heading.replace('2 zones', '3 zones')
  expect([code, out]).toEqual([1, `${found}\nThey do not know what is stored: Mars/Base, Mars/Sea.`])
})

it('accepts only the names of IANA for a new Space', async () => {
  for (const name of ['BST', 'SystemV/EST5', '+02:00', 'Mars/Base'])
    expect(
      await callgate('space', 'create', '--name', 'A', '--plan', 'pro', '--timezone', name),
    ).toMatchObject({
      code: 1,
      err: '--timezone must be an IANA name, such as Europe/Bucharest.',
    })
})
