// Every rule of the style over every source file, and every rule over a snippet that breaks it.

import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { factsOf } from './facts.ts'
import { rules, violationsOf } from './rules.ts'
import { allFacts, paths, top } from './sources.ts'
import { exceptions, mayImport } from './tables.ts'

const violations = allFacts.flatMap(violationsOf)
const isExcepted = (rule: string, path: string) =>
  exceptions.some(exception => exception.rule === rule && exception.path === path)

describe('the sources', () => {
  it('are found', () => {
    expect(paths).toContain('packages/world/src/real.ts')
    expect(paths).toContain('test/style/style.test.ts')
  })

  it.each(rules.map(rule => rule.name))('keep: %s', name => {
    const broken = violations.filter(({ rule, path }) => rule === name && !isExcepted(rule, path))
    expect(broken.map(({ message }) => message)).toEqual([])
  })

  it('have a row in the import table for each package', () => {
    const packages = readdirSync(`${top}packages`, { withFileTypes: true }).filter(entry =>
      entry.isDirectory(),
    )
    expect(Object.keys(mayImport)).toEqual(expect.arrayContaining(packages.map(({ name }) => name)))
  })
})

describe('the exceptions', () => {
  it.each(exceptions)('$rule in $path is still needed', ({ rule, path, reason }) => {
    expect(reason).not.toBe('')
    expect(violations.filter(found => found.rule === rule && found.path === path)).not.toEqual([])
  })
})

const sentence = '// A sentence.\n\n'
const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n')
// Assembled from parts, so that this file breaks no rule itself.
const topic = ['gw', 'v1'].join('/')
const machine = `/${'work'}`
const core = 'packages/gateway/src/core/opener.ts'
const roomCore = 'packages/cloud/src/gate/core/numberLock.ts'
const cloud = 'packages/cloud/src/gate/gates.ts'

