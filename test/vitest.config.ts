// How the tests run: everything beside its source and everything in this folder, on at most two workers.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { summary } from './summary.ts'

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: fileURLToPath(new URL('buildOnce.ts', import.meta.url)),
    include: ['packages/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    // Processes, not threads: SQLite, koffi and serialport are native.
    pool: 'forks',
    maxWorkers: 2,
    // Time for a slow machine with two cores; nothing waits this long unless it fails.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    teardownTimeout: 20_000,
    allowOnly: false,
    passWithNoTests: false,
    reporters: ['default', summary(line => process.stdout.write(`${line}\n`))],
  },
})
