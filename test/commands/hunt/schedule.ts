// Which search of `pnpm hunt` comes next, so that each gets its share of the time.

export interface Turn {
  readonly name: string
  readonly share: number
  /** What the search has used so far, milliseconds of all workers together. */
  readonly usedMs: number
  /** What its last portion took, milliseconds; 0 before the first. */
  readonly lastMs: number
}

/** The search that is furthest behind its share and fits into the rest of the time; undefined when none fits. */
export function nextTurn<One extends Turn>(turns: readonly One[], leftMs: number): One | undefined {
  return turns
    .filter(({ lastMs }) => lastMs < leftMs)
    .reduce<One | undefined>(
      (first, one) => (first && first.usedMs / first.share <= one.usedMs / one.share ? first : one),
      undefined,
    )
}
