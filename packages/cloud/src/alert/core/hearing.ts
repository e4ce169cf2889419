// Hearing: since when the cloud could have heard its gateways. Only from then on does their silence say something of them.

export interface Hearing {
  /** When the process showed last that it runs, by both clocks. */
  readonly nowMs: number
  readonly monotonicMs: number
  /** Since when gateways can be heard, milliseconds since 1970; undefined: they cannot. */
  readonly sinceMs: number | undefined
  /** No gateway at all is heard, of many in several Spaces. */
  readonly isDeaf: boolean
}

/** What is seen at one look. */
export interface HearingCheck {
  readonly nowMs: number
  readonly monotonicMs: number
  /** Whether the cloud is connected to the broker. */
  readonly isConnected: boolean
  /** The gateways that were heard within the last day. */
  readonly gateways: number
  /** The Spaces that they belong to. */
  readonly spaces: number
  /** When any of them was heard last; undefined where there is none. */
  readonly newestMs: number | undefined
}

/**
 * From so many gateways, in at least two Spaces, the silence of all is the trouble of the broker or of the cloud: they have
 * neither power nor network in common. Fewer can be away together.
 */
export const deafFrom = { gateways: 5, spaces: 2 } as const
/** When nothing shows for so long that the process runs, it or the machine stalled. Milliseconds. */
const heldUpMs = 90_000
/** The two clocks of one machine differ by less, unless the wall clock was set. Milliseconds. */
const clockSlackMs = 5_000
/** Longer than the gateways take to come back after a restart of the broker, and shorter than a silence that counts. Milliseconds. */
const deafAfterMs = 120_000

type Clocks = Pick<Hearing, 'nowMs' | 'monotonicMs'>

function wasInterrupted(before: Hearing, { monotonicMs, nowMs }: Clocks): boolean {
  const passedMs = monotonicMs - before.monotonicMs
  return passedMs > heldUpMs || Math.abs(nowMs - before.nowMs - passedMs) > clockSlackMs
}

/** The hearing when the process shows that it runs, between two looks: a look at many gateways takes long. */
export function stillHearing(before: Hearing, clocks: Clocks): Hearing {
  return { ...before, ...clocks, sinceMs: wasInterrupted(before, clocks) ? undefined : before.sinceMs }
}

/** The hearing after a look. `before` is undefined at the start of the cloud, which hears from then on. */
export function hearingAfter(before: Hearing | undefined, check: HearingCheck): Hearing {
  const { gateways, isConnected, monotonicMs, newestMs, nowMs, spaces } = check
  const clocks = { nowMs, monotonicMs }
  if (!isConnected) return { ...clocks, sinceMs: undefined, isDeaf: false }
  const isFresh = before?.sinceMs === undefined || wasInterrupted(before, check)
  const sinceMs = isFresh ? nowMs : before.sinceMs
  const areMany = gateways >= deafFrom.gateways && spaces >= deafFrom.spaces
  const heardMs = newestMs !== undefined && newestMs <= nowMs ? newestMs : 0
  // Once it is deaf, only a beat shows that it hears.
  const lastMs = before?.isDeaf ? heardMs : Math.max(sinceMs, heardMs)
  const isDeaf = areMany && nowMs - lastMs > deafAfterMs
  // The gateways are given time to come back once one is heard again.
  return { ...clocks, isDeaf, sinceMs: isDeaf || before?.isDeaf ? nowMs : sinceMs }
}
