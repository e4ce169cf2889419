// Hearing: since when the cloud could have heard its gateways. Their silence before that says nothing about them.

export interface Hearing {
  /** When the process last showed that it runs, by both clocks. */
  readonly nowMs: number
  readonly monotonicMs: number
  /** Since when gateways can be heard, milliseconds since 1970; undefined: they cannot be heard. */
  readonly sinceMs: number | undefined
  /** No gateway is heard, of many in several Spaces. */
  readonly isDeaf: boolean
}

/** The facts of one check. */
export interface HearingCheck {
  readonly nowMs: number
  readonly monotonicMs: number
  /** Whether the cloud is connected to the broker. */
  readonly isConnected: boolean
  /** The number of gateways that were heard within the last day. */
  readonly gateways: number
  /** The number of their Spaces. */
  readonly spaces: number
  /** When any of them was last heard; undefined where there is none. */
  readonly newestMs: number | undefined
}

/**
 * With at least this many gateways, in at least two Spaces, a silence of all is a fault of the broker or of the cloud: they share
 * neither power nor network. Fewer can be away together.
 */
export const deafFrom = { gateways: 5, spaces: 2 } as const
/** When the process does not show for this long that it runs, it or the machine has stalled. Milliseconds. */
const heldUpMs = 90_000
/** The two clocks of one machine differ by less, unless the wall clock was set. Milliseconds. */
const clockSlackMs = 5_000
/** Longer than gateways take to reconnect after a restart of the broker, and shorter than a silence that counts. Milliseconds. */
const deafAfterMs = 120_000

type Clocks = Pick<Hearing, 'nowMs' | 'monotonicMs'>

function wasInterrupted(before: Hearing, { monotonicMs, nowMs }: Clocks): boolean {
  const passedMs = monotonicMs - before.monotonicMs
  return passedMs > heldUpMs || Math.abs(nowMs - before.nowMs - passedMs) > clockSlackMs
}

/** The hearing when the process shows between two checks that it runs: a check of many gateways takes long. */
export function stillHearing(before: Hearing, clocks: Clocks): Hearing {
  return { ...before, ...clocks, sinceMs: wasInterrupted(before, clocks) ? undefined : before.sinceMs }
}

/** The hearing after a check. `before` is undefined at the start of the cloud, which hears from then on. */
export function hearingAfter(before: Hearing | undefined, check: HearingCheck): Hearing {
  const { gateways, isConnected, monotonicMs, newestMs, nowMs, spaces } = check
  const clocks = { nowMs, monotonicMs }
  if (!isConnected) return { ...clocks, sinceMs: undefined, isDeaf: false }
  const isFresh = before?.sinceMs === undefined || wasInterrupted(before, check)
  const sinceMs = isFresh ? nowMs : before.sinceMs
  const areMany = gateways >= deafFrom.gateways && spaces >= deafFrom.spaces
  const heardMs = newestMs !== undefined && newestMs <= nowMs ? newestMs : 0
  // Once the cloud is deaf, only a beat shows that it hears.
  const lastMs = before?.isDeaf ? heardMs : Math.max(sinceMs, heardMs)
  const isDeaf = areMany && nowMs - lastMs > deafAfterMs
  // Once one gateway is heard again, the others get time to reconnect.
  return { ...clocks, isDeaf, sinceMs: isDeaf || before?.isDeaf ? nowMs : sinceMs }
}
