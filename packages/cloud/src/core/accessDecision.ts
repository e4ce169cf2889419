// Decides whether an access opens its gate at an instant, why not, and when it opens next, for presses and all pages.

import type { ReasonWord } from '@callgate/contract/call/reason'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { AccessStatus } from '@callgate/contract/rest/standing'
import { type Hours, hoursAt } from './schedule/decide.ts'

/** The facts that decide on an access. */
export interface AccessFacts {
  readonly isGateActive: boolean
  readonly isActive: boolean
  readonly schedules: readonly Schedule[]
  readonly maxUsage: number | null
  readonly usageCount: number
}

export interface AccessDecision {
  /** The recorded reason why a press is refused; undefined where it is allowed. */
  readonly refusal: ReasonWord | undefined
  /** The status that a page shows. It is `allowed_now` exactly where no press is refused. */
  readonly standing: AccessStatus
  /** When the access opens next without a change; null while it is open, or where somebody has to change something first. */
  readonly nextMs: number | null
  /** Null: without a cap. */
  readonly usesLeft: number | null
}

type Switches = Pick<AccessFacts, 'isActive' | 'isGateActive'>

const isOver = (hours: Hours) => !hours.allowed && hours.nextMs === null

/**
 * A press is refused for the cap only where nothing else refuses it. `decidePress` ignores this refusal where the running call
 * has used the cap up, and it must not ignore another reason.
 */
function refusalOf({ isActive, isGateActive }: Switches, hours: Hours, isUsedUp: boolean) {
  if (!isGateActive) return 'gate_inactive'
  if (!isActive) return 'access_inactive'
  if (!hours.allowed) return isOver(hours) ? 'access_ended' : 'outside_schedule'
  return isUsedUp ? 'usage_exhausted' : undefined
}

/**
 * A page names an end first. It names the hours last, because they pass by themselves: a page that names them also says when the
 * gate opens next, so nothing else may prevent the opening then.
 */
function statusOf({ isActive, isGateActive }: Switches, hours: Hours, isUsedUp: boolean): AccessStatus {
  if (isOver(hours)) return 'ended'
  if (!isGateActive) return 'gate_off'
  if (!isActive) return 'switched_off'
  if (isUsedUp) return 'used_up'
  if (hours.allowed) return 'allowed_now'
  return hours.why === 'not_yet' ? 'not_yet' : 'outside_hours'
}

/** Decides on an access at `nowMs`, milliseconds since the epoch. An ended plan of the Space does not refuse a press. */
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
