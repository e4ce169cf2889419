import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld } from '@callgate/world/fake'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { stages } from './openingStages.ts'

const place = (name: string) => new URL(`../../../../deploy/cloud/${name}`, import.meta.url)
const alerts = readFileSync(place('alerts.yml'), 'utf8')
const dashboard = readFileSync(place('grafana-dashboard.json'), 'utf8')

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}
const { panels } = JSON.parse(dashboard) as { panels: readonly Panel[] }
const shown = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n')
const watched = [...alerts.matchAll(/^ +expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
  ([, many, one]) => many ?? one ?? '',
)

let database: Database
let metrics: Metrics
beforeAll(async () => {
  const world = fakeWorld(1)
  database = await openDatabase({ url: ':memory:' })
  await migrate(database)
  const wire = { isConnected: () => true, onlineCount: () => 0 }
  const readiness = async () => ({ checks: {} })
  const exchange = { requests: { waiting: () => 0 } }
  metrics = createMetrics({ world, database, dataFolder: '/nowhere', wire, readiness, exchange })
})
afterAll(async () => {
  metrics.stop()
  await database.close()
})

const namesIn = (text: string) =>
  [...text.matchAll(/\b(?:callgate|nodejs|process)_\w+/g)].map(([name]) => name)

it.each([
  ['alerts', () => watched.join('\n')],
  ['panels', () => shown],
] as const)('has every metric and label that the %s name', (_, text) => {
  const known = new Map(metrics.described().map(({ labels, name }) => [name, labels]))
  const base = (name: string) => (known.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))
  const named = namesIn(text())
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(name => !known.has(base(name)))).toEqual([])
  for (const [, name = '', selector = ''] of text().matchAll(
    /\b((?:callgate|nodejs|process)_\w+)\{([^}]*)\}/g,
  ))
    for (const [, label] of selector.matchAll(/(\w+)(?:=~|!~|!=|=)"/g))
      expect([name, known.get(base(name))]).toEqual([name, expect.arrayContaining([label])])
})

it('names only existing metrics, with outcomes and stages spelled as they are counted', () => {
  const used = [...`${shown}\n${watched.join('\n')}`.matchAll(/stage=~?"([^"]*)"/g)].flatMap(
    ([, words = '']) => words.split('|'),
  )
  expect(used.filter(stage => !(stage in stages))).toEqual([])
  expect(watched).toHaveLength((alerts.match(/- alert:/g) ?? []).length)
})

it('gives advice and a severity for each alert', () => {
  const rules = alerts.split('- alert:').slice(1)
  expect(rules.length).toBeGreaterThan(10)
  for (const rule of rules) {
    expect(rule).toMatch(/severity: (critical|warning)/)
    expect(rule).toMatch(/summary: ./)
    expect(rule).toMatch(/action: ./)
  }
})

it('has panels that do not overlap, each with a title and an id of its own', () => {
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { h, w, x, y } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(
    panels.filter(({ targets, title, type }) => title === '' || (type !== 'row' && !targets?.length)),
  ).toEqual([])
})

it('has valid rules by promtool, where that is installed', () => {
  const { error, status, stderr, stdout } = spawnSync(
    'promtool',
    ['check', 'rules', place('alerts.yml').pathname],
    {
      encoding: 'utf8',
    },
  )
  if (error)
    return void process.stderr.write('promtool is not installed: its check of the alerts was left out.\n')
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout).toContain('SUCCESS')
})

it('warns only of a cloud that hears no gateway while another one does', () => {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-rules-'))
  const file = join(folder, 'test.yml')
  const online = (instance: string, values: string) => ({
    series: `callgate_gateways_online{instance="${instance}"}`,
    values,
  })
  const input_series = [online('a', '5x10'), online('b', '5 5 0x8')]
  const alertname = 'CallgateHearsNoGateway'
  const labels = { instance: 'b', severity: 'critical' }
  const alert_rule_test = [
    { eval_time: '1m', alertname, exp_alerts: [] },
    { eval_time: '5m', alertname, exp_alerts: [{ exp_labels: labels }] },
  ]
  // The texts are not compared: promtool requires them only where an alert is expected.
  const rules = join(folder, 'rules.yml')
  writeFileSync(rules, alerts.replace(/^ +annotations:\n(?: {10}.*\n)+/gm, ''))
  const tests = [{ interval: '1m', input_series, alert_rule_test }]
  writeFileSync(file, JSON.stringify({ rule_files: [rules], evaluation_interval: '1m', tests }))
  const { error, status, stderr, stdout } = spawnSync('promtool', ['test', 'rules', file], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  if (error)
    return void process.stderr.write('promtool is not installed: its test of an alert was left out.\n')
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')])
})

it('has valid queries in its panels by promtool, where that is installed', () => {
  const asRule = (expr: string, place: number) => ({ record: `panel:${place}`, expr })
  const queries = shown.split('\n').map(expr => expr.replaceAll('$__rate_interval', '5m'))
  const folder = mkdtempSync(join(tmpdir(), 'callgate-panels-'))
  const file = join(folder, 'panels.yml')
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules: queries.map(asRule) }] }))
  const { error, status, stderr } = spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  if (error)
    return void process.stderr.write('promtool is not installed: its check of the panels was left out.\n')
  expect([status, stderr]).toEqual([0, ''])
})
