// The summary of a test run: one plain line, `N passed, N failed`, at the very end.

import type { Reporter } from 'vitest/node'

interface WithErrors {
  /** Errors outside its tests: in loading, in hooks. */
  errors(): readonly unknown[]
}

/** The part of vitest's TestModule that is counted. */
export interface CountedModule extends WithErrors {
  readonly relativeModuleId: string
  readonly children: {
    allSuites(): Iterable<WithErrors>
    allTests(): Iterable<{
      readonly fullName: string
      result(): { readonly state: string; readonly note?: string | undefined }
    }>
  }
}

interface Tally {
  passed: number
  failed: number
  /** One line each: where, and why. */
  readonly skipped: string[]
}

/**
 * Counts tests. Each failure outside a test counts as one failed: a file that did not load, a hook, an uncaught error. A
 * test that never ended counts as failed.
 */
export function tally(modules: readonly CountedModule[], unhandled: readonly unknown[]): Tally {
  const counted: Tally = { passed: 0, failed: unhandled.length, skipped: [] }
  for (const module of modules) {
    const holders = [module, ...module.children.allSuites()]
    counted.failed += holders.filter(holder => holder.errors().length > 0).length
    for (const test of module.children.allTests()) {
      const { note, state } = test.result()
      if (state === 'passed') counted.passed++
      else if (state === 'skipped')
        counted.skipped.push(`${module.relativeModuleId} > ${test.fullName}: ${note ?? 'no reason given'}`)
      else counted.failed++
    }
  }
  return counted
}

/** `N passed, N failed`, and `, N skipped` if there are any. */
export function summaryLine(counted: Tally): string {
  const skipped = counted.skipped.length > 0 ? `, ${counted.skipped.length} skipped` : ''
  return `${counted.passed} passed, ${counted.failed} failed${skipped}`
}

/** The reporter. It prints when the process ends, because vitest may print after the last reporter. */
export function summary(print: (line: string) => void): Reporter {
  let waiting = false
  let lines: string[] = []
  return {
    onTestRunEnd(modules, unhandled) {
      const counted = tally(modules, unhandled)
      lines = [...counted.skipped.map(where => `skipped: ${where}`), summaryLine(counted)]
      if (waiting) return
      waiting = true
      process.once('exit', () => {
        for (const line of lines) print(line)
      })
    },
  }
}

/** The part of vitest's TestModule that is timed. */
export interface TimedModule {
  readonly relativeModuleId: string
  /** Milliseconds. */
  diagnostic(): { readonly collectDuration: number; readonly duration: number }
}

/** The slowest files with their seconds, and the sum of all. */
export function slowestLines(modules: readonly TimedModule[], count: number): readonly string[] {
  const timed = modules.map(module => {
    const { collectDuration, duration } = module.diagnostic()
    return { name: module.relativeModuleId, seconds: (collectDuration + duration) / 1_000 }
  })
  const sum = timed.reduce((all, { seconds }) => all + seconds, 0)
  const first = timed.toSorted((one, other) => other.seconds - one.seconds).slice(0, count)
  return [
    `The slowest of ${timed.length} files, which took ${sum.toFixed(0)} s together:`,
    ...first.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`),
  ]
}

/** Prints the slowest files at the end of a run of several. */
export function slowest(count: number, print: (line: string) => void): Reporter {
  return {
    onTestRunEnd(modules) {
      if (modules.length > 1) for (const line of slowestLines(modules, count)) print(line)
    },
  }
}
