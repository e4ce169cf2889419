// The status of accesses and their members in the dashboard's list.

import { type AccessNow, type AccessStatus, standings } from '@callgate/contract/rest/standing'
import { type AccessFacts, decideAccess } from '../../core/accessDecision.ts'
import { endsMs } from '../../core/schedule/decide.ts'

const isoOrNull = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString())

/**
 * The status of an access at `nowMs`. Its schedules allow access until `untilMs` (null: forever). That time is the costliest
 * part, so callers with many accesses cache it.
 */
export function accessNow(access: AccessFacts, nowMs: number, untilMs: number | null): AccessNow {
  const { nextMs, standing, usesLeft } = decideAccess(access, nowMs)
  return {
    standing,
    untilAt: isoOrNull(standing === 'allowed_now' ? untilMs : null),
    nextAt: isoOrNull(nextMs),
    endsAt: isoOrNull(endsMs(access.schedules)),
    usesLeft,
  }
}

/** The latest of several ends, of which null is the latest. */
function lastOf(ends: readonly (string | null)[]): string | null {
  const known = ends.filter(at => at !== null)
  return known.length < ends.length ? null : (known.sort().at(-1) ?? null)
}

/** The status of a member with these accesses, which is the best of theirs. */
export function bestOf(
  accesses: readonly AccessNow[],
): Pick<AccessNow, 'untilAt' | 'nextAt' | 'endsAt'> & { readonly standing: AccessStatus | null } {
  const standing = standings.find(one => accesses.some(access => access.standing === one)) ?? null
  const best = accesses.filter(access => access.standing === standing)
  return {
    standing,
    untilAt: lastOf(best.map(({ untilAt }) => untilAt)),
    nextAt: best.flatMap(({ nextAt }) => nextAt ?? []).sort()[0] ?? null,
    endsAt: lastOf(accesses.map(({ endsAt }) => endsAt)),
  }
}
