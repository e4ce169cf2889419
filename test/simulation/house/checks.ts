// Checks the promises after a run of the simulation, from plain facts alone.

import { callChecks } from './callChecks.ts'
import { eventChecks } from './eventChecks.ts'
import { officeChecks } from './officeChecks.ts'
import { recordChecks } from './recordChecks.ts'
import { spaceChecks } from './spaceChecks.ts'
import type { Truth } from './truth.ts'

/** All violations, each as a readable line that begins with the code of its promise. */
export function check(truth: Truth): string[] {
  return [...callChecks, ...recordChecks, ...eventChecks, ...officeChecks, ...spaceChecks].flatMap(
    checkPromise => checkPromise(truth),
  )
}
