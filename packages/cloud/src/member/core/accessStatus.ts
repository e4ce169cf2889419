// How accesses and their members stand, as the dashboard lists them.

import { type AccessNow, type AccessStatus, standings } from '@callgate/contract/app/appMember'
import { type AccessFacts, decideAccess } from '../../core/accessDecision.ts'
import { endsMs } from '../../core/schedule/decide.ts'

const isoOrNull = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString())

/**
 * How an access stands at `nowMs`. Its schedules go on to allow that instant until `untilMs` (null: for ever). It is the most
 * work of all to find that out, so whoever asks for many accesses keeps it.
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

/** How a member stands who has these accesses: as the best of them does. */
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
