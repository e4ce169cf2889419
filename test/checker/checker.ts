// The checker of calls and their records, for the facts of the simulated house and of real processes.

import { callChecks } from './callChecks.ts'
import type { Facts } from './facts.ts'
import { recordChecks } from './recordChecks.ts'
import { spaceChecks } from './spaceChecks.ts'

/** All violations in calls and their records, each a readable line that begins with the code of its promise. */
export function checkFacts(facts: Facts): string[] {
  return [...callChecks, ...recordChecks, ...spaceChecks].flatMap(checkPromise => checkPromise(facts))
}
