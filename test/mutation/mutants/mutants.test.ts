// Every mutant is caught by its named test, by an assertion, and that test passes without a mutant.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { mutants } from './mutants.ts'
import { type Outcome, outcomeOf, type RunModule } from './outcome.ts'
import { isBroken } from './promise.ts'
import { applyMutant, testId } from './switch.ts'

/** All of them take half a minute on two free cores; a mutant that makes a test hang is not caught. */
const timeout = 1_800_000
let outcomes: readonly Outcome[] = []
beforeAll(async () => {
  const args = ['--import', 'tsx', join(import.meta.dirname, 'mutantsCommand.ts')]
  const run = promisify(execFile)
  const { stdout } = await run(process.execPath, args, { timeout, maxBuffer: 2 ** 24 })
  outcomes = JSON.parse(stdout)
}, timeout)

describe('a mutant', () => {
  it.each(mutants.map(({ name }, place) => [name, place] as const))('is caught: %s', (_, place) => {
    const outcome = outcomes.find(one => one.place === place)
    expect(outcome?.caughtBy, outcome?.broken.join('\n')).not.toEqual([])
  })

  it('has a name of its own', () => {
    expect(new Set(mutants.map(mutant => mutant.name)).size).toBe(mutants.length)
  })

  it('has exactly one place in its file', () => {
    const place = { name: 'one', file: 'a.ts', find: 'a', replace: 'b' }
    expect(applyMutant('cat', place)).toBe('cbt')
    expect(() => applyMutant('cot', place)).toThrow('0 places')
    expect(() => applyMutant('tata', place)).toThrow('2 places')
  })

  it('is not caught by an import error, a time-out or a broken promise of another kind', () => {
    const failed = (fullName: string, name: string) =>
      ({ fullName, result: () => ({ state: 'failed', errors: [{ name, message: 'no' }] }) }) as const
    const module: RunModule = {
      moduleId: testId('a.test.ts', 3),
      errors: () => [{ message: 'does not load' }],
      diagnostic: () => ({ duration: 1 }),
      children: { allTests: () => [failed('P1: one', 'Error'), failed('P1: two', 'AssertionError')] },
    }
    expect(outcomeOf(module)).toMatchObject({ place: 3, passed: 0, caughtBy: ['P1: two'] })
    expect(outcomeOf(module).broken).toEqual(['does not load', 'P1: one: no'])
    expect(isBroken('P5', ['A2: it is still initiated', 'failed: P5: an error'])).toBe(false)
    expect(isBroken('G2', ['A2: it is still initiated', 'A1, G2: it has no granted opening'])).toBe(true)
  })
})

it.each([...new Set(mutants.map(mutant => mutant.test))])('passes without a mutant: %s', test => {
  const outcome = outcomes.find(({ module }) => module === testId(test, 'none'))
  expect(outcome).toMatchObject({ caughtBy: [], broken: [] })
  expect(outcome?.passed).toBeGreaterThan(0)
})
