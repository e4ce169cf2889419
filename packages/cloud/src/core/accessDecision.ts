// Whether an access opens its gate at an instant, why not, and when next: presses and all pages ask here.

import type { AccessStatus } from '@callgate/contract/app/appMember'
import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { type Hours, hoursAt } from './schedule/decide.ts'

/** What an access depends on. */
export interface AccessFacts {
  readonly isGateActive: boolean
  readonly isActive: boolean
  readonly schedules: readonly Schedule[]
  readonly maxUsage: number | null
  readonly usageCount: number
}

export interface AccessDecision {
  /** Why a press is refused, as it is recorded; undefined where it is not. */
  readonly refusal: ReasonWord | undefined
  /** How the access stands, as a page says it: `allowed_now` where no press is refused, and nowhere else. */
  readonly standing: AccessStatus
  /** When it opens next without a change by anybody; null while it opens, and where somebody has to change something first. */
  readonly nextMs: number | null
  /** Null: as many as one likes. */
  readonly usesLeft: number | null
}

type Switches = Pick<AccessFacts, 'isActive' | 'isGateActive'>

const isOver = (hours: Hours) => !hours.allowed && hours.nextMs === null

/**
 * A press is refused for the cap only where nothing else refuses it. `decidePress` excuses a cap that the running call itself
 * has reached, and that must excuse nothing else.
 */
function refusalOf({ isActive, isGateActive }: Switches, hours: Hours, isUsedUp: boolean) {
  if (!isGateActive) return 'gate_inactive'
  if (!isActive) return 'access_inactive'
  if (!hours.allowed) return isOver(hours) ? 'access_ended' : 'outside_schedule'
  return isUsedUp ? 'usage_exhausted' : undefined
}

/**
 * A page names first what has ended, whatever else is in the way. Hours come last, because they pass by themselves: a page
 * that names them also says when the gate opens next, and nothing else may be in the way then.
 */
function statusOf({ isActive, isGateActive }: Switches, hours: Hours, isUsedUp: boolean): AccessStatus {
  if (isOver(hours)) return 'ended'
  if (!isGateActive) return 'gate_off'
  if (!isActive) return 'switched_off'
  if (isUsedUp) return 'used_up'
  if (hours.allowed) return 'allowed_now'
  return hours.why === 'not_yet' ? 'not_yet' : 'outside_hours'
}

/** Decides on an access at `nowMs`, milliseconds since the epoch. That the plan of its Space has ended is no reason. */
export function decideAccess(access: AccessFacts, nowMs: number): AccessDecision {
  const { maxUsage, schedules, usageCount } = access
  const hours = hoursAt(schedules, nowMs)
  const usesLeft = maxUsage === null ? null : Math.max(0, maxUsage - usageCount)
  const isUsedUp = usesLeft === 0
  const standing = statusOf(access, hours, isUsedUp)
  const waits = standing === 'not_yet' || standing === 'outside_hours'
  return {
    refusal: refusalOf(access, hours, isUsedUp),
    standing,
    nextMs: waits && !hours.allowed ? hours.nextMs : null,
    usesLeft,
  }
}
