// The summary of a test run: what counts as passed, failed and skipped, and the line itself.

import { expect, it } from 'vitest'
import { type CountedModule, slowestLines, summaryLine, tally } from './summary.ts'

const holder = (...errors: readonly string[]) => ({ errors: () => errors })
const module = (
  own: readonly string[],
  hooks: readonly string[],
  states: readonly string[],
): CountedModule => ({
  ...holder(...own),
  relativeModuleId: 'a.test.ts',
  children: {
    allSuites: () => [holder(), holder(...hooks)],
    allTests: () =>
      states.map(state => ({
        fullName: 'opens',
        result: () => ({ state, note: state === 'skipped' ? 'no pty' : undefined }),
      })),
  },
})

it('counts tests', () => {
  const counted = tally([module([], [], ['passed', 'passed', 'failed']), module([], [], ['passed'])], [])
  expect(summaryLine(counted)).toBe('3 passed, 1 failed')
})

it('names each skipped test, and why', () => {
  const counted = tally([module([], [], ['passed', 'skipped'])], [])
  expect(summaryLine(counted)).toBe('1 passed, 0 failed, 1 skipped')
  expect(counted.skipped).toEqual(['a.test.ts > opens: no pty'])
})

it('counts failures outside tests, and tests that never ended, as failed', () => {
  const counted = tally(
    [module(['did not load'], [], []), module([], ['beforeAll'], ['pending'])],
    ['uncaught'],
  )
  expect(summaryLine(counted)).toBe('0 passed, 4 failed')
})

it('names the slowest files, and the sum of all', () => {
  const timed = (relativeModuleId: string, collectDuration: number, duration: number) => ({
    relativeModuleId,
    diagnostic: () => ({ collectDuration, duration }),
  })
  const modules = [timed('a.test.ts', 100, 900), timed('b.test.ts', 400, 2_000), timed('c.test.ts', 50, 50)]
  expect(slowestLines(modules, 2)).toEqual([
    'The slowest of 3 files, which took 4 s together:',
    '    2.4 s  b.test.ts',
    '    1.0 s  a.test.ts',
  ])
})
