// The activity of the Space itself: its settings, its plan, its lock-down, and what is done to a sandbox.

import Type from 'typebox'
import { nullable } from '../text.ts'
import { type Action, changesSchema, numberOrNull, text, textOrNull, told } from './activityDetails.ts'

const ofPlan = changesSchema({
  plan: text,
  trialEndsAt: textOrNull,
  gateLimit: numberOrNull,
  monthlyInvitationLimit: numberOrNull,
  gatewayLimit: numberOrNull,
  keyLimit: numberOrNull,
  userLimit: numberOrNull,
  webhookLimit: numberOrNull,
  allowedCountries: nullable(Type.Array(text)),
})

/** The actions on the Space. */
export const spaceActions = {
  'space.updated': {
    targetType: 'space',
    says: 'The name, the zone or another setting of the Space was changed',
    details: told({
      changes: changesSchema({
        name: text,
        country: text,
        timezone: text,
        language: text,
        contactName: textOrNull,
        contactPhone: textOrNull,
        keepIdentities: text,
        updateHours: textOrNull,
        allowedCountries: nullable(Type.Array(text)),
      }),
    }),
  },
  'space.templates_changed': {
    targetType: 'space',
    says: 'Templates of accesses were added, changed or removed, by these names. No access changes with them',
    details: told({ added: Type.Array(text), changed: Type.Array(text), removed: Type.Array(text) }),
  },
  'space.locked_down': {
    targetType: 'space',
    says: 'All gates of the Space were locked, which ended so many presses that waited for their call',
    details: told({ ended: Type.Integer() }),
  },
  'space.lock_down_ended': {
    targetType: 'space',
    says: 'The lock-down of the Space was ended, which began at `since`',
    details: told({ since: text }),
  },
  'sandbox.clock_set': {
    targetType: 'space',
    says: 'The clock of a sandbox was set, or released (`at` is null then)',
    details: told({ at: textOrNull, isFrozen: Type.Boolean() }),
  },
  'sandbox.reset': {
    targetType: 'space',
    says: 'A sandbox was emptied: so many gates and members were deactivated',
    details: told({ gates: Type.Integer(), members: Type.Integer() }),
  },
  'space.plan_changed': {
    targetType: 'space',
    says: "The Space's plan, or a limit of its own, was changed",
    details: told({ changes: ofPlan }),
  },
} as const satisfies Record<string, Action>
