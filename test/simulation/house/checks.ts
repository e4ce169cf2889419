// What must hold after every seed, judged from plain facts.

import { callChecks } from './callChecks.ts'
import { recordChecks } from './recordChecks.ts'
import type { Truth } from './truth.ts'

/** Every violation, readable. */
export function check(truth: Truth): string[] {
  return [...callChecks, ...recordChecks].flatMap(judge => judge(truth))
}
