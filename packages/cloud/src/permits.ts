// What a press and a grant read before they decide: the gate with its profile, and whether it may be dialled.

import type { CallProfile } from '@callgate/contract/callProfile'
import type { ReasonWord } from '@callgate/contract/reason'
import type { OpeningRow } from './core/opening.ts'
import { refusal } from './core/permit.ts'
import { planInForce } from './core/plan.ts'
import type { Db } from './database.ts'

export interface GateToOpen {
  readonly name: string
  readonly phoneNumber: string
  readonly isActive: boolean
  readonly callProfile: CallProfile
}

/** The gate as a press or a grant needs it; undefined when the Space has none of that id. */
export async function readGateToOpen(
  db: Db,
  spaceId: string,
  gateId: string,
): Promise<GateToOpen | undefined> {
  const row = await db('gates')
    .select('name', 'phoneNumber', 'isActive', 'callProfile')
    .where({ id: gateId, spaceId })
    .first()
  return (
    row && {
      name: row.name,
      phoneNumber: row.phoneNumber,
      isActive: Boolean(row.isActive),
      callProfile: JSON.parse(row.callProfile) as CallProfile,
    }
  )
}

/** Reads, inside the grant's transaction, all that allows `opening`, and says why it is refused, if it is. */
export async function readPermit(
  tx: Db,
  opening: OpeningRow,
  nowMs: number,
): Promise<{ readonly denied: ReasonWord | undefined; readonly callProfile: CallProfile } | undefined> {
  const gate = await readGateToOpen(tx, opening.spaceId, opening.gateId)
  if (!gate) return undefined
  const asked = await tx('apiKeys')
    .join('spaces', 'spaces.id', 'apiKeys.spaceId')
    .select('apiKeys.scopes', 'apiKeys.revokedAt', 'apiKeys.expiresAt', 'spaces.plan', 'spaces.trialEndsAt')
    .where({ 'apiKeys.id': opening.apiKeyId, 'apiKeys.spaceId': opening.spaceId })
    .first()
  const plans = await tx('plans').select('name', 'hasApi')
  const plan = asked && planInForce(asked, nowMs)
  const denied = refusal({
    nowMs,
    acceptedNumber: opening.phoneNumber,
    gate,
    apiKey: {
      revokedAt: asked ? asked.revokedAt : opening.calledAt,
      expiresAt: asked?.expiresAt ?? null,
      mayOpen: asked ? (JSON.parse(asked.scopes) as string[]).includes('gates:open') : false,
    },
    planHasApi: Boolean(plans.find(row => row.name === plan)?.hasApi),
  })
  return { denied, callProfile: gate.callProfile }
}
