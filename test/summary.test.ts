// The summary of a test run: what counts as passed, failed and skipped, and the line itself.

import { expect, it } from 'vitest'
import { type CountedModule, summaryLine, tally } from './summary.ts'

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
