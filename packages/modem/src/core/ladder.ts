// The ladder of remedies for a modem that cannot be set up: the next remedy, and the pause before it.

/** What a command outside of this program can do to the modem's wires. */
export const hookNames = ['pwrkey', 'reset', 'supply'] as const
export type HookName = (typeof hookNames)[number]

/** `reopen`: opens the port again. `restart`: also sends AT+CFUN=1,1. A hook: runs it, then opens the port. */
export type Rung = 'reopen' | 'restart' | HookName

/**
 * The remedy after `failures` failed starts in a row: a restart, then each hook in turn, then a restart again. Before that
 * the dialogue has tried to get in step again, which costs nothing.
 */
export function rungAfter(failures: number, hooks: readonly HookName[]): Rung {
  if (failures <= 0) return 'reopen'
  const rungs: readonly Rung[] = ['restart', ...hookNames.filter(name => hooks.includes(name))]
  // Not tested: no rung at this place; the remainder is within the list.
  return rungs[(failures - 1) % rungs.length] ?? 'restart'
}

/** A hook runs at most every 10 minutes, as it cuts the supply or the power key. The port is tried more often. */
const longestPauseMs: Readonly<Record<Rung, number>> = {
  reopen: 30_000,
  restart: 30_000,
  pwrkey: 600_000,
  reset: 600_000,
  supply: 600_000,
}

/** The pause before that rung in milliseconds: half a second, doubled with each failure. */
export function pauseBeforeMs(failures: number, rung: Rung): number {
  return Math.min(longestPauseMs[rung], 500 * 2 ** Math.min(failures, 12))
}
