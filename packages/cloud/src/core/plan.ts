// Plans: which one is in force, and which limits it has.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Month } from './month.ts'

/** The names of the plans; their limits are data, in the table `plans`. */
export const planNames = ['free', 'pro', 'business', 'trial'] as const
export type PlanName = (typeof planNames)[number]

/** The limits of a plan, each of which a Space may replace with its own. */
export const planLimits = [
  'gateLimit',
  'monthlyInvitationLimit',
  'gatewayLimit',
  'keyLimit',
  'userLimit',
  'webhookLimit',
] as const
export type PlanLimit = (typeof planLimits)[number]

export interface Plan extends Readonly<Record<PlanLimit, number>> {
  readonly name: string
  readonly hasApi: boolean
  readonly trialDays: number | null
}

/** The limits that a Space has of its own; null where the plan's limit holds. */
export type OwnLimits = {
  readonly [Limit in PlanLimit]: number | null
}

/** The name of the plan in force at `nowMs`: a trial that has ended is the free plan. */
export function planInForce(
  space: { readonly plan: string; readonly trialEndsAt: string | null },
  nowMs: number,
): string {
  return space.trialEndsAt !== null && Date.parse(space.trialEndsAt) <= nowMs ? 'free' : space.plan
}

/** The plan with a Space's own limits in place of its limits. */
export function withOwnLimits(plan: Plan, own: OwnLimits): Plan {
  const limits = planLimits.map(limit => [limit, own[limit] ?? plan[limit]])
  return { ...plan, ...(Object.fromEntries(limits) as Record<PlanLimit, number>) }
}

/** Why no key of a Space works when its plan has no API. `trialEndedAt` is null where no trial has ended. */
export function apiRefusal(planInForce: string, trialEndedAt: string | null): string {
  return trialEndedAt === null
    ? `The plan ${planInForce} of this Space does not include API access.`
    : `The trial of this Space ended at ${trialEndedAt}, and the plan ${planInForce} does not include API access.`
}

// The texts state the limit of the Space without its plan, because the limit may be the Space's own.

/** The limits on what a Space has at a time, with the words of each refusal. */
const refusals = {
  gateLimit: 'gate_limit',
  gatewayLimit: 'gateway_limit',
  keyLimit: 'key_limit',
  userLimit: 'user_limit',
  webhookLimit: 'webhook_limit',
} as const
export type HeldLimit = keyof typeof refusals

/** Why one more thing of the kind `of` is refused; undefined when there is room for it. */
export function limitRefusal(plan: Plan, of: HeldLimit, used: number): Problem | undefined {
  const limit = plan[of]
  return used < limit ? undefined : refuse(refusals[of], { limit, used })
}

/** Why one more member is refused in `month`, in which `used` members were created; undefined when there is room. */
export function invitationRefusal(plan: Plan, used: number, month: Month): Problem | undefined {
  const { monthlyInvitationLimit: limit } = plan
  const { endsAt: resetsAt, timezone } = month
  return used < limit ? undefined : refuse('invitation_limit', { limit, used, resetsAt, timezone })
}
