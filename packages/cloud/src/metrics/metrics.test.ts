import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import { passed } from '@callgate/world/hops'
import { measured } from '@callgate/world/measures'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteBackup } from '../backup/lastBackup.ts'
import { type ExchangeRig, exchangeRig, said } from '../opening/exchange.kit.ts'
import { measuredDatabase } from './measuredDatabase.ts'
import { createMetrics, type Metrics } from './metrics.ts'

let rig: ExchangeRig
let metrics: Metrics
const wire = { isConnected: () => true, onlineCount: () => 1 }
let isDatabaseOk = true
let dataFolder = ''

beforeEach(async () => {
  rig = await exchangeRig()
  dataFolder = mkdtempSync(join(tmpdir(), 'callgate-metrics-'))
  isDatabaseOk = true
  const readiness = async () => ({ checks: { database: { ok: isDatabaseOk }, broker: { ok: true } } })
  metrics = createMetrics({ ...rig, dataFolder, wire, readiness })
})
afterEach(async () => {
  metrics.stop()
  await rig.close()
  rmSync(dataFolder, { recursive: true })
})

/** The samples, without their comments. */
const samples = async () =>
  (await metrics.read()).split('\n').filter(line => line !== '' && !line.startsWith('#'))
const ours = async () => (await samples()).filter(line => line.startsWith('callgate_'))
const sample = async (series: string) => {
  const found = (await samples()).find(line => line.startsWith(`${series} `))
  return found === undefined ? undefined : Number(found.slice(series.length + 1))
}

it('counts an opening by its end and its stages', async () => {
  const guest = await rig.addGuest(await rig.addGate())
  const openingId = await rig.press(guest)
  // The wire would publish this; the test replaces it.
  passed('claim', { openingId })
  await rig.claim(openingId)
  await rig.report(openingId, said.completed)
  await rig.world.advance(60_000)
  rig.online.length = 0
  await rig.press(guest)
  const by = 'callgate_openings_ended_total'
  const { reason } = exampleVerdict
  expect(await sample(`${by}{outcome="completed",reason="${reason}"}`)).toBe(1)
  expect(await sample(`${by}{outcome="failed",reason="gateway_offline"}`)).toBe(1)
  for (const stage of ['press', 'hint', 'claim', 'grant', 'call'])
    expect([stage, await sample(`callgate_opening_stage_seconds_count{stage="${stage}"}`)]).toEqual([
      stage,
      stage === 'press' ? 2 : 1,
    ])
  expect(await sample('callgate_opening_seconds_count{outcome="completed"}')).toBe(1)
})

it('counts a late report as a correction, and not as a second end', async () => {
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  await rig.claim(openingId)
  await rig.world.advance(90_000)
  expect(await sample('callgate_openings_ended_total{outcome="timeout",reason="no_report"}')).toBe(1)
  await rig.report(openingId, said.completed)
  expect(await sample('callgate_openings_corrected_total{outcome="completed"}')).toBe(1)
  expect((await ours()).filter(line => line.startsWith('callgate_openings_ended_total'))).toHaveLength(1)
})

it('reads on demand the running openings, the waiting requests, the online gateways and the answer of /readyz', async () => {
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  const waiting = rig.exchange.requests.wait(openingId, 50_000)
  isDatabaseOk = false
  const expected = {
    callgate_openings_running: 1,
    callgate_requests_waiting: 1,
    callgate_gateways_online: 1,
    callgate_gateways_enrolled: 1,
    callgate_mails_waiting: 0,
    callgate_mqtt_connected: 1,
    'callgate_ready{check="database"}': 0,
    'callgate_ready{check="broker"}': 1,
  }
  for (const [series, value] of Object.entries(expected))
    expect([series, await sample(series)]).toEqual([series, value])
  rig.exchange.stop()
  await waiting
  expect(await sample('callgate_requests_waiting')).toBe(0)
})

it('tells when the last backup was made, also after a later attempt that failed, and 0 before the first', async () => {
  const madeAt = () => sample('callgate_last_backup_timestamp_seconds')
  expect(await madeAt()).toBe(0)
  const made = { takenAt: '2026-03-01T02:15:00.000Z', folder: '/b/one', keysFolder: null, bytes: 9 }
  await noteBackup({ dataFolder, world: rig.world }, { made })
  await noteBackup({ dataFolder, world: rig.world }, { why: 'The disk of the backup is full.' })
  expect(await madeAt()).toBe(Date.parse(made.takenAt) / 1_000)
})

