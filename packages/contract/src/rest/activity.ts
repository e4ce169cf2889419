// Activity: the record of administrative actions, as the API shows it, and the details of each action.

import Type, { type Static } from 'typebox'
import { ActivityId } from '../ids.ts'
import { closed, instant, nullable, words } from '../text.ts'
import type { Access, AccessUpdate } from './access.ts'
import {
  type Action,
  changesSchema,
  type entryIds,
  isSet,
  numberOrNull,
  type RecordedFields,
  text,
  textOrNull,
  told,
} from './activityDetails.ts'
import { gateActions } from './gateActivity.ts'
import type { Member, MemberUpdate } from './member.ts'
import { Schedule } from './schedule.ts'
import { scopeNames } from './scope.ts'
import { spaceActions } from './spaceActivity.ts'
import { webhookActions } from './webhookActivity.ts'

const none = told({})
/** Of an action on an access. The target is the member. */
const ofAccess = { deviceName: text, gateId: Type.Optional(text), accessId: Type.Optional(text) }
const memberFields = {
  name: text,
  email: isSet,
  phone: isSet,
  note: isSet,
  externalId: isSet,
  metadata: isSet,
} satisfies RecordedFields<
  Member & MemberUpdate,
  'id' | 'isAdmin' | 'isActive' | 'preferredLanguage' | 'createdAt' | 'accesses'
>
const accessFields = {
  schedules: Type.Array(Schedule),
  maxUsage: numberOrNull,
  isActive: Type.Boolean(),
} satisfies RecordedFields<Access & AccessUpdate, 'id' | 'gateId' | 'usageCount' | 'accessUrl' | 'lastUsedAt'>
/** The names of the gates, and their ids in the same order. */
const ofAccesses = told({ accesses: Type.Array(text), gateIds: Type.Optional(Type.Array(text)) })
/** Every action that is recorded (decisions.md, "Activity actions"). More may come within v1. */
export const activityActions = {
  ...gateActions,
  'member.created': {
    targetType: 'member',
    says: 'A member was added, with these accesses',
    details: ofAccesses,
  },
  'member.updated': {
    targetType: 'member',
    says: 'A member was changed',
    details: told({ changes: changesSchema(memberFields) }),
  },
  'member.deactivated': {
    targetType: 'member',
    says: 'A member was deactivated, which revoked these accesses',
    details: ofAccesses,
  },
  'member.reactivated': { targetType: 'member', says: 'A member was reactivated', details: none },
  'member.erased': {
    targetType: 'member',
    says: 'The personal data of a member was erased: the target is called `deleted_member` in every entry',
    details: none,
  },
  'guest.access_added': {
    targetType: 'member',
    says: 'A member got access to a gate',
    details: told(ofAccess),
  },
  'guest.access_updated': {
    targetType: 'member',
    says: "A member's access was changed",
    details: told({ ...ofAccess, changes: changesSchema(accessFields) }),
  },
  'guest.access_revoked': {
    targetType: 'member',
    says: "A member's access was revoked",
    details: told(ofAccess),
  },
  'member.link_reset': { targetType: 'member', says: 'A member got another magic link', details: none },
  'api_key.created': {
    targetType: 'api_key',
    says: 'A key was made',
    details: told({
      scopes: Type.Array(words(scopeNames)),
      expiresAt: textOrNull,
      gateIds: Type.Optional(nullable(Type.Array(text))),
    }),
  },
  'api_key.revoked': { targetType: 'api_key', says: 'A key was revoked', details: none },
  ...webhookActions,
  'gateway.enrolled': {
    targetType: 'gateway',
    says: 'A gateway was admitted, by this public key',
    details: told({ publicKey: text }),
  },
  'gateway.code_created': {
    targetType: 'gateway',
    says: 'A one-time code was made, with which a gateway can ask to be admitted. The target is the enrolment',
    details: told({ expiresAt: text, replaces: textOrNull }),
  },
  'gateway.pending': {
    targetType: 'gateway',
    says: 'A gateway has taken a code, and waits until it is confirmed. The target is the enrolment',
    details: told({ publicKey: text }),
  },
  'gateway.refused': {
    targetType: 'gateway',
    says: 'A code was taken back, or the gateway that has taken it was refused. The target is the enrolment',
    details: none,
  },
  'gateway.updated': {
    targetType: 'gateway',
    says: 'The name of a gateway, the number of its SIM card, or what is watched of that card was changed',
    details: told({
      changes: changesSchema({
        name: text,
        callerNumber: textOrNull,
        simCode: textOrNull,
        simWarnBelow: numberOrNull,
        simExpiresOn: textOrNull,
      }),
    }),
  },
  'gateway.sim_asked': {
    targetType: 'gateway',
    says: 'Somebody let a gateway send this code (USSD) to its network. The daily reading of the balance has no entry',
    details: told({ code: text }),
  },
  'gateway.cut_off': {
    targetType: 'gateway',
    says: 'A gateway sent more than any healthy gateway sends, and is shut out for an hour',
    details: told({ tooMany: words(['reports', 'starts', 'beats', 'claims']), until: text }),
  },
  'gateway.password_changed': { targetType: 'gateway', says: 'A gateway got a new password', details: none },
  'gateway.update_allowed': {
    targetType: 'gateway',
    says: 'An owner let a gateway install this version of its program',
    details: told({ version: text }),
  },
  'gateway.update_disallowed': {
    targetType: 'gateway',
    says: 'The leave for a gateway to install this version was taken back',
    details: told({ version: text }),
  },
  'gateway.update_asked': {
    targetType: 'gateway',
    says: 'The cloud asked a gateway to install this version: by the leave for that gateway, or by the hours of the Space',
    details: told({ version: text, by: words(['owner', 'hours']) }),
  },
  'gateway.update_ended': {
    targetType: 'gateway',
    says: 'A gateway told how an update ended: `installed`, `taken_back` (it did not work, and the version before runs again) or `refused` (it was never started), and why',
    details: told({ version: text, state: text, why: textOrNull }),
  },
  'gateway.revoked': { targetType: 'gateway', says: 'A gateway was shut out', details: none },
  'user.invited': {
    targetType: 'user',
    says: 'A person was invited to the dashboard, with this role',
    details: told({ role: Type.Optional(text) }),
  },
  'user.invitation_cancelled': {
    targetType: 'user',
    says: 'An invitation to the dashboard was taken back',
    details: none,
  },
  'user.joined': {
    targetType: 'user',
    says: 'An invited person became a user of the dashboard, or the operator made one, with this role',
    details: told({ role: text }),
  },
  'user.linked': {
    targetType: 'user',
    says: 'An owner said which member a user is, or that they are none',
    details: told({ memberId: textOrNull, memberName: textOrNull }),
  },
  'user.role_changed': {
    targetType: 'user',
    says: 'A user of the dashboard got another role',
    details: told({ changes: changesSchema({ role: text }) }),
  },
  'user.alerts_changed': {
    targetType: 'user',
    says: 'A user of the dashboard is, or is no longer, told of incidents by mail',
    details: told({ changes: changesSchema({ getsAlerts: Type.Boolean() }) }),
  },
  'user.removed': { targetType: 'user', says: 'A user of the dashboard was removed', details: none },
  ...spaceActions,
} as const satisfies Record<string, Action>
export type ActivityAction = keyof typeof activityActions
/** The details of an entry with this action. */
export type ActivityDetails<Action extends ActivityAction> = Static<
  (typeof activityActions)[Action]['details']
