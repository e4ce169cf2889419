// Presses over HTTP that waited in the sockets of a stalled cloud.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopeNames } from '@callgate/contract/rest/scope'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Cloud, createCloud } from '../app.ts'
import { readConfig } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { screenOf } from '../guest/pages.kit.ts'
import { createApiKey } from '../space/apiKeys.ts'
import { newSpace } from '../space/space.kit.ts'

const stallMs = 14_000
const real = realWorld({ logLevel: 'silent' })

let stalledMs: number
let dataFolder: string
let database: Database
let cloud: Cloud
let port: number
let key: string
beforeEach(async () => {
  stalledMs = 0
  // All clocks go on in a stall, and no timer fires.
  const world: World = {
    ...real,
    nowMs: () => real.nowMs() + stalledMs,
    monotonicMs: () => real.monotonicMs() + stalledMs,
    sinceBootMs: () => real.sinceBootMs() + stalledMs,
  }
  dataFolder = mkdtempSync(join(tmpdir(), 'callgate-stalled-'))
  database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
  await migrate(database)
  const spaceId = await newSpace({ database, world })
  const asked = { spaceId, name: 'Desk', scopes: scopeNames, expiresAt: null, actor: 'operator' }
  key = (await createApiKey({ database, world }, asked))?.key ?? ''
  const read = readConfig({ CALLGATE_DATA: dataFolder, LOG_LEVEL: 'silent' })
  if (!read.ok) throw new Error(read.message)
  cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  port = started.port
})
afterEach(async () => {
  await cloud.stop()
  await database.close()
  rmSync(dataFolder, { recursive: true })
})

const at = (path: string) => `http://127.0.0.1:${port}${path}`

/** Creates a gate, member or access, and returns it. */
async function create(name: 'gate' | 'member' | 'access', path: string, body: object) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const answer = await fetch(at(path), { method: 'POST', headers, body: JSON.stringify(body) })
  const made = (await answer.json()) as Record<
    typeof name,
    { readonly id: string; readonly accessUrl: string }
  >
  return made[name]
}

/** Sends a press to a cloud that reads it only after `stallMs`; returns how long before its reading it is dated. */
async function pressInStall(path: string, headers: Record<string, string>, body: string): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const all = { Host: 'a', Connection: 'close', 'Content-Length': String(body.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  stalledMs += stallMs
  const readMs = real.nowMs() + stalledMs
  socket.resume()
  await once(socket, 'close')
  const row = await database.knex('openings').first()
  return readMs - Date.parse(row?.calledAt ?? '')
}

it('dates a press by an API key from before the stall', async () => {
  const gate = await create('gate', '/api/v1/gates', { name: 'Front', phoneNumber: '0722123456' })
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const beforeMs = await pressInStall(`/api/v1/gates/${gate.id}/open`, headers, '{}')
  expect(beforeMs).toBeGreaterThanOrEqual(stallMs)
})

it("dates a guest's press from before the stall, which is within the 15 s of its form", async () => {
  const gate = await create('gate', '/api/v1/gates', { name: 'Front', phoneNumber: '0722123456' })
  const member = await create('member', '/api/v1/members', { name: 'Ana', email: 'ana@example.com' })
  const { accessUrl } = await create('access', `/api/v1/members/${member.id}/accesses`, { gateId: gate.id })
  const page = await fetch(at(new URL(accessUrl).pathname))
  const [cookie = ''] = (page.headers.get('Set-Cookie') ?? '').split(';')
  const shown = { status: page.status, headers: page.headers, text: await page.text(), cookie }
  const { action, form } = screenOf(shown)
  const headers = { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' }
  const beforeMs = await pressInStall(action, headers, form)
  expect(beforeMs).toBeGreaterThanOrEqual(stallMs)
})
