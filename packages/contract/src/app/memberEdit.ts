// One change of many chosen members: what it would change for whom, who is left out and why, or all of it.

import Type, { type Static } from 'typebox'
import { GateId, MemberId } from '../ids.ts'
import { limits } from '../limits.ts'
import { AccessUpdate } from '../rest/access.ts'
import { closed, items, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { leftOut, memberActs } from './memberActs.ts'

const { maxUsage, schedules } = AccessUpdate.properties

const preview = {
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'A digest of whom the change changes, of which gates, and of how many mails it sends',
} as const

const MemberEdit = closed({
  isDone: Type.Boolean({ description: 'Whether the changes were made' }),
  members: Type.Array(
    closed({
      memberId: MemberId,
      name: Type.String({ description: 'As it is now' }),
      leftOut: nullable(
        words(leftOut, {
          description:
            '`inactive`: deactivated; `has_gate`: has an access to the gate; `no_access`: has none; `same`: is so already; `no_email`: has no address. Null: is changed',
        }),
      ),
      gateIds: Type.Array(GateId, { description: 'The gates whose access is given, changed or revoked' }),
    }),
    { description: 'In the order of the request' },
  ),
  mails: Type.Integer({ minimum: 0, description: 'How many mails are sent' }),
  preview: Type.String(preview),
})
export type MemberEdit = Static<typeof MemberEdit>

export const memberEditAppOperations = {
  editMembers: appOperation({
    ...appRoutes.editMembers,
    role: 'admin',
    rateClass: 'write',
    summary: 'Do one thing to many members: what it would change, or all of it',
    text: 'All or nothing. With `isDryRun` nothing is changed, and the answer says who would be left out and why. Without it, send the members who are changed: where one of them would be left out by now, or `preview` is given and would be another one, nothing is changed. Each member has an entry in the activity for each access that is changed, as by a change alone.',
    body: closed({
      memberIds: Type.Array(MemberId, { ...items(limits.memberEdit.memberIds), uniqueItems: true }),
      act: words(memberActs, { description: 'What is done to each of them' }),
      access: Type.Optional(
        closed(
          {
            gateId: Type.Optional({
              ...GateId,
              description:
                'Of `add_gate`: required. Of `set_hours`: absent for each access that a member has',
            }),
            schedules,
            maxUsage,
          },
          { description: 'Of `add_gate` and `set_hours`; what is absent is always, or stays as it is' },
        ),
      ),
      isDryRun: Type.Boolean({ description: 'True: nothing is changed' }),
      preview: Type.Optional(Type.String({ ...preview, description: 'What the dry run has answered' })),
      sendsMails: Type.Boolean({
        description: 'Of `add_gate`: whether members get a mail of the new access',
      }),
    }),
    answers: { 200: MemberEdit },
    problems: ['not_found', 'conflict'],
  }),
}
