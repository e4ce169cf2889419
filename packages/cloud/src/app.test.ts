import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCloud } from './app.ts'
import type { Config } from './config.ts'
import { type Database, migrate, openDatabase } from './database.ts'

// Real sockets and fsyncs: no judge of speed.
vi.setConfig({ testTimeout: 60_000 })

const world = realWorld({ logLevel: 'silent' })
let dataFolder = ''
let database: Database

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'callgate-app-'))
  database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
  await migrate(database)
})
afterEach(async () => {
  await database.close()
  rmSync(dataFolder, { recursive: true })
})

const cloud = (given: Partial<Config> = {}, on = database) =>
  createCloud({
    world,
    database: on,
    config: {
      port: 0,
      mqttPort: 0,
      mqttUrl: undefined,
      appUrl: 'http://localhost',
      databaseUrl: '',
      dataFolder,
      smtp: undefined,
      mailFrom: { name: 'Callgate', address: 'callgate@localhost' },
      logLevel: 'silent',
      ...given,
    },
  })

it('starts on free ports, answers, stops, and starts again on the same data', async () => {
  for (const _ of ['first', 'again']) {
    const one = cloud()
    const started = await one.start()
    if (!started.ok) throw new Error(started.message)
    const answer = await fetch(`http://127.0.0.1:${started.port}/healthz`)
    expect(answer.status).toBe(200)
    await one.stop()
    await expect(fetch(`http://127.0.0.1:${started.port}/healthz`)).rejects.toThrow()
  }
})

it('is refused while another cloud serves the same data', async () => {
  const first = cloud()
  expect(await first.start()).toMatchObject({ ok: true })
  const databaseUrl = join(dataFolder, 'callgate.sqlite')
  const other = await openDatabase({ url: databaseUrl })
  const second = cloud({ databaseUrl }, other)
  expect(await second.start()).toEqual({
    ok: false,
    code: 'data_in_use',
    message: `Another cloud serves ${databaseUrl} already. Stop that one, or set CALLGATE_DATA to another folder.`,
  })
  await first.stop()
  expect(await second.start()).toMatchObject({ ok: true })
  await second.stop()
  await other.close()
})

it('names the variable of a port that is taken, and leaves nothing running', async () => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const http = await cloud({ port }).start()
  expect(http.ok ? '' : http.message).toMatch(/^Port \d+ is taken .* PORT/)
  const mqtt = await cloud({ mqttPort: port }).start()
  expect(mqtt.ok ? '' : mqtt.message).toContain('MQTT_PORT')
  await new Promise(resolve => taken.close(resolve))
})
