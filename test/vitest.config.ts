// How the tests run: all unit tests and all tests of this folder on at most two workers, and then the seeds of the
// simulation, which use two processes themselves.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { summary } from './summary.ts'

const seeds = 'test/simulation/house/seeds.test.ts'
const others = ['**/node_modules/**', '**/dist/**']
/** The options of each project of tests. */
export const forAll = {
  // Processes, not threads: SQLite, koffi and serialport are native.
  pool: 'forks',
  // Time for a slow machine with two cores; nothing waits this long unless it fails.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  allowOnly: false,
} as const

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: fileURLToPath(new URL('buildOnce.ts', import.meta.url)),
    maxWorkers: 2,
    teardownTimeout: 20_000,
    passWithNoTests: false,
    reporters: ['default', summary(line => process.stdout.write(`${line}\n`))],
    projects: [
      {
        test: {
          ...forAll,
          name: 'tests',
          include: ['packages/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...others, seeds],
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...forAll, name: 'seeds', include: [seeds], exclude: others, sequence: { groupOrder: 2 } } },
    ],
  },
})
