// The ladder: what is tried, and after which pause, to get a modem back that cannot be set up.

/** What a command outside of this program can do to the modem's wires. */
export const hookNames = ['pwrkey', 'reset', 'supply'] as const
export type HookName = (typeof hookNames)[number]

/** `reopen`: the port alone; `restart`: AT+CFUN=1,1 as well; a hook before the port is opened. */
export type Rung = 'reopen' | 'restart' | HookName

/**
 * After `failures` starts in a row that failed. To get in step again (resync) costs nothing and is tried by the dialogue
 * before anything gets here; from the third failure on the hooks that there are take turns with the milder rungs.
 */
export function rungAfter(failures: number, hooks: readonly HookName[]): Rung {
  if (failures <= 0) return 'reopen'
  const rungs: readonly Rung[] = ['restart', ...hookNames.filter(name => hooks.includes(name))]
  return rungs[(failures - 1) % rungs.length] ?? 'restart'
}

/** Cutting the supply is no cure to repeat all night: at most every 10 minutes; the port is looked for more often. */
const longestPauseMs: Readonly<Record<Rung, number>> = {
  reopen: 30_000,
  restart: 30_000,
  pwrkey: 600_000,
  reset: 600_000,
  supply: 600_000,
}

/** Milliseconds before that rung: half a second, doubled with each failure. */
export function pauseBeforeMs(failures: number, rung: Rung): number {
  return Math.min(longestPauseMs[rung], 500 * 2 ** Math.min(failures, 12))
}
