// Runs the tests named for the mutants, each with its mutant and once without any, in one build, and prints the outcomes as JSON;
// it is a process of its own, because a test cannot run vitest in its process.

import { createVitest } from 'vitest/node'
import { forAll } from '../../vitest.config.ts'
import { mutants } from './mutants.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { activeMutants, repository, testId } from './switch.ts'

const anyPromise = /\b[ACGLPSTW]\d\b/

const vitest = await createVitest(
  'test',
  {
    ...forAll,
    config: false,
    root: repository,
    watch: false,
    include: [],
    // A process runs one test file after the other; each begins with fresh modules.
    isolate: false,
    maxWorkers: 2,
    reporters: [{}],
  },
  { plugins: [activeMutants(mutants)] },
)
const project = vitest.getRootProject()
const withoutMutant = [...new Set(mutants.map(({ test }) => test))].map(test =>
  project.createSpecification(testId(test, 'none'), { testNamePattern: anyPromise }),
)
const withMutant = mutants.map(({ breaks, test }, place) =>
  project.createSpecification(testId(test, place), { testNamePattern: new RegExp(`\\b${breaks}\\b`) }),
)
const { testModules } = await vitest.runTestSpecifications([...withMutant, ...withoutMutant])
const outcomes: readonly Outcome[] = testModules.map(module => outcomeOf(module))
// A test that a mutant made fail may have left handles open that keep its process alive, so the processes are ended.
await vitest.close()
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0))