/** Rule, path, source, and the line where the rule has to find it. */
const offences: readonly (readonly [rule: string, path: string, source: string, line: number])[] = [
  ['file length', cloud, sentence + lines(299, 'f()'), 1],
  ['file length', 'packages/cloud/src/gate/gates.test.ts', sentence + lines(399, 'f()'), 1],
  ['function length', cloud, `${sentence}function f() {\n${lines(69, 'g()')}\n}`, 3],
  ['function length', cloud, `${sentence}const f = () => {\n${lines(69, 'g()')}\n}`, 3],
  [
    'function length',
    cloud,
    `${sentence}function f() {\n  function g() {\n${lines(60, 'h()')}\n  }\n${lines(8, 'h()')}\n}`,
    3,
  ],
  [
    'import table',
    'packages/simulator/src/call.ts',
    `${sentence}import { a } from '@callgate/modem/modem'`,
    3,
  ],
  [
    'import table',
    'packages/demo/src/main.ts',
    `${sentence}import type { A } from '@callgate/contract/rest/gate'`,
    3,
  ],
  ['import table', cloud, `${sentence}import { a } from '../../../gateway/src/daemon.ts'`, 3],
  ['import table', cloud, `${sentence}const a = await import('@callgate/gateway/daemon')`, 3],
  ['import table', cloud, `${sentence}import { fakeWorld } from '@callgate/world/fake'`, 3],
  ['import table', cloud, `${sentence}import { a } from '@callgate/cloud/secrets/keyring'`, 3],
  ['import table', 'packages/modem/src/a.ts', `${sentence}import { a } from './scriptedModem.kit.ts'`, 3],
  ['import table', 'packages/cloud/src/a.test.ts', `${sentence}import { a } from '@callgate/modem/modem'`, 3],
  ['one home per library', cloud, `${sentence}import { Ajv2020 } from 'ajv/dist/2020.js'`, 3],
  ['one home per library', cloud, `${sentence}import knex, { type Knex } from 'knex'`, 3],
  ['one home per library', cloud, `${sentence}import { vi } from 'vitest'`, 3],
  [
    'one home per library',
    'packages/modem/src/a.test.ts',
    `${sentence}import { SerialPort } from 'serialport'`,
    3,
  ],
  ['pure core', core, `${sentence}export const f = async () => {}`, 3],
  ['pure core', core, `${sentence}export function* f() { yield\n await 1 }`, 4],
  ['pure core', core, `${sentence}import { createHash } from 'node:crypto'`, 3],
  ['pure core', core, `${sentence}import type { World } from '@callgate/world/world'`, 3],
  ['pure core', core, `${sentence}import { a } from '../journal.ts'`, 3],
  ['pure core', core, `${sentence}import { connectMqtt } from '@callgate/mqtt/mqttConnection'`, 3],
  ['pure core', roomCore, `${sentence}import { a } from '../gates.ts'`, 3],
  ['pure core', roomCore, `${sentence}import { a } from '../../member/core/accessStatus.ts'`, 3],
  ['world', cloud, `${sentence}setTimeout(f, 1)`, 3],
  ['world', cloud, `${sentence}const later = globalThis.setTimeout`, 3],
  ['world', cloud, `${sentence}const signal = AbortSignal.timeout(1)`, 3],
  ['world', cloud, `${sentence}const at = new Date()`, 3],
  ['world', cloud, `${sentence}const at = Date.now()`, 3],
  ['world', cloud, `${sentence}const at = performance.now()`, 3],
  ['world', cloud, `${sentence}const n = Math.random()`, 3],
  ['world', cloud, `${sentence}const id = crypto.randomUUID()`, 3],
  ['world', cloud, `${sentence}import { createHash, randomBytes } from 'node:crypto'`, 3],
  ['world', cloud, `${sentence}import { setTimeout as wait } from 'node:timers/promises'`, 3],
  ['world', 'packages/mqtt/src/mqttConnection.ts', `${sentence}const timer = setInterval(f, 1)`, 3],
  ['world', 'packages/cloud/src/a.test.ts', `${sentence}await new Promise(then => setTimeout(then, 100))`, 3],
  ['process', cloud, `${sentence}const port = process.env['PORT']`, 3],
  ['process', cloud, `${sentence}const { env } = process`, 3],
  ['process', cloud, `${sentence}import { env } from 'node:process'`, 3],
  ['process', cloud, `${sentence}console.log(1)`, 3],
  ['wall clock', cloud, `${sentence}new Intl.DateTimeFormat('en', { timeZone: name })`, 3],
  ['wall clock', cloud, `${sentence}new Intl.DateTimeFormat('en', { timeZone })`, 3],
  ['wall clock', cloud, `${sentence}new Intl.DateTimeFormat('en', options)`, 3],
  ['wall clock', cloud, `${sentence}Intl.DateTimeFormat('en')`, 3],
  ['wall clock', cloud, `${sentence}new Date(0).toLocaleDateString('en')`, 3],
  ['wall clock', cloud, `${sentence}new Date(0).toLocaleString('en', { timeZone })`, 3],
  ['type name', cloud, `${sentence}interface Parts {}`, 3],
  ['type name', cloud, `${sentence}export type Told = string`, 3],
  ['any', cloud, `${sentence}let a: any`, 3],
  ['any', cloud, `${sentence}const a = b as Record<string, any>`, 3],
  ['no test left out', 'test/a.test.ts', `${sentence}it.only('a', f)`, 3],
  ['no test left out', 'test/a.test.ts', `${sentence}describe.skip('a', f)`, 3],
  ['no test left out', 'test/a.test.ts', `${sentence}it.todo('a')`, 3],
  ['no test left out', 'test/a.test.ts', `${sentence}it.runIf(isRoot)('a', f)`, 3],
  ['no barrels', cloud, `${sentence}export * from './a.ts'`, 3],
  ['no barrels', cloud, `${sentence}export * as a from './a.ts'`, 3],
  ['no default exports', cloud, `${sentence}export default 1`, 3],
  ['no default exports', cloud, `${sentence}export default function f() {}`, 3],
  ['file name', 'packages/cloud/src/utils/text.ts', sentence, 1],
  ['file name', 'packages/cloud/src/gateService.ts', sentence, 1],
  ['file name', 'packages/cloud/src/index.ts', sentence, 1],
  ['topics', cloud, `${sentence}const topic = '${topic}/a/hint'`, 3],
  ['topics', cloud, `${sentence}const topic = \`${topic}/\${a}/hint\``, 3],
  ['opening comment', cloud, `import { a } from './a.ts'\n`, 1],
  ['opening comment', cloud, `// a\nconst a = 1\n`, 1],
  ['opening comment', cloud, `// A sentence.\nconst a = 1\n`, 2],
  ['no silencing', cloud, `${sentence}// @ts-ignore\nf()`, 3],
  ['no silencing', cloud, `${sentence}f() // biome-ignore lint/a: b`, 3],
  ['no open tasks', cloud, `${sentence}f(a /* TODO b */)`, 3],
  ['machine paths', cloud, `${sentence}const a = '${machine}/main'`, 3],
  ['machine paths', cloud, `${sentence}/**\n * See ${machine}/notes.\n */`, 4],
  ['limits', 'packages/web/src/a.tsx', `${sentence}export const a = <b maxLength={120} />`, 3],
  ['limits', 'packages/web/src/words/en/a.ts', `${sentence}const long = 'At most 120 characters.'`, 3],
  ['no module state', cloud, `${sentence}let count = 0`, 3],
]