>
/** The details that the code which records this action must give, besides actor and target. */
export type RecordedDetails<Action extends ActivityAction> = Omit<
  Required<ActivityDetails<Action>>,
  keyof typeof entryIds
>

type ChangesIn<Details> = Details extends { readonly changes: infer Changes } ? Changes : never
/** The state that an update changes: a value for each field that can be in `changes`. */
export type ActivityState<Action extends ActivityAction> = {
  [Field in keyof ChangesIn<ActivityDetails<Action>>]-?: NonNullable<
    ChangesIn<ActivityDetails<Action>>[Field]
  > extends { readonly from: infer Value }
    ? Value
    : never
}

const targetTypes = [...new Set(Object.values(activityActions).map(({ targetType }) => targetType))]

export const ActivityEntry = closed({
  id: ActivityId,
  action: Type.String({
    description: `One of ${Object.keys(activityActions).join(', ')}; clients must tolerate others`,
    examples: ['guest.access_added'],
  }),
  actor: Type.String({
    description:
      '`api:<key name>`, `user:<e-mail>` (`user:not_kept` once that is no longer kept), `operator` or `system`',
  }),
  targetType: Type.String({
    description: `One of ${targetTypes.join(', ')}; clients must tolerate others`,
    examples: ['member'],
  }),
  targetLabel: Type.String({
    description:
      "The target's name, as it was then; `deleted_member` once the member was erased, `not_kept` for a person once the time is over for which the Space keeps names",
  }),
  details: Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        "For each action its own, told under Activity on the page Conventions: actorId and targetId; deviceName (the gate's name) where a gate is concerned; changes: {field: {from, to}} of an update. Entries from before the ids were recorded do not have them",
    },
  ),
  timestamp: instant('When it was done'),
})
export type ActivityEntry = Static<typeof ActivityEntry>
