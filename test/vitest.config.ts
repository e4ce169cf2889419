// How the tests run: the projects of the two tiers, and the number of files that each runs at a time.

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './longestFirst.ts'
import { whyNoPostgres } from './postgres/postgresBinaries.ts'
import { slowest, summary } from './summary.ts'
import { computing, mutants, patternsOf, waiting } from './tiers.ts'

/** The options that the coverage command and the mutants use as well. */
export const forAll = {
  // Processes, not threads: SQLite, koffi and serialport are native.
  pool: 'forks',
  // A worker keeps loaded modules: none has state, which the style forbids.
  isolate: false,
  // Enough time for a machine with two cores and twenty programs; only a failing test waits this long.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // A poll ends as soon as its fact is true. The default of a second is too short for a busy machine.
  expect: { poll: { timeout: 30_000 } },
  allowOnly: false,
} as const

/** The second run of `pnpm test`, and `pnpm test:postgres`: the tests that are named, on Postgres in place of SQLite. */
const isOnPostgres = process.env['CALLGATE_TEST_DATABASE'] === 'postgres'
const leftOut = isOnPostgres ? whyNoPostgres() : undefined
if (leftOut !== undefined) process.stdout.write(`Left out: the tests on Postgres. ${leftOut}.\n`)

const print = (line: string) => process.stdout.write(`${line}\n`)
const everything = ['packages/**/*.test.ts', 'test/**/*.test.ts']
const never = ['**/node_modules/**', '**/dist/**', ...(isOnPostgres ? [] : ['**/postgres*.test.ts'])]
const ofSystem = patternsOf([...waiting, ...computing, ...mutants])
const cores = Math.max(2, availableParallelism())

/** One more than the cores: some files wait for a program, a port or a thread. */
const unitWorkers = cores + 1

/** The groups of projects run one after the other, in this order. */
const projects = [
  { name: 'unit', group: 0, include: everything, exclude: ofSystem, maxWorkers: unitWorkers },
  // The pages of the dashboard over a fake cloud, in a DOM without a browser.
  {
    name: 'pages',
    group: 0,
    include: ['packages/web/src/**/*.test.tsx'],
    maxWorkers: unitWorkers,
    environment: 'happy-dom',
    // What opens is there at once.
    environmentOptions: { happyDOM: { settings: { device: { prefersReducedMotion: 'reduce' } } } },
  },
  { name: 'waiting', group: 1, include: patternsOf(waiting), maxWorkers: 3 * cores },
  { name: 'computing', group: 2, include: patternsOf(computing), maxWorkers: 1 },
  { name: 'mutants', group: 3, include: patternsOf(mutants), maxWorkers: 1 },
].map(
  ({ exclude = [], group, ...project }): TestProjectInlineConfiguration => ({
    extends: true,
    test: { ...project, exclude: [...never, ...exclude], sequence: { groupOrder: group } },
  }),
)

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['buildOnce.ts', ...(isOnPostgres ? ['postgres/databasesForTests.ts'] : [])].map(file =>
      fileURLToPath(new URL(file, import.meta.url)),
    ),
    teardownTimeout: 20_000,
    passWithNoTests: leftOut !== undefined,
    reporters: ['default', slowest(20, print), summary(print)],
    sequence: { sequencer: LongestFirst },
    projects: leftOut === undefined ? projects : [],
    ...forAll,
  },
})