it('counts requests by pattern and class, messages, mails and writes', async () => {
  const request = { kind: 'request', method: 'GET', route: '/api/v1/gates', durationMs: 4 } as const
  measured({ ...request, status: 200 })
  measured({ ...request, status: 204 })
  measured({ ...request, method: 'BREW', route: 'none', status: 404 })
  measured({ kind: 'mail', outcome: 'given_up' })
  measured({ kind: 'refused_beats' })
  measured({ kind: 'message', direction: 'received', type: 'beat' })
  const requests = 'callgate_http_requests_total'
  expect(await sample(`${requests}{method="GET",route="/api/v1/gates",status="2xx"}`)).toBe(2)
  expect(await sample(`${requests}{method="other",route="none",status="4xx"}`)).toBe(1)
  expect(
    await sample('callgate_http_request_seconds_bucket{le="0.005",method="GET",route="/api/v1/gates"}'),
  ).toBe(2)
  expect(await sample('callgate_mails_total{outcome="given_up"}')).toBe(1)
  expect(await sample('callgate_refused_beats_total')).toBe(1)
  expect(await sample('callgate_mqtt_messages_total{direction="received",type="beat"}')).toBe(1)
})

it('measures each write: its wait and its length, whether it is committed or not', async () => {
  const database = measuredDatabase(rig.world, rig.database)
  await database.write(tx => tx('spaces').select('id'))
  await expect(database.write(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  const writes = 'callgate_database_writes_total'
  expect(await sample(`${writes}{outcome="committed"}`)).toBe(1)
  expect(await sample(`${writes}{outcome="rolled_back"}`)).toBe(1)
  expect(await sample(`${writes}{outcome="busy"}`)).toBe(0)
  expect(await sample('callgate_database_write_seconds_count')).toBe(2)
  expect(await sample('callgate_database_write_wait_seconds_count')).toBe(2)
})

it('serves the available metrics where the database cannot be read', async () => {
  const { write } = rig.database
  const broken = {
    ...rig.database,
    write,
    knex: (() => {
      throw new Error('gone')
    }) as never,
  }
  metrics.stop()
  metrics = createMetrics({
    ...rig,
    dataFolder,
    database: broken,
    wire,
    readiness: async () => ({ checks: {} }),
  })
  expect(await sample('callgate_gateways_online')).toBe(1)
  expect(rig.world.lines.filter(({ message }) => message === 'a metric could not be read')).not.toEqual([])
})

it('has as many series for a hundred gates, people and openings as for one', async () => {
  const one = await rig.addGuest(await rig.addGate())
  await rig.run(one, said.completed)
  const names = (lines: readonly string[]) => lines.map(line => line.slice(0, line.lastIndexOf(' '))).sort()
  const before = names(await ours())
  for (let place = 0; place < 30; place++) {
    const guest = await rig.addGuest(await rig.addGate({ name: `Gate ${place}` }))
    await rig.run(guest, said.completed)
  }
  const after = await ours()
  expect(names(after)).toEqual(before)
  expect(after.join('\n')).not.toMatch(/(open|gate|gw|space|member|access|user)_[0-9a-z]{20}|Ana|\+40/i)
})

it('stops counting, and keeps no samples, once it is stopped', async () => {
  metrics.stop()
  await rig.run(await rig.addGuest(await rig.addGate()), said.completed)
  expect(await samples()).toEqual([])
})

const promtool = (text: string) =>
  spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })

it('has a valid format by promtool, where that is installed', async () => {
  await rig.run(await rig.addGuest(await rig.addGate()), said.completed)
  const { error, status, stderr, stdout } = promtool(await metrics.read())
  if (error)
    return process.stderr.write('promtool is not installed: its check of the metrics was left out.\n')
  expect([status, stdout + stderr]).toEqual([0, ''])
})

it('has exactly the documented metrics, with their types and labels', async () => {
  await rig.run(await rig.addGuest(await rig.addGate()), said.completed)
  const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8')
  const documented = [...page.matchAll(/^\| `(callgate_\w+)` \| (\w+) \|([^|]*)\|/gm)].map(
    ([, name, type, labels]) =>
      `${name} ${type} ${[...(labels ?? '').matchAll(/`(\w+)`/g)].map(([, label]) => label).join(' ')}`,
  )
  const told = metrics.described().filter(({ name }) => name.startsWith('callgate_'))
  expect(documented.sort()).toEqual(
    told.map(({ labels, name, type }) => `${name} ${type} ${labels.join(' ')}`).sort(),
  )
})
