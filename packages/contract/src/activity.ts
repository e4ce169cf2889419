// Activity: the record of administrative actions, as the API shows it.

import Type, { type Static } from 'typebox'
import { ActivityId } from './ids.ts'
import { closed, instant } from './text.ts'

/** Every action that is recorded (decisions.md, "Activity actions"). More may come within v1. */
export const activityActions = [
  'gate.created',
  'gate.updated',
  'gate.deactivated',
  'gate.reactivated',
  'member.created',
  'member.updated',
  'member.deactivated',
  'member.reactivated',
  'guest.access_added',
  'guest.access_updated',
  'guest.access_revoked',
  'member.link_reset',
  'api_key.created',
  'api_key.revoked',
  'gateway.enrolled',
  'gateway.revoked',
  'user.invited',
  'user.removed',
  'space.plan_changed',
] as const
export type ActivityAction = (typeof activityActions)[number]

export const ActivityEntry = closed({
  id: ActivityId,
  action: Type.String({
    description: `One of ${activityActions.join(', ')}; clients must tolerate others`,
    examples: ['guest.access_added'],
  }),
  actor: Type.String({ description: '`api:<key name>`, `user:<e-mail>`, `operator` or `system`' }),
  targetType: Type.String({ examples: ['member'] }),
  targetLabel: Type.String(),
  details: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'deviceName (the gate\'s name) where a gate is concerned; changes: {field: {from, to}} of an update, where a member\'s email, phone and note are null or "(set)"',
    },
  ),
  timestamp: instant('When it was done'),
})
export type ActivityEntry = Static<typeof ActivityEntry>