/** Snippets that look like an offence but are none. */
const allowed: readonly (readonly [path: string, source: string])[] = [
  [cloud, sentence + lines(298, 'f()')],
  [cloud, `${sentence}function f() {\n${lines(68, 'g()')}\n}`],
  ['packages/cloud/src/gate/gates.test.ts', `${sentence}describe('a', () => {\n${lines(100, 'g()')}\n})`],
  [cloud, `${sentence}import type { Knex } from 'knex'\nimport { a } from '@callgate/contract/rest/gate'`],
  ['packages/modem/src/a.test.ts', `${sentence}import { fakeWorld } from '@callgate/world/fake'`],
  ['packages/modem/src/a.kit.ts', `${sentence}import { fakeWorld } from '@callgate/world/fake'`],
  [
    core,
    `${sentence}import { b } from './lines.ts'\nimport { claimFreshMs } from '@callgate/contract/wire/timing'`,
  ],
  [roomCore, `${sentence}import { a } from './other.ts'\nimport { b } from '../../core/opening.ts'`],
  [cloud, `${sentence}new Intl.DateTimeFormat('en', { timeZone: 'UTC' })`],
  [cloud, `${sentence}const text = new Date(0).toISOString()\nconst at = Date.UTC(2026, 0)`],
  [cloud, `${sentence}let later: ReturnType<typeof setTimeout>`.replace('let', 'declare const')],
  [cloud, `${sentence}import { createHash } from 'node:crypto'\nworld.setTimeout(1)`],
  [cloud, `${sentence}const a = { process: 1, any: 'any' }\na.process`],
  ['packages/world/src/real.ts', `${sentence}const at = process.hrtime.bigint()`],
  [cloud, `${sentence}new Intl.DateTimeFormat('en', { ...parts, timeZone: 'UTC' })`],
  [cloud, `${sentence}const { timeZone } = gate\nconst a = { timeZone, b: (1).toLocaleString('en') }`],
  [cloud, `${sentence}Intl.supportedValuesOf('timeZone')`],
  ['packages/cloud/src/gate/gates.test.ts', `import { expect } from 'vitest'`],
  ['packages/cloud/src/main.ts', `#!/usr/bin/env node\n${sentence}process.exit(1)`],
  ['test/a.config.ts', `${sentence}export default {}`],
  [cloud, `${sentence}const a = '// TODO @ts-ignore'\nconst b = 'https://a/work/b'`],
  ['packages/web/src/a.tsx', `${sentence}export const a = <b maxLength={8} />`],
  ['packages/web/src/a.tsx', `${sentence}export const a = <p>https://a/work/b // TODO</p>`],
  [cloud, `${sentence}function f() {\n  let a = 1\n  return a\n}`],
  [cloud, '// Two lines are one\n// sentence.\n\nf()'],
]

describe('each rule', () => {
  it.each(offences)('%s: found in %s (snippet %#)', (rule, path, source, line) => {
    const found = violationsOf(factsOf(path, source)).filter(violation => violation.rule === rule)
    expect(found.map(({ message }) => message)).toEqual([
      expect.stringContaining(`${path}:${line} ${rule}: `),
    ])
  })

  it('has a snippet that breaks it', () => {
    expect([...new Set(offences.map(([rule]) => rule))]).toEqual(rules.map(rule => rule.name))
  })

  it.each(allowed)('nothing is found in %s (snippet %#)', (path, source) => {
    expect(violationsOf(factsOf(path, source)).map(({ message }) => message)).toEqual([])
  })
})
