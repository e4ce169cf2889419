// Plans: which one is in force, and what it allows.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Month } from './month.ts'

/** The word for each plan; what each allows is data, in the table `plans`. */
export const planNames = ['free', 'pro', 'business', 'trial'] as const
export type PlanName = (typeof planNames)[number]

/** What a plan limits, and a Space may have limits of its own for. */
export const planLimits = [
  'gateLimit',
  'monthlyInvitationLimit',
  'gatewayLimit',
  'keyLimit',
  'userLimit',
] as const
export type PlanLimit = (typeof planLimits)[number]

export interface Plan extends Readonly<Record<PlanLimit, number>> {
  readonly name: string
  readonly hasApi: boolean
  readonly trialDays: number | null
}

/** The limits that a Space has of its own; null where the plan's holds. */
export type OwnLimits = {
  readonly [Limit in PlanLimit]: number | null
}

/** The name of the plan that counts at `nowMs`: a trial that has ended is the free plan. */
export function planInForce(
  space: { readonly plan: string; readonly trialEndsAt: string | null },
  nowMs: number,
): string {
  return space.trialEndsAt !== null && Date.parse(space.trialEndsAt) <= nowMs ? 'free' : space.plan
}

/** The plan as it holds for a Space with limits of its own. */
export function withOwnLimits(plan: Plan, own: OwnLimits): Plan {
  const limits = planLimits.map(limit => [limit, own[limit] ?? plan[limit]])
  return { ...plan, ...(Object.fromEntries(limits) as Record<PlanLimit, number>) }
}

/** Why no key of a Space works whose plan in force has no API. `trialEndedAt` is null where no trial has ended. */
export function apiRefusal(planInForce: string, trialEndedAt: string | null): string {
  return trialEndedAt === null
    ? `The plan ${planInForce} of this Space does not include API access.`
    : `The trial of this Space ended at ${trialEndedAt}, and the plan ${planInForce} does not include API access.`
}

// What the Space may is told without its plan, for the limit may be the Space's own.

/** The limits on what a Space has at a time, and what a refusal is called. */
const refusals = {
  gateLimit: 'gate_limit',
  gatewayLimit: 'gateway_limit',
  keyLimit: 'key_limit',
  userLimit: 'user_limit',
} as const
export type HeldLimit = keyof typeof refusals

/** Why one more is refused of what `of` limits; undefined when there is room for it. */
export function limitRefusal(plan: Plan, of: HeldLimit, used: number): Problem | undefined {
  const limit = plan[of]
  return used < limit ? undefined : refuse(refusals[of], { limit, used })
}

/** Why one more member is refused in `month`, of which `used` were created; undefined when there is room. */
export function invitationRefusal(plan: Plan, used: number, month: Month): Problem | undefined {
  const { monthlyInvitationLimit: limit } = plan
  const { endsAt: resetsAt, timezone } = month
  return used < limit ? undefined : refuse('invitation_limit', { limit, used, resetsAt, timezone })
}
