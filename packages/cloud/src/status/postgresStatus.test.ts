// The status and a mute by their commands on a real Postgres, whose clock counts.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { idPrefix } from '@callgate/contract/idPrefix'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { incidentHandlers } from '../alert/incidentHandlers.ts'
import { runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { migratedPostgres, settableClock } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
import { checkMute } from '../doctor/muteCheck.ts'
import { noteServing } from './servingClouds.ts'

const folder = mkdtempSync(join(tmpdir(), 'callgate-status-'))
let url = ''
beforeAll(async () => {
  url = await migratedPostgres()
})
afterAll(() => rmSync(folder, { recursive: true }))

const callgate = (...args: string[]) => runCommand({ CALLGATE_DATA: folder, DATABASE_URL: url }, args)
const status = async () => (await callgate('status')).out

it('shows each cloud, and a mute until its end by the clock of the database', async () => {
  const world = realWorld({ logLevel: 'silent' })
  const setAhead = await settableClock(url)
  const database = await openPostgres({ url, world, serverTime: world })
  const ends = ['a', 'b'].map(() => noteServing({ database, world, isListening: () => true, isAlone: false }))
  await expect.poll(status, { timeout: 20_000 }).toMatch(/ serves .*\n.* serves /)
  const before = await status()
  expect(before).toMatch(/database +Postgres \d+\.\d+, \d+\.\d MiB, \d+ migrations, the newest \d{4}-/)
  expect(before).toContain('Embedded; connected.')
  expect(before).toContain('Made by the programs of Postgres, and not seen from here.')
  await callgate('alerts', 'mute', '--minutes', '20', '--why', 'a new standby')
  expect(await status()).toContain('a new standby. Nobody is told by mail.')
  const doctor = async () => {
    const read = readConfig({ CALLGATE_DATA: folder, DATABASE_URL: url })
    return read.ok ? (await checkMute(world, read.config)).state : read.message
  }
  const alerts = incidentHandlers({ database, world })
  const principal = { spaceId: newId(world, idPrefix.space) }
  const page = async () => (await alerts.listIncidents({ principal } as never)) as { body: { mute: unknown } }
  expect([await doctor(), (await page()).body.mute]).toEqual(['warning', expect.anything()])
  await setAhead(21 * 60_000)
  expect(await status()).not.toContain('a new standby')
  expect([await doctor(), (await page()).body.mute]).toEqual(['ok', null])
  for (const end of ends) await end()
  expect(await status()).toContain('None serves now')
  await database.close()
})
