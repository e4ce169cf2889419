// Checks the promises after a run of the simulation, from plain facts alone.

import { checkFacts } from '../../checker/checker.ts'
import { backgroundChecks } from './backgroundChecks.ts'
import { eventChecks } from './eventChecks.ts'
import { recordChecks } from './recordChecks.ts'
import type { Truth } from './truth.ts'

/** All violations, each as a readable line that begins with the code of its promise. */
export function check(truth: Truth): string[] {
  const own = [...recordChecks, ...eventChecks, ...backgroundChecks]
  return [...checkFacts(truth), ...own.flatMap(checkPromise => checkPromise(truth))]
}
