import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopeNames } from '@callgate/contract/rest/scope'
import { realWorld } from '@callgate/world/real'
import { expect, it } from 'vitest'
import { createCloud } from '../app.ts'
import { readConfig } from '../config.ts'
import { createApiKey } from '../space/apiKeys.ts'
import { newSpace } from '../space/space.kit.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

/** Starts a process that holds the write lock, as a shell with `BEGIN IMMEDIATE` does, until it is stopped. */
async function holdLock(file: string): Promise<() => Promise<void>> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3')
  const source = `
    const database = require(${JSON.stringify(driver)})(${JSON.stringify(file)})
    database.exec('BEGIN IMMEDIATE')
    process.stdout.write('held')
    process.stdin.resume()`
  const child = spawn(process.execPath, ['-e', source], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return async () => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
}

it('answers 503 within its patience while another process holds the write lock, and serves everything else', async () => {
  const world = realWorld({ logLevel: 'silent' })
  const dataFolder = mkdtempSync(join(tmpdir(), 'callgate-locked-'))
  const databaseUrl = join(dataFolder, 'callgate.sqlite')
  let hasToWait = () => {}
  const waits = new Promise<void>(resolve => {
    hasToWait = resolve
  })
  // The clock of the patience stands until the other requests were answered, however slow the machine is.
  let standsAtMs: number | undefined = world.monotonicMs()
  const clock = { ...world, monotonicMs: () => standsAtMs ?? world.monotonicMs() }
  const patience = { world: clock, withinMs: 1_000, onWait: () => hasToWait() }
  const database = await openDatabase({ url: databaseUrl, patience })
  await migrate(database)
  const spaceId = await newSpace({ database, world })
  const asked = { spaceId, name: 'Desk', scopes: scopeNames, expiresAt: null, actor: 'operator' }
  const key = (await createApiKey({ database, world }, asked))?.key ?? ''
  const read = readConfig({ CALLGATE_DATA: dataFolder, LOG_LEVEL: 'silent' })
  if (!read.ok) throw new Error(read.message)
  const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const ask = (path: string, body?: object) =>
    fetch(`http://127.0.0.1:${started.port}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
  const gate = await ask('/api/v1/gates', { name: 'Front', phoneNumber: '0722123456' })
  const { id } = ((await gate.json()) as { gate: { id: string } }).gate

  const letGo = await holdLock(databaseUrl)
  let hasAnswered = false
  const open = ask(`/api/v1/gates/${id}/open`, {}).finally(() => {
    hasAnswered = true
  })
  await waits
  // While the press waits, health checks and reads are served.
  expect((await ask('/healthz')).status).toBe(200)
  expect((await ask('/api/v1/gates')).status).toBe(200)
  expect(hasAnswered).toBe(false)
  standsAtMs = undefined
  const readiness = ask('/readyz')
  const refused = await open
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '1'])
  expect(await refused.json()).toMatchObject({ error: { code: 'internal_error' } })
  const notReady = await readiness
  expect([notReady.status, await notReady.json()]).toMatchObject([
    503,
    { checks: { database: { ok: false, reason: 'Another program holds the write lock of the database.' } } },
  ])
  // The press was not accepted.
  expect(await (await ask('/api/v1/openings')).json()).toMatchObject({ openings: [] })

  await letGo()
  expect((await ask(`/api/v1/gates/${id}/open`, {})).status).toBe(502)
  await cloud.stop()
  await database.close()
  rmSync(dataFolder, { recursive: true })
})
