// Members: people, each with one magic link and any number of accesses, one for each gate.

import Type, { type Static } from 'typebox'
import { AccessId, GateId, MemberId } from '../ids.ts'
import { closed, instant, line, mailedName, nullable, paragraph, unreadable } from '../text.ts'
import { Schedule, ScheduleInput } from './schedule.ts'

/** The languages of the pages and the mails. */
export const languages = ['en', 'ro', 'hu', 'de', 'fr', 'it', 'es', 'uk'] as const
export type Language = (typeof languages)[number]

const name = line(1, 120, 'At most 120 characters')
const givenName = mailedName(1, 120, 'At most 120 characters, without :// and www., since mails print it')
const phone = nullable(line(0, 32, 'Free text, at most 32 characters; never dialled'))
const note = nullable(paragraph(1000, 'Free-form, at most 1000 characters; visible to admins only'))
const email = nullable(
  Type.String({
    format: 'email',
    maxLength: 254,
    pattern: `^[^${unreadable}]*$`,
    'x-trim': true,
    description: 'Accepted, not shown in the member; null clears it',
    examples: ['ana@example.com'],
  }),
)
const schedules = Type.Array(ScheduleInput, {
  minItems: 1,
  maxItems: 20,
  description: 'Allowed when any one of them allows it; in a grant, none given is one of type always',
})
const maxUsage = nullable(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'How many calls at most; null: no cap' }),
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

export const Member = closed({
  id: MemberId,
  name,
  phone,
  note,
  isAdmin: Type.Boolean({ description: 'Whether the member administers the Space' }),
  isActive: Type.Boolean({ description: "An inactive member's link is dead" }),
  preferredLanguage: Type.String({
    description: "The language picked on the magic link's page; the Space's until then",
    examples: ['en'],
  }),
  createdAt: instant('When the member was created'),
  accesses: Type.Array(Access, { description: 'One for each gate that the member may open' }),
})
export type Member = Static<typeof Member>

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

export const MemberCreate = closed({
  name: givenName,
  email: Type.Optional(email),
  phone: Type.Optional(phone),
  note: Type.Optional(note),
  accesses: Type.Optional(
    nullable(Type.Array(AccessGrant, { maxItems: 100, description: 'Granted with the member, all or none' })),
  ),
})
export type MemberCreate = Static<typeof MemberCreate>

export const MemberUpdate = closed({
  name: Type.Optional(givenName),
  email: Type.Optional(email),
  phone: Type.Optional(phone),
  note: Type.Optional(note),
})
export type MemberUpdate = Static<typeof MemberUpdate>
