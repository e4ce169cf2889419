import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zoneRules } from '@callgate/contract/time/zoneRules'
import { fakeWorld, settle } from '@callgate/world/fake'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCloud } from '../app.ts'
import { markRestored } from '../backup/markRestored.ts'
import { readConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { confirmRestore } from '../restore/restores.ts'
import { type Finding, readinessReader } from './readiness.ts'

it('runs every check once for all requests within a second, and is not ready when one check fails', async () => {
  const world = fakeWorld(1)
  let asked = 0
  let broker: Finding = { ok: true }
  const read = readinessReader({
    world,
    checks: {
      database: () => ({ ok: true, version: ++asked }),
      broker: () => broker,
    },
  })
  const first = { status: 'ready', checks: { database: { ok: true, version: 1 }, broker: { ok: true } } }
  expect(await Promise.all([read(), read()])).toEqual([first, first])
  broker = { ok: false, reason: 'It is gone.' }
  await world.advance(999)
  expect(await read()).toEqual(first)
  await world.advance(1)
  expect(await read()).toEqual({
    status: 'not_ready',
    checks: { database: { ok: true, version: 2 }, broker },
  })
})

it('names the check that fails or hangs, and puts the cause into the log alone', async () => {
  const world = fakeWorld(1)
  const read = readinessReader({
    world,
    checks: {
      hanging: () => new Promise(() => {}),
      throwing: () => {
        throw new Error('the path is /secret')
      },
    },
  })
  const answer = read()
  await settle()
  // A request meanwhile does not run the checks again.
  expect(read()).toStrictEqual(answer)
  await world.advance(3_000)
  expect(await answer).toEqual({
    status: 'not_ready',
    checks: {
      hanging: { ok: false, reason: 'It has not answered within 3 s.' },
      throwing: { ok: false, reason: 'The check failed; the log says why.' },
    },
  })
  expect(world.lines.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { name: 'throwing', why: 'Error: the path is /secret' } },
  ])
})

const world = realWorld({ logLevel: 'silent' })
let dataFolder = ''
let database: Database

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'callgate-ready-'))
  database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
  await migrate(database)
})
afterEach(async () => {
  await database.close()
  rmSync(dataFolder, { recursive: true })
})

/** Starts a cloud on the data, and waits until `/readyz` gives this answer. */
async function serve(environment: Record<string, string> = {}) {
  const read = readConfig({ CALLGATE_DATA: dataFolder, ...environment })
  if (!read.ok) throw new Error(read.message)
  const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  const answers = (status: number, checks: object) =>
    vi.waitFor(
      async () => {
        const answer = await fetch(`http://127.0.0.1:${started.port}/readyz`)
        const text = await answer.text()
        expect([answer.status, JSON.parse(text)]).toMatchObject([status, { checks }])
        // Strangers can read it, so it names no file and no address.
        expect(text).not.toMatch(/\/|127\.|secret/)
      },
      { timeout: 20_000, interval: 100 },
    )
  return { answers, stop: () => cloud.stop() }
}

const fine = { ok: true }

it('is ready once the broker is connected, and not without the file of the signing key', async () => {
  const cloud = await serve()
  const timezones = { ok: true, rules: `tz ${zoneRules.version}` }
  const keys = { signingKey: fine, sealingKeys: fine }
  await cloud.answers(200, { database: fine, disk: fine, broker: fine, ...keys, restore: fine, timezones })
  const file = join(dataFolder, 'signing-key')
  writeFileSync(file, Buffer.alloc(32).toString('base64url'))
  await cloud.answers(503, {
    signingKey: { ok: false, reason: expect.stringContaining('holds another key') },
  })
  rmSync(file)
  await cloud.answers(503, {
    database: fine,
    broker: fine,
    signingKey: { ok: false, reason: expect.stringMatching(/^The file of the signing key is gone\./) },
  })
  await cloud.stop()
})

it('is not ready without the sealing keys, with other ones, or with an invalid file', async () => {
  const cloud = await serve()
  const file = join(dataFolder, 'sealing-keys')
  const others = expect.stringMatching(/^The file of the sealing keys holds other keys\./)
  for (const [text, reason] of [
    [`1 ${Buffer.alloc(32).toString('base64url')}`, others],
    ['torn', others],
    [undefined, expect.stringMatching(/^The file of the sealing keys is gone\./)],
  ]) {
    if (text === undefined) rmSync(file)
    else writeFileSync(file, text)
    await cloud.answers(503, { signingKey: fine, sealingKeys: { ok: false, reason } })
  }
  await cloud.stop()
})

it('is not ready while the broker cannot be reached', async () => {
  const cloud = await serve({ MQTT_URL: 'mqtt://cloud:secret@127.0.0.1:1' })
  const reason = 'The broker cannot be reached; it is tried again, and the log says why.'
  await cloud.answers(503, { database: fine, broker: { ok: false, reason } })
  await cloud.stop()
})

it('is not ready after a restore before it is confirmed, and while an earlier call may still run', async () => {
  await database.write(tx => markRestored(tx, world, '2026-01-01T00:00:00.000Z'))
  const cloud = await serve()
  const reason = 'Restored from a backup: guests and keys are let in after "callgate confirm-restore".'
  await cloud.answers(503, { database: fine, restore: { ok: false, reason } })
  await confirmRestore(database, world)
  await cloud.answers(503, {
    restore: { ok: false, reason: expect.stringMatching(/may still run, for up to 1[0-9]{2} s\.$/) },
  })
  await cloud.stop()
})
