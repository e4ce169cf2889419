// The sum of the results of many seeds.

export interface Sum {
  readonly seeds: number
  readonly openings: number
  readonly calls: number
  readonly faults: Readonly<Record<string, number>>
  readonly moves: Readonly<Record<string, number>>
  readonly endings: Readonly<Record<string, number>>
  readonly violations: readonly string[]
}

type Counts = Readonly<Record<string, number>>

export const noSeeds: Sum = {
  seeds: 0,
  openings: 0,
  calls: 0,
  faults: {},
  moves: {},
  endings: {},
  violations: [],
}

function both(one: Counts, other: Counts): Counts {
  const sum = { ...one }
  for (const [name, count] of Object.entries(other)) sum[name] = (sum[name] ?? 0) + count
  return sum
}

export function addUp(sum: Sum, run: Omit<Sum, 'seeds'> & { readonly seeds?: number }): Sum {
  return {
    seeds: sum.seeds + (run.seeds ?? 1),
    openings: sum.openings + run.openings,
    calls: sum.calls + run.calls,
    faults: both(sum.faults, run.faults),
    moves: both(sum.moves, run.moves),
    endings: both(sum.endings, run.endings),
    violations: [...sum.violations, ...run.violations],
  }
}
