// An incident: decides from repeated checks when a fault counts as begun and as over.

import type { IncidentKind } from '@callgate/contract/app/incidentKinds'

/**
 * The result of a check. `between`: neither bad nor clearly well; `unknown`: the state is not known; `gone`: the thing is
 * switched off, so that nobody expects it to work.
 */
export type TargetHealth = 'bad' | 'between' | 'unknown' | 'well' | 'gone'

interface Rule {
  /** How long it must be bad, and never well, before the incident is opened. Milliseconds. */
  readonly opensAfterMs: number
  /** How long it must be well before the incident is closed. Milliseconds. */
  readonly closesAfterMs: number
}

const minuteMs = 60_000

/** A gateway that is not heard for this long is an incident. Milliseconds. */
export const silentForMs = 5 * minuteMs
/** A gateway that was away is back when it has been online for this long. Milliseconds. */
export const backForMs = minuteMs
/** A gate without a reaction to this many calls in a row is an incident. */
export const missesOfIncident = 3

/** Silence, misses, drifts and failed mails are measured over time before the check, so its result counts at once. */
const atOnce: Rule = { opensAfterMs: 0, closesAfterMs: 0 }
const lasting: Rule = { opensAfterMs: 10 * minuteMs, closesAfterMs: 10 * minuteMs }

const rules: Readonly<Record<IncidentKind, Rule>> = {
  gateway_offline: atOnce,
  gate_not_reacting: atOnce,
  gate_drifted: atOnce,
  signal_low: lasting,
  supply_low: lasting,
  sim_card: atOnce,
  mail_failing: atOnce,
  webhook_stopped: atOnce,
}

/** An incident that is open or watched: without `openedMs` it has not lasted long enough. Milliseconds since 1970. */
export interface Watched {
  readonly seenMs: number
  readonly openedMs: number | undefined
  /** Since when it has been well again. */
  readonly betterMs: number | undefined
}

/** The effect of a check. */
export type IncidentStep =
  | { readonly does: 'nothing' }
  /** It has been bad since `seenMs`; a row is kept until that has lasted long enough. */
  | { readonly does: 'watch'; readonly seenMs: number }
  | { readonly does: 'forget' }
  | { readonly does: 'open'; readonly seenMs: number }
  /** It has been well since then; undefined: not any more. */
  | { readonly does: 'better'; readonly betterMs: number | undefined }
  /** `isGone`: nobody is notified of its end. */
  | { readonly does: 'close'; readonly isGone: boolean }

const nothing: IncidentStep = { does: 'nothing' }

function stepBefore(
  watched: Watched | undefined,
  seen: TargetHealth,
  rule: Rule,
  sinceMs: number,
  nowMs: number,
) {
  // A watch from the future was begun before the clock was set back: it begins again.
  const isKept = watched !== undefined && watched.seenMs <= nowMs
  if (seen === 'between' && isKept) return nothing
  if (seen !== 'bad') return watched ? ({ does: 'forget' } as const) : nothing
  const seenMs = isKept ? watched.seenMs : sinceMs
  if (nowMs - seenMs >= rule.opensAfterMs) return { does: 'open', seenMs } as const
  return isKept ? nothing : ({ does: 'watch', seenMs } as const)
}

function stepOpen({ betterMs }: Watched, seen: TargetHealth, rule: Rule, nowMs: number): IncidentStep {
  if (seen === 'gone') return { does: 'close', isGone: true }
  if (seen !== 'well') return betterMs === undefined ? nothing : { does: 'better', betterMs: undefined }
  const sinceMs = betterMs !== undefined && betterMs <= nowMs ? betterMs : nowMs
  if (nowMs - sinceMs >= rule.closesAfterMs) return { does: 'close', isGone: false }
  return sinceMs === betterMs ? nothing : { does: 'better', betterMs: sinceMs }
}

/** The effect of a check at `nowMs` on the incident of a thing. `sinceMs`: since when it is bad, where that is known. */
export function incidentStep(
  kind: IncidentKind,
  watched: Watched | undefined,
  { seen, sinceMs }: { readonly seen: TargetHealth; readonly sinceMs?: number | undefined },
  nowMs: number,
): IncidentStep {
  const rule = rules[kind]
  if (watched?.openedMs !== undefined) return stepOpen(watched, seen, rule, nowMs)
  return stepBefore(watched, seen, rule, Math.min(sinceMs ?? nowMs, nowMs), nowMs)
}
