// The report of a walk, and the exit code of the command.

import type { Explored } from './explore.ts'

/** One line; after a violation also the moves that lead to it. */
export function reportOf(name: string, explored: Explored): string {
  const { dialled, ends, isWhole, states, steps, violation } = explored
  const sums = `${steps} steps, ${ends} ends, ${dialled} dialled`
  if (violation) return `${name}: ${violation.what}\n  ${violation.path.join('\n  ')}`
  return isWhole
    ? `${name}: all ${states} states, ${sums}`
    : `${name}: the nearest ${states} states only, ${sums}; not checked: whether each of them can reach an end`
}

/** 1: a promise is broken. 2: no promise is broken, but a walk that must be complete was not. 0: otherwise. */
export function exitCodeOf(walks: readonly (Explored & { readonly isToBeWhole: boolean })[]): 0 | 1 | 2 {
  if (walks.some(({ violation }) => violation)) return 1
  return walks.some(({ isToBeWhole, isWhole }) => isToBeWhole && !isWhole) ? 2 : 0
}
