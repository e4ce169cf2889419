// How an access stands: what it allows now and next, and when it ends for good.

import { type AccessNow, type Standing, standings } from '@callgate/contract/app/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { AccessFacts } from './permit.ts'
import { decide, endsMs } from './schedule/decide.ts'

const isoOrNull = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString())

/** What schedules alone say of an access, at one instant. */
export type Times = Pick<AccessNow, 'standing' | 'untilAt' | 'nextAt' | 'endsAt'>

/** What the schedules say at `nowMs`. It is the most work of all, so whoever asks for many accesses keeps it. */
export function timesOf(schedules: readonly Schedule[], nowMs: number): Times {
  const decision = decide(schedules, nowMs)
  const endsAt = isoOrNull(endsMs(schedules))
  if (decision.allowed)
    return { standing: 'allowed_now', untilAt: isoOrNull(decision.untilMs), nextAt: null, endsAt }
  const { nextMs, why } = decision
  const nextAt = isoOrNull(nextMs)
  const standing = nextMs === null ? 'ended' : why === 'not_yet' ? 'not_yet' : 'outside_hours'
  return { standing, untilAt: null, nextAt, endsAt }
}

/** Why an access opens nothing now, whatever its schedules say; undefined where they decide. */
function shutBy(
  { isActive, maxUsage, usageCount }: Omit<AccessFacts, 'schedules'>,
  isGateActive: boolean,
): Standing | undefined {
  if (!isGateActive) return 'gate_off'
  if (!isActive) return 'switched_off'
  return maxUsage !== null && usageCount >= maxUsage ? 'used_up' : undefined
}

/** How an access stands whose schedules say `times`. What has ended has ended, whatever else is in its way. */
export function standingOf(
  access: Omit<AccessFacts, 'schedules'>,
  isGateActive: boolean,
  times: Times,
): AccessNow {
  const shut = times.standing === 'ended' ? undefined : shutBy(access, isGateActive)
  const { maxUsage, usageCount } = access
  return {
    ...times,
    ...(shut !== undefined && { standing: shut, untilAt: null, nextAt: null }),
    usesLeft: maxUsage === null ? null : Math.max(0, maxUsage - usageCount),
  }
}

/** The latest of several ends, of which null is the latest. */
function lastOf(ends: readonly (string | null)[]): string | null {
  const known = ends.filter(at => at !== null)
  return known.length < ends.length ? null : (known.sort().at(-1) ?? null)
}

/** How a member stands who has these accesses: as the best of them does. */
export function bestOf(
  accesses: readonly AccessNow[],
): Pick<AccessNow, 'untilAt' | 'nextAt' | 'endsAt'> & { readonly standing: Standing | null } {
  const standing = standings.find(one => accesses.some(access => access.standing === one)) ?? null
  const best = accesses.filter(access => access.standing === standing)
  return {
    standing,
    untilAt: lastOf(best.map(({ untilAt }) => untilAt)),
    nextAt: best.flatMap(({ nextAt }) => nextAt ?? []).sort()[0] ?? null,
    endsAt: lastOf(accesses.map(({ endsAt }) => endsAt)),
  }
}
