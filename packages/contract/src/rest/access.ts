// Accesses: which gate a member may open, when and how often. Their fields and operations.

import Type, { type Static } from 'typebox'
import { AccessId, GateId, MemberId } from '../ids.ts'
import { limits } from '../limits.ts'
import { between, closed, instant, items, nullable } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { patchText } from './patch.ts'
import { routes } from './routes.ts'
import { Schedule, ScheduleInput } from './schedule.ts'

const schedules = Type.Array(ScheduleInput, {
  ...items(limits.access.schedules),
  description:
    'Allowed when any one of them allows it; where an access is added without any, it gets one of type always',
})
const maxUsage = nullable(
  Type.Integer({ ...between(limits.access.maxUsage), description: 'How many calls at most; null: no cap' }),
)

export const Access = closed({
  id: AccessId,
  gateId: GateId,
  schedules: Type.Array(Schedule, { description: 'Allowed when any one of them allows it' }),
  maxUsage,
  usageCount: Type.Integer({
    minimum: 0,
    description:
      'Calls so far, those that run included; one is given back when it is certain that nothing was dialled',
  }),
  isActive: Type.Boolean({ description: 'An inactive access opens nothing' }),
  accessUrl: Type.String({
    format: 'uri',
    description: "The member's magic link; it opens all the member's gates",
    examples: ['https://gates.example.com/g/4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F'],
  }),
  lastUsedAt: nullable(instant('Time of the last completed opening; null before the first')),
})
export type Access = Static<typeof Access>

export const AccessGrant = closed({
  gateId: Type.String({ description: 'A gate of this Space' }),
  schedules: Type.Optional(nullable(schedules)),
  maxUsage: Type.Optional(maxUsage),
})
export type AccessGrant = Static<typeof AccessGrant>

export const AccessUpdate = closed({
  schedules: Type.Optional(schedules),
  maxUsage: Type.Optional(maxUsage),
  isActive: Type.Optional(Type.Boolean({ description: 'False suspends the access' })),
})
export type AccessUpdate = Static<typeof AccessUpdate>

export const exampleAccess: Access = {
  id: exampleIds.accessId,
  gateId: exampleIds.gateId,
  schedules: [
    { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }], timezone: 'Europe/Bucharest' },
    {
      type: 'custom',
      daysOfWeek: [5],
      timeWindows: [{ from: '22:00', to: '06:00' }],
      expiresAt: '2026-12-31T23:00:00+02:00',
      timezone: 'Europe/Bucharest',
    },
  ],
  maxUsage: 100,
  usageCount: 7,
  isActive: true,
  accessUrl: 'https://gates.example.com/g/4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F',
  lastUsedAt: '2026-03-27T16:04:11.207Z',
}

const { accessId, gateId, memberId } = exampleIds
const params = closed({ memberId: MemberId, accessId: AccessId })

/** What is done with accesses. */
export const accessOperations = {
  addAccess: operation(
    {
      ...routes.addAccess,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Grant a member access',
      tag: 'Accesses',
      text: "The member's existing link opens the new gate as well; a member with an e-mail address is told. Without `schedules` the gate opens at any time. A second access for the same gate is 409 `conflict`. See [Schedules](/docs/schedules).",
      params: closed({ memberId: MemberId }),
      body: AccessGrant,
      answers: { 201: closed({ access: Access }) },
      problems: ['not_found', 'conflict'],
    },
    {
      params: { memberId },
      body: { gateId, schedules: [{ type: 'weekends' }], maxUsage: null },
      answers: {
        201: {
          access: {
            ...exampleAccess,
            schedules: [{ type: 'weekends', timezone: 'Europe/Bucharest' }],
            maxUsage: null,
            usageCount: 0,
            lastUsedAt: null,
          },
        },
      },
    },
  ),
  updateAccess: operation(
    {
      ...routes.updateAccess,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Change an access',
      tag: 'Accesses',
      text: `${patchText} \`maxUsage\` may be set below \`usageCount\`: the access is exhausted then. \`usageCount\` is never reset.`,
      params,
      body: AccessUpdate,
      answers: { 200: closed({ access: Access }) },
      problems: ['not_found', 'precondition_failed'],
    },
    {
      params: { memberId, accessId },
      body: { isActive: false },
      answers: { 200: { access: { ...exampleAccess, isActive: false } } },
    },
  ),
  revokeAccess: operation(
    {
      ...routes.revokeAccess,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Revoke an access',
      tag: 'Accesses',
      text: 'Repeating it is answered with 404.',
      params,
      answers: { 204: null },
      problems: ['not_found', 'precondition_failed'],
    },
    {
      params: { memberId, accessId },
      answers: { 204: null },
    },
  ),
}
