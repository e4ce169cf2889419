// Members: people, each with one magic link and an access for each gate. Their fields and operations.

import Type, { type Static } from 'typebox'
import { GateId, MemberId } from '../ids.ts'
import { type Language, languages } from '../language.ts'
import { limits } from '../limits.ts'
import {
  atMost,
  characters,
  closed,
  instant,
  items,
  line,
  mailedName,
  nullable,
  paragraph,
  words,
} from '../text.ts'
import { Access, AccessGrant, exampleAccess } from './access.ts'
import { exampleIds } from './exampleIds.ts'
import { ExternalId, externalGiven, externalShown, externalText } from './external.ts'
import { operation } from './operation.ts'
import { CursorPage, ListQuery, listText } from './paging.ts'
import { patchText } from './patch.ts'
import { routes } from './routes.ts'
import { AccessNow, MemberStanding, memberStates } from './standing.ts'

export { type Language, languages }

const { member: limit } = limits
const name = line(limit.name, atMost(limit.name))
const givenName = mailedName(limit.name, `${atMost(limit.name)}, without :// and www., since mails print it`)
const phone = nullable(line(limit.phone, `Free text, at most ${limit.phone.most} characters; never dialled`))
const note = nullable(
  paragraph(limit.note, `Free-form, at most ${limit.note.most} characters; visible to admins only`),
)
const email = nullable(
  Type.String({
    format: 'email',
    ...characters(limit.email),
    'x-text': 'any',
    description: 'Accepted, not shown in the member; null clears it',
    examples: ['ana@example.com'],
  }),
)
export const Member = closed({
  id: MemberId,
  name,
  phone,
  note,
  email: Type.Optional(
    nullable(
      Type.String({
        description: 'Where mails to the member go. Only there for a key with `members:read_email`',
      }),
    ),
  ),
  isAdmin: Type.Boolean({ description: 'Whether the member administers the Space' }),
  isActive: Type.Boolean({ description: "An inactive member's link is dead" }),
  preferredLanguage: Type.String({
    description: "The language picked on the magic link's page; the Space's until then",
    examples: ['en'],
  }),
  createdAt: instant('When the member was created'),
  accesses: Type.Array(Access, { description: 'One for each gate that the member may open' }),
  ...externalShown,
})
export type Member = Static<typeof Member>

/** A member of a list, with `include=now` also how it stands. */
export const ListedMember = closed({
  ...Member.properties,
  accesses: Type.Array(
    closed({
      ...Access.properties,
      now: Type.Optional({ ...AccessNow, description: 'With `include=now`: how it stands' }),
    }),
    {
      description: 'One for each gate that the member may open',
    },
  ),
  now: Type.Optional({ ...MemberStanding, description: 'With `include=now`: how the member stands' }),
})
export type ListedMember = Static<typeof ListedMember>

const MemberQuery = closed({
  ...ListQuery.properties,
  search: Type.Optional(
    Type.String({
      ...characters(limits.search.text),
      description:
        'A part of the name, phone or note, and of the e-mail address with `members:read_email`; whatever the case and the accents',
    }),
  ),
  gateId: Type.Optional({ ...GateId, description: 'Only who has an access to this gate' }),
  state: Type.Optional(
    words(memberStates, {
      description:
        'Only who stands so now; `current`: not deactivated, and the access has not ended for good; `ending_soon`: the last access ends for good within 7 days; absent: also those who are not active',
    }),
  ),
  externalId: Type.Optional({ ...ExternalId, description: 'Only who is called so by a program of yours' }),
  email: Type.Optional(
    Type.String({
      ...characters(limits.member.email),
      description: 'Only who has this e-mail address, whatever the case; needs `members:read_email`',
    }),
  ),
  include: Type.Optional(words(['now'], { description: 'How each member and access stands now' })),
})

export const MemberCreate = closed({
  name: givenName,
  email: Type.Optional(email),
  phone: Type.Optional(phone),
  note: Type.Optional(note),
  accesses: Type.Optional(
    nullable(
      Type.Array(AccessGrant, {
        ...items(limit.accesses),
        description: 'Added with the member, all or none',
      }),
    ),
  ),
  ...externalGiven,
})
export type MemberCreate = Static<typeof MemberCreate>

export const MemberUpdate = closed({
  name: Type.Optional(givenName),
  email: Type.Optional(email),
  phone: Type.Optional(phone),
  note: Type.Optional(note),
  ...externalGiven,
})
export type MemberUpdate = Static<typeof MemberUpdate>

