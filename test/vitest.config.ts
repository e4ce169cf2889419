// How the tests run: all unit tests and all tests of this folder, three files at a time.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { whyNoPostgres } from './postgres/postgresBinaries.ts'
import { summary } from './summary.ts'

/** The options that the coverage command uses as well. */
export const forAll = {
  // Processes, not threads: SQLite, koffi and serialport are native.
  pool: 'forks',
  // A worker keeps what it has loaded: no module has state, which the style forbids.
  isolate: false,
  // Time for a machine with two cores and twenty programs that want them; nothing waits this long unless it fails.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // A poll ends as soon as its fact is there. Its usual second is too short for a busy machine.
  expect: { poll: { timeout: 30_000 } },
  allowOnly: false,
} as const

/** The second run of `pnpm test`, and `pnpm test:postgres`: the tests that are named, on Postgres in place of SQLite. */
const isOnPostgres = process.env['CALLGATE_TEST_DATABASE'] === 'postgres'
const leftOut = isOnPostgres ? whyNoPostgres() : undefined
if (leftOut !== undefined) process.stdout.write(`Left out: the tests on Postgres. ${leftOut}.\n`)

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['buildOnce.ts', ...(isOnPostgres ? ['postgres/databasesForTests.ts'] : [])].map(file =>
      fileURLToPath(new URL(file, import.meta.url)),
    ),
    // One more than the two cores of a usual machine: some files wait for real processes.
    maxWorkers: 3,
    teardownTimeout: 20_000,
    passWithNoTests: leftOut !== undefined,
    reporters: ['default', summary(line => process.stdout.write(`${line}\n`))],
    include: leftOut === undefined ? ['packages/**/*.test.ts', 'test/**/*.test.ts'] : [],
    exclude: ['**/node_modules/**', '**/dist/**', ...(isOnPostgres ? [] : ['**/postgres*.test.ts'])],
    ...forAll,
  },
})
