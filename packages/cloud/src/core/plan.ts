// Plans: which one is in force, and what it allows.

/** The word for each plan; what each allows is data, in the table `plans`. */
export const planNames = ['free', 'pro', 'business', 'trial'] as const
export type PlanName = (typeof planNames)[number]

export interface Plan {
  readonly name: string
  readonly gateLimit: number
  readonly monthlyInvitationLimit: number
  readonly hasApi: boolean
  readonly trialDays: number | null
}

/** The name of the plan that counts at `nowMs`: a trial that has ended is the free plan. */
export function planInForce(
  space: { readonly plan: string; readonly trialEndsAt: string | null },
  nowMs: number,
): string {
  return space.trialEndsAt !== null && Date.parse(space.trialEndsAt) <= nowMs ? 'free' : space.plan
}

/** Why one more active gate is refused; undefined when the plan has room for it. */
export function gateRefusal(plan: Plan, activeGates: number): string | undefined {
  if (activeGates < plan.gateLimit) return undefined
  const gates = plan.gateLimit === 1 ? '1 active gate' : `${plan.gateLimit} active gates`
  return `The plan ${plan.name} allows ${gates}, and ${activeGates} ${activeGates === 1 ? 'is' : 'are'} in use; this limit does not reset. Deactivate a gate or change the plan.`
}
