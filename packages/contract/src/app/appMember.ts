// Members in the dashboard: what each may open now and next; saved with their accesses, all or nothing.

import Type, { type Static } from 'typebox'
import { AccessId, GateId, MemberId } from '../ids.ts'
import { limits } from '../limits.ts'
import { Access, AccessUpdate } from '../rest/access.ts'
import { Member, MemberUpdate } from '../rest/member.ts'
import { CursorPage } from '../rest/paging.ts'
import { AccessNow, MemberStanding, memberStates } from '../rest/standing.ts'
import { characters, closed, filledIn, instant, items, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const { accessUrl: _, ...accessFields } = Access.properties
export const AccessView = closed({ ...accessFields, now: AccessNow })
export type AccessView = Static<typeof AccessView>

const MemberNow = closed({
  ...MemberStanding.properties,
  link: nullable(
    Type.String({ format: 'uri', description: 'Opens every gate of the member; null: it is dead' }),
  ),
  newPhoneAt: nullable(instant('When another phone first used the link; null: only one ever did, or none')),
  mail: nullable(
    closed(
      {
        state: words(['waiting', 'failed'], { description: '`failed`: it is not tried again' }),
        since: instant('When it was to be sent'),
        says: nullable(Type.String({ description: 'Why it was not sent yet' })),
      },
      { description: 'The last mail to the member, while it is not sent' },
    ),
  ),
})

const { accesses: __, isAdmin: ___, ...memberFields } = Member.properties
export const MemberView = closed({
  ...memberFields,
  email: nullable(Type.String({ description: 'Where mails to the member go' })),
  accesses: Type.Array(AccessView, { description: 'One for each gate that the member may open' }),
  now: MemberNow,
})
export type MemberView = Static<typeof MemberView>

const count = (description: string) => Type.Integer({ minimum: 0, description })
const MemberCounts = closed({
  active: count('Those who are not deactivated'),
  current: count('Those who are not deactivated, and whose access has not ended for good'),
  allowed_now: count('Those who may open a gate now'),
  ending_soon: count('Those whose access ends for good within 7 days'),
  ended: count('Those whose access has ended for good'),
  inactive: count('Those who are deactivated'),
})
export type MemberCounts = Static<typeof MemberCounts>

const AccessSave = closed({
  id: Type.Optional({ ...AccessId, description: 'Of an access that the member has; absent: a new one' }),
  gateId: GateId,
  ...AccessUpdate.properties,
})

const params = closed({ memberId: MemberId })
const answer = closed({ member: MemberView })

export const memberAppOperations = {
  listMemberViews: appOperation({
    ...appRoutes.listMemberViews,
    role: 'admin',
    rateClass: 'read',
    summary: 'Find members, oldest first, with what each may open now and next',
    text: 'In pages by `cursor`. `search` is looked for in name, e-mail, phone and note, whatever the case and the accents.',
    query: closed({
      limit: filledIn(Type.Integer({ minimum: 1, maximum: 100, description: 'At most this many' }), 50),
      cursor: Type.Optional(
        Type.String({
          maxLength: 200,
          description: 'The nextCursor of the page before; empty for the first',
        }),
      ),
      search: Type.Optional(
        Type.String({ ...characters(limits.search.text), description: 'A part of a text of the member' }),
      ),
      gateId: Type.Optional({ ...GateId, description: 'Only who has an access to this gate' }),
      state: filledIn(words(memberStates, { description: 'Only who stands so' }), 'active'),
    }),
    answers: { 200: closed({ members: Type.Array(MemberView), pagination: CursorPage }) },
    problems: [],
  }),
  getMemberCounts: appOperation({
    ...appRoutes.getMemberCounts,
    role: 'admin',
    rateClass: 'read',
    summary: 'Count the members by how they stand',
    text: 'As the list shows them.',
    answers: { 200: MemberCounts },
    problems: [],
  }),
  getMemberView: appOperation({
    ...appRoutes.getMemberView,
    role: 'admin',
    rateClass: 'read',
    summary: 'Show one member with everything that can be edited',
    text: 'Its ETag changes with an edit, and not with a use.',
    params,
    answers: { 200: answer },
    problems: ['not_found'],
  }),
  saveMember: appOperation({
    ...appRoutes.saveMember,
    role: 'admin',
    rateClass: 'write',
    summary: 'Save a member with all accesses, all or nothing',
    text: 'What is absent stays as it is. `accesses` is the whole list: one with an id is changed, one without is added, and one that is missing is revoked. Send If-Match: without it, the change of another admin is overwritten.',
    params,
    body: closed({
      ...MemberUpdate.properties,
      accesses: Type.Optional(
        Type.Array(AccessSave, { ...items(limits.member.accesses), description: 'The whole list' }),
      ),
    }),
    answers: { 200: answer },
    problems: ['not_found', 'conflict', 'precondition_failed'],
  }),
}
