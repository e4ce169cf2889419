// The result of a test file with a mutant, or without one.

import { placeOf } from './switch.ts'

/** The fields of vitest's TestModule that are read. */
export interface RunModule {
  readonly moduleId: string
  errors(): readonly { readonly message: string }[]
  diagnostic(): { readonly duration: number }
  readonly children: {
    allTests(): Iterable<{
      readonly fullName: string
      result(): {
        readonly state: string
        readonly errors?: readonly { readonly name?: string; readonly message: string }[] | undefined
      }
    }>
  }
}

export interface Outcome {
  /** The file, and the place of the mutant in the list, if any. */
  readonly module: string
  readonly place: number | null
  readonly ms: number
  readonly passed: number
  /** Tests that failed by an assertion. */
  readonly caughtBy: readonly string[]
  /** Other failures: it did not load, took too long, or threw. They catch no mutant. */
  readonly broken: readonly string[]
}

export function outcomeOf(module: RunModule): Outcome {
  const place = placeOf(module.moduleId)
  const broken = module.errors().map(({ message }) => message)
  const caughtBy: string[] = []
  let passed = 0
  for (const test of module.children.allTests()) {
    const { errors = [], state } = test.result()
    if (state === 'passed') passed++
    if (state !== 'failed') continue
    if (errors.every(({ name }) => name === 'AssertionError')) caughtBy.push(test.fullName)
    else broken.push(...errors.map(({ message }) => `${test.fullName}: ${message}`))
  }
  return {
    module: module.moduleId,
    place: Number.isNaN(place) ? null : place,
    ms: Math.round(module.diagnostic().duration),
    passed,
    caughtBy,
    broken,
  }
}
