// Which search of `pnpm hunt` comes next, so that each gets its share of the time.

export interface Turn {
  readonly name: string
  readonly share: number
  /** The time that the search has used so far, in milliseconds of all workers together. */
  readonly usedMs: number
  /** The time of its last portion, in milliseconds; 0 before the first. */
  readonly lastMs: number
}

/** The search that is furthest behind its share and fits into the remaining time; undefined when none fits. */
export function nextTurn<One extends Turn>(turns: readonly One[], leftMs: number): One | undefined {
  return turns
    .filter(({ lastMs }) => lastMs < leftMs)
    .reduce<One | undefined>(
      (first, one) => (first && first.usedMs / first.share <= one.usedMs / one.share ? first : one),
      undefined,
    )
}
