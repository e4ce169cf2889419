// Runs the tests that are named for the planted bugs, each with its bug and once without any, in one build. It prints
// the outcomes as JSON. It is a process of its own, because a test cannot run vitest in its process.

import { createVitest } from 'vitest/node'
import { forAll } from '../../vitest.config.ts'
import { bugs } from './bugs.ts'
import { type Outcome, outcomeOf } from './outcome.ts'
import { plantedBugs, repository, testId } from './switch.ts'

const anyPromise = /\b[ACGLPT]\d\b/

const vitest = await createVitest(
  'test',
  {
    ...forAll,
    config: false,
    root: repository,
    watch: false,
    include: [],
    // A process serves one test file after the other; each begins with modules of its own.
    isolate: false,
    maxWorkers: 2,
    reporters: [{}],
  },
  { plugins: [plantedBugs(bugs)] },
)
const project = vitest.getRootProject()
const unplanted = [...new Set(bugs.map(({ test }) => test))].map(test =>
  project.createSpecification(testId(test, 'none'), { testNamePattern: anyPromise }),
)
const withBug = bugs.map(({ breaks, test }, place) =>
  project.createSpecification(testId(test, place), { testNamePattern: new RegExp(`\\b${breaks}\\b`) }),
)
const { testModules } = await vitest.runTestSpecifications([...withBug, ...unplanted])
const outcomes: readonly Outcome[] = testModules.map(module => outcomeOf(module))
// A test that a bug made fail may have left open what keeps its process alive: they are ended.
await vitest.close()
process.stdout.write(JSON.stringify(outcomes), () => process.exit(0))
