// The network watch: it decides when the network has been away for so long that the module is restarted.

export interface NetworkWatch {
  /** Since when the network is away, or the time of the last restart because of it; null: it is there. */
  readonly awaySinceMs: number | null
  /** Restarts since the network was last there. */
  readonly restarts: number
}

export const networkPresent: NetworkWatch = { awaySinceMs: null, restarts: 0 }

/** Some modules forget how to find a network. The time doubles with each restart that does not help. */
const restartAfterMs = 300_000
const longestWaitMs = 3_600_000

/** The watch after one check at `nowMs`, and whether the module is to be restarted now. */
export function watchNetwork(
  watch: NetworkWatch,
  isRegistered: boolean,
  nowMs: number,
): { readonly watch: NetworkWatch; readonly isRestartDue: boolean } {
  if (isRegistered) return { watch: networkPresent, isRestartDue: false }
  const awaySinceMs = watch.awaySinceMs ?? nowMs
  const waitMs = Math.min(longestWaitMs, restartAfterMs * 2 ** watch.restarts)
  if (nowMs - awaySinceMs < waitMs) return { watch: { ...watch, awaySinceMs }, isRestartDue: false }
  return { watch: { awaySinceMs: nowMs, restarts: watch.restarts + 1 }, isRestartDue: true }
}
