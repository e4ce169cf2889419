// The two tiers of the tests: `pnpm test` proves that nothing is broken, and `pnpm test:system` has the tests that run real
// programs or need minutes of a processor. A test file is in the first one, unless it is named here.

/** Tests that start programs of their own, and wait for them. A folder means all test files in it. */
export const waiting: readonly string[] = [
  'packages/client/examples/open-gate.test.ts',
  'packages/cloud/src/doctor/brokerChecks.test.ts',
  'packages/demo/src/demo.test.ts',
  'packages/demo/src/folder.test.ts',
  'packages/gateway/src/lock.test.ts',
  'packages/gateway/src/main.test.ts',
  'packages/gateway/src/update/update.test.ts',
  'packages/simulator/src/main.test.ts',
  'packages/simulator/src/programs.test.ts',
  'test/browser/',
  'test/commands/bench/baseline.test.ts',
  'test/documents/leftovers.test.ts',
  'test/processes/',
]

/** Tests with long computations. */
export const computing: readonly string[] = [
  'test/api/fuzz/fuzz.test.ts',
  'test/modem/replay/everyCall.test.ts',
  'test/simulation/effects/silentGate.test.ts',
  'test/simulation/house/everyFault.test.ts',
  'test/simulation/house/everyFaultOfTwoClouds.test.ts',
]

/** The mutants, which start a run of tests of their own. Nothing runs beside them. */
export const mutants: readonly string[] = ['test/mutation/mutants/']

/** The paths as patterns of vitest. */
export const patternsOf = (paths: readonly string[]): string[] =>
  paths.map(path => (path.endsWith('/') ? `${path}**/*.test.ts` : path))
