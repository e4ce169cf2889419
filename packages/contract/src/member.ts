// Members: people, each with one magic link and any number of accesses, one for each gate.

import Type, { type Static } from 'typebox'
import { AccessId, GateId, MemberId } from './ids.ts'
import { Schedule, ScheduleInput } from './schedule.ts'
import { closed, instant, line, nullable, paragraph } from './text.ts'

/** The languages of the pages and the mails. */
export const languages = ['en', 'ro', 'hu', 'de', 'fr', 'it', 'es', 'uk'] as const
export type Language = (typeof languages)[number]

const name = line(1, 120, 'At most 120 characters')
const phone = nullable(line(0, 32, 'Free text, at most 32 characters; never dialled'))
const note = nullable(paragraph(1000, 'Free-form, at most 1000 characters; visible to admins only'))
const email = nullable(
  Type.String({
    format: 'email',
    maxLength: 254,
    pattern: '^[^\\p{Cc}\\p{Cs}]*$',
    'x-trim': true,
    description: 'Accepted, not shown in the member; null clears it',
    examples: ['ana@example.com'],
  }),
)
const schedules = Type.Array(ScheduleInput, { minItems: 1, maxItems: 20 })
const maxUsage = nullable(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'How many calls at most; null: no cap' }),
)

export const Access = closed({
  id: AccessId,
  gateId: GateId,
  schedules: Type.Array(Schedule, { description: 'Allowed when any one of them allows it' }),
  maxUsage,
  usageCount: Type.Integer({ minimum: 0 }),
  isActive: Type.Boolean(),
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
  isAdmin: Type.Boolean(),
  isActive: Type.Boolean(),
  preferredLanguage: Type.String({
    description: "The language picked on the magic link's page; the Space's until then",
    examples: ['en'],
  }),
  createdAt: instant('When the member was created'),
  accesses: Type.Array(Access),
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
  isActive: Type.Optional(Type.Boolean()),
})
export type AccessUpdate = Static<typeof AccessUpdate>

export const MemberCreate = closed({
  name,
  email: Type.Optional(email),
  phone: Type.Optional(phone),
  note: Type.Optional(note),
  accesses: Type.Optional(nullable(Type.Array(AccessGrant, { maxItems: 100 }))),
})
export type MemberCreate = Static<typeof MemberCreate>

export const MemberUpdate = closed({
  name: Type.Optional(name),
  email: Type.Optional(email),
  phone: Type.Optional(phone),
  note: Type.Optional(note),
})
export type MemberUpdate = Static<typeof MemberUpdate>
