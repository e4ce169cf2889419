// An incident: when something that went wrong counts as begun and as over, by what is seen of it from time to time.

import type { IncidentKind } from '@callgate/contract/app/incidentKinds'

/**
 * What is seen of a thing. `between`: neither bad nor clearly well; `unknown`: nothing can be seen; `gone`: the thing is
 * switched off, so that nobody waits for it any more.
 */
export type TargetHealth = 'bad' | 'between' | 'unknown' | 'well' | 'gone'

interface Rule {
  /** How long it must be bad, and never well, before the incident is opened. Milliseconds. */
  readonly opensAfterMs: number
  /** How long it must be well before the incident is closed. Milliseconds. */
  readonly closesAfterMs: number
}

const minuteMs = 60_000

/** A gateway that is not heard for so long is an incident. Milliseconds. */
export const silentForMs = 5 * minuteMs
/** A gateway that was away is back when it has been online for so long. Milliseconds. */
export const backForMs = minuteMs
/** A gate that was called so often in a row without a reaction is an incident. */
export const missesOfIncident = 3

/** Silence, misses, drifts and failed mails are measured before they are seen: what is seen counts at once. */
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
}

/** An incident that goes on, or that is watched: without `openedMs` it has not lasted long enough. Milliseconds since 1970. */
export interface Watched {
  readonly seenMs: number
  readonly openedMs: number | undefined
  /** Since when it is well again. */
  readonly betterMs: number | undefined
}

/** What a look at a thing does. */
export type IncidentStep =
  | { readonly does: 'nothing' }
  /** It is bad since `seenMs`; a row is kept until that has lasted. */
  | { readonly does: 'watch'; readonly seenMs: number }
  | { readonly does: 'forget' }
  | { readonly does: 'open'; readonly seenMs: number }
  /** It is well since then; undefined: not any more. */
  | { readonly does: 'better'; readonly betterMs: number | undefined }
  /** `isGone`: nobody is told of its end. */
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

/** What a look at `nowMs` does to the incident of a thing. `sinceMs`: since when it is bad, where that is known. */
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
