// A restore, rehearsed with real processes: backup under load, loss, restore elsewhere, verification, confirmation, and an
// opening.

import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { environmentOfParts } from '../../../packages/demo/src/arguments.ts'
import { cloudEnvironment } from './layout.ts'
import { press } from './press.ts'
import { type PartProcess, partProcess } from './processes.ts'
import { chaosBundles, eventually, type RealHouse, startRealHouse } from './realHouse.ts'
import { dialsOf, dialsTo, readSimulatorLog } from './simulatorLog.ts'
import { verifyData } from './verifyData.ts'

const run = promisify(execFile)
let house: RealHouse
let bundle = ''
let restored: PartProcess | undefined
beforeAll(async () => {
  const bundles = await chaosBundles(() => {})
  bundle = bundles.cloud
  house = await startRealHouse(bundles, { kind: 'plain', gates: 3, actors: 2 })
})
afterAll(async () => {
  restored?.kill()
  await restored?.ended()
  await house?.close()
  rmSync(`${house?.folder}-elsewhere`, { recursive: true, force: true })
})

const top = () => `${house.folder}-elsewhere`
const newData = () => join(top(), 'data')
const environment = (data: string) => ({
  ...environmentOfParts(process.env),
  ...cloudEnvironment(house),
  CALLGATE_DATA: data,
  LOG_LEVEL: 'warn',
})

async function callgate(data: string, ...args: string[]) {
  const { stdout } = await run(process.execPath, [bundle, ...args, '--json'], { env: environment(data) })
  return JSON.parse(stdout)
}

async function ask(method: string, path: string, apiKey?: string, body?: object) {
  const answer = await fetch(`${house.baseUrls[0]}${path}`, {
    method,
    headers: {
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const retryAfter = Number(answer.headers.get('retry-after'))
  return { status: answer.status, text, json: text.startsWith('{') ? JSON.parse(text) : {}, retryAfter }
}

/**
 * Presses until there is a call, and kills the cloud before it receives the report. Nobody presses later: a press that is
 * repeated at the restored cloud opens the gate anew, because the backup does not know its Idempotency-Key.
 */
async function loseCloudInCall(gateId: string, apiKey: string, calls: () => number): Promise<void> {
  const { cloud } = house.parts
  const ended = cloud.ended()
  house.watch(async ({ kind }) => {
    if (kind === 'report' && calls() > 0) await ended
  })
  async function pressUntilCalled() {
    while (calls() === 0) {
      await ask('POST', `/api/v1/gates/${gateId}/open`, apiKey).catch(() => undefined)
      await pause(1_000)
    }
  }
  const pressed = pressUntilCalled()
  await eventually('the call', 60_000, () => (calls() > 0 ? true : undefined))
  cloud.kill()
  await Promise.all([ended, pressed])
  house.watch(undefined)
}

function withData<T>(work: (data: Sqlite.Database) => T): T {
  const data = new Sqlite(join(newData(), 'callgate.sqlite'))
  try {
    return work(data)
  } finally {
    data.close()
  }
}

/** Waits for the report that the killed cloud did not receive, and for a beat with a ready modem since `sinceIso`. */
async function heardAgain(sinceIso: string): Promise<void> {
  const stray = `select 1 from "strayReports" where "body" like '%"ended"%'`
  const beat = `select 1 from "gateways" where "lastBeatAt" > ? and "lastBeat" ->> '$.modem.state' = 'ready'`
  await eventually('the report that nobody heard', 90_000, () => withData(data => data.prepare(stray).get()))
  await eventually('a beat with a ready modem', 90_000, () =>
    withData(data => data.prepare(beat).get(sinceIso)),
  )
}

const shut = { status: 503, retryAfter: expect.any(Number) }

it('restores what was backed up under load, refuses presses until it is confirmed, and loses no report', async () => {
  const [one, two] = house.actors
  const [gate, pressed, last] = house.gates
  if (!one || !two || !gate || !pressed || !last) throw new Error('the house is too small')
  const access = { gateId: gate.id, schedules: [{ type: 'always' }] }
  const guest = { name: 'Ana', accesses: [access] }
  const made = await ask('POST', '/api/v1/members', one.apiKey, guest)
  const link = new URL(made.json.member.accesses[0].accessUrl).pathname

  // Presses go on while the backup is made.
  const underLoad = press(house, pressed, one, randomUUID())
  const backup = await callgate(house.folder, 'backup', join(top(), 'b'), '--keys', join(top(), 'k'))
  expect(await underLoad).toMatchObject({ outcome: 'opened' })

  // After the backup: a gateway that starts anew, a key that is revoked, and a call whose report the cloud does not live to
  // receive.
  house.parts.gateway.kill()
  await house.parts.gateway.ended()
  const restartedMs = Date.now()
  house.parts.gateway.start()
  await house.ready(restartedMs)
  await callgate(house.folder, 'key', 'revoke', '--key', two.apiKeyId)
  const calls = () => dialsTo(dialsOf(readSimulatorLog(house.simulatorLog, 0)), last.phoneNumber).length
  await loseCloudInCall(last.id, one.apiKey, calls)

  const { folder, keysFolder } = backup
  const done = await callgate(newData(), 'restore', folder, '--keys', keysFolder)
  expect(done).toMatchObject({ takenAt: backup.takenAt, undone: null })
  restored = partProcess({
    args: [bundle, 'serve'],
    environment: environment(newData()),
    logPath: join(top(), 'cloud.log'),
  })
  const servedAt = new Date().toISOString()
  restored.start()
  await eventuallyUp()
  // The backup does not know the gateway's boot: the daemon ends, and its supervisor starts a new one.
  await house.parts.gateway.ended()
  house.parts.gateway.start()

  // Guests and keys are refused; the gateway is not.
  expect(await ask('GET', '/api/v1/gates', one.apiKey)).toMatchObject({
    ...shut,
    json: { error: { code: 'internal_error' } },
  })
  expect(await ask('POST', `/api/v1/gates/${gate.id}/open`, one.apiKey)).toMatchObject(shut)
  expect(await ask('GET', link)).toMatchObject({ ...shut, text: expect.stringContaining('Not available') })
  await heardAgain(servedAt)
  expect(await verifyData(newData())).toEqual([])
  expect(await callgate(newData(), 'confirm-restore')).toMatchObject({ takenAt: backup.takenAt })
  const held = await ask('GET', '/api/v1/gates', one.apiKey)
  expect(held).toMatchObject(shut)
  expect(held.retryAfter).toBeGreaterThan(60)
  // As after the longest call and cool-down; another test checks the time itself.
  withData(data => data.prepare('update "restores" set "holdsNumbers" = 0').run())
  const opened = await press(house, gate, one, randomUUID())
  expect(opened).toMatchObject({ outcome: 'opened' })
  // The key works again, as the operator was told.
  expect(await ask('GET', '/api/v1/gates', two.apiKey)).toMatchObject({ status: 200 })
  expect(calls()).toBe(1)
  expect(await verifyData(newData())).toEqual([])
})

async function eventuallyUp(): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await ask('GET', '/healthz').catch(() => undefined)
    if (answer?.status === 200) return
    await pause(100)
  }
  throw new Error('the restored cloud does not answer')
}
