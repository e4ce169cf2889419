// What the command says of a walk, and which exit code it ends with.

import type { Explored } from './explore.ts'

/** One line, and the way to what is wrong where something is. */
export function told(name: string, explored: Explored): string {
  const { dialled, ends, isWhole, states, steps, violation } = explored
  const sums = `${steps} steps, ${ends} ends, ${dialled} dialled`
  if (violation) return `${name}: ${violation.what}\n  ${violation.path.join('\n  ')}`
  return isWhole
    ? `${name}: all ${states} states, ${sums}`
    : `${name}: the nearest ${states} states only, ${sums}; not judged: whether each of them can come to an end`
}

/** 1: a promise is broken. 2: none is, as far as was walked, and what was to be walked whole was not. 0: all is well. */
export function exitCodeOf(walks: readonly (Explored & { readonly isToBeWhole: boolean })[]): 0 | 1 | 2 {
  if (walks.some(({ violation }) => violation)) return 1
  return walks.some(({ isToBeWhole, isWhole }) => isToBeWhole && !isWhole) ? 2 : 0
}
