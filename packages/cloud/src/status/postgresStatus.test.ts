// The status and a mute by their commands on a real Postgres, whose clock counts.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from '../cli/terminal.kit.ts'
import { migratedPostgres, settableClock } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
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
  await setAhead(21 * 60_000)
  expect(await status()).not.toContain('a new standby')
  for (const end of ends) await end()
  expect(await status()).toContain('None serves now')
  await database.close()
})