export const exampleMember: Member = {
  id: exampleIds.memberId,
  name: 'Ana Pop',
  phone: '0722 000 111',
  note: 'Second floor',
  isAdmin: false,
  isActive: true,
  preferredLanguage: 'ro',
  createdAt: '2026-01-05T08:12:00.000Z',
  accesses: [exampleAccess],
}

const { gateId, memberId } = exampleIds
const params = closed({ memberId: MemberId })

/** What is done with members. */
export const memberOperations = {
  listMembers: operation(
    {
      ...routes.listMembers,
      scope: 'members:read',
      rateClass: 'read',
      summary: 'List the members',
      tag: 'Members',
      text: `Oldest first, with their accesses and magic links. Inactive members are in the list.\n\n${listText} With \`search\`, \`gateId\`, \`state\` or \`include\` the list always comes in pages. Several filters narrow each other.\n\nE-mail addresses are shown and searched only with the scope \`members:read_email\`: without it \`email\`, and a \`search\` with an \`@\`, is 403.`,
      query: MemberQuery,
      answers: { 200: closed({ members: Type.Array(ListedMember), pagination: Type.Optional(CursorPage) }) },
      problems: [],
    },
    {
      params: {},
      query: { limit: 50, cursor: '' },
      answers: { 200: { members: [exampleMember], pagination: { limit: 50, nextCursor: null } } },
    },
  ),
  createMember: operation(
    {
      ...routes.createMember,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Create a member',
      tag: 'Members',
      text: `With accesses, all or nothing: one bad access refuses the whole. A member with an e-mail address gets the invitation. Every creation counts towards the plan's monthly invitations, with or without an address.\n\n${externalText}`,
      body: MemberCreate,
      answers: { 201: closed({ member: Member }) },
      problems: ['not_found', 'conflict', 'plan_limit_reached'],
    },
    {
      params: {},
      body: {
        name: 'Ana Pop',
        email: 'ana@example.com',
        phone: '0722 000 111',
        note: 'Second floor',
        externalId: 'crm-4711',
        metadata: { unit: '12B' },
        accesses: [
          {
            gateId,
            schedules: [
              { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }] },
              {
                type: 'custom',
                daysOfWeek: [5],
                timeWindows: [{ from: '22:00', to: '06:00' }],
                expiresAt: '2026-12-31T23:00:00+02:00',
              },
            ],
            maxUsage: 100,
          },
        ],
      },
      answers: {
        201: {
          member: {
            ...exampleMember,
            accesses: [{ ...exampleAccess, usageCount: 0, lastUsedAt: null }],
            externalId: 'crm-4711',
            metadata: { unit: '12B' },
          },
        },
      },
    },
  ),
  getMember: operation(
    {
      ...routes.getMember,
      scope: 'members:read',
      rateClass: 'read',
      summary: 'Read a member',
      tag: 'Members',
      text: '',
      params,
      answers: { 200: closed({ member: Member }) },
      problems: ['not_found'],
      extension: true,
    },
    {
      params: { memberId },
      answers: { 200: { member: exampleMember } },
    },
  ),
  updateMember: operation(
    {
      ...routes.updateMember,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Change a member',
      tag: 'Members',
      text: `${patchText} No mail is sent.\n\n${externalText}`,
      params,
      body: MemberUpdate,
      answers: { 200: closed({ member: Member }) },
      problems: ['not_found', 'conflict', 'precondition_failed'],
    },
    {
      params: { memberId },
      body: { phone: null, note: 'Third floor' },
      answers: { 200: { member: { ...exampleMember, phone: null, note: 'Third floor' } } },
    },
  ),
  reactivateMember: operation(
    {
      ...routes.reactivateMember,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Take a member in again',
      tag: 'Members',
      text: 'The member gets a new link. The accesses that were revoked do not come back. It counts as no invitation and sends no mail. Of an active member it changes nothing. Where another active member has its `externalId` meanwhile, it is 409 `conflict`.',
      params,
      body: closed({}),
      bodyOptional: true,
      answers: { 200: closed({ member: Member }) },
      problems: ['not_found', 'conflict'],
      extension: true,
    },
    {
      params: { memberId },
      body: {},
      answers: { 200: { member: { ...exampleMember, accesses: [] } } },
    },
  ),
  deactivateMember: operation(
    {
      ...routes.deactivateMember,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Deactivate a member',
      tag: 'Members',
      text: 'All accesses are revoked and the magic link is dead at once. Repeating it is answered with 204 again.',
      params,
      answers: { 204: null },
      problems: ['not_found', 'precondition_failed'],
    },
    {
      params: { memberId },
      answers: { 204: null },
    },
  ),
}
