// Many members at once, by the ids that they have in a program of the integrator.

import Type, { type Static } from 'typebox'
import { MemberId } from '../ids.ts'
import { limits } from '../limits.ts'
import { closed, filledIn, items, nullable, words } from '../text.ts'
import { AccessGrant } from './access.ts'
import { exampleIds } from './exampleIds.ts'
import { ExternalId } from './external.ts'
import { MemberUpdate } from './member.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'

/** How many members one request may name. */
export const mostInBulk = 200

/** How many accesses the members of one request may have, before or after it. */
export const mostAccessesInBulk = 1000

const { externalId: _, ...fields } = MemberUpdate.properties

export const BulkItem = closed({
  externalId: ExternalId,
  isActive: Type.Optional(
    Type.Boolean({ description: 'False: deactivate the member. Then nothing else is given' }),
  ),
  ...fields,
  accesses: Type.Optional(
    Type.Array(AccessGrant, {
      ...items(limits.member.accesses),
      description:
        'All accesses that the member has then: one to another gate is revoked. An access that is there keeps its schedules and its cap where they are absent. Absent: all stay as they are',
    }),
  ),
})
export type BulkItem = Static<typeof BulkItem>

export const bulkChanges = ['created', 'changed', 'unchanged', 'deactivated'] as const

const count = (description: string) => Type.Integer({ minimum: 0, description })

export const BulkAnswer = closed({
  isDone: Type.Boolean({ description: 'False: it was a dry run, and nothing was changed' }),
  members: Type.Array(
    closed({
      externalId: ExternalId,
      memberId: nullable({
        ...MemberId,
        description: 'Null for a member that a dry run would create, or that was not there',
      }),
      change: words(bulkChanges, { description: 'What became of it, or would' }),
    }),
    { description: 'In the order of the items' },
  ),
  accessesAdded: count('How many accesses were added, or would be'),
  accessesChanged: count('How many accesses were changed, or would be'),
  accessesRevoked: count('How many accesses were revoked, or would be'),
  mails: count('How many mails are sent, or would be'),
})
export type BulkAnswer = Static<typeof BulkAnswer>

const { gateId, memberId } = exampleIds

export const memberBulkOperations = {
  bulkMembers: operation(
    {
      ...routes.bulkMembers,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Change many members at once',
      tag: 'Members',
      text: `Creates, changes and deactivates up to 200 members. Each item names a member by its \`externalId\` among the active ones: it is created where there is none, and changed where there is. A field that is absent stays as it is. Who is not named stays as they are.\n\n- All or nothing: where one item is wrong, nothing is changed, and the answer lists every wrong item by its index.\n- With \`isDryRun\` nothing is changed either, and the answer says what would be. It is not kept under its \`Idempotency-Key\`.\n- Mails are sent only with \`sendsMails\`.\n\nThe items together may have ${mostAccessesInBulk} accesses, before or after: an item with \`accesses\` or \`"isActive": false\` counts the larger of what the member had and has.`,
      body: closed({
        items: Type.Array(BulkItem, { minItems: 1, maxItems: mostInBulk }),
        isDryRun: filledIn(Type.Boolean({ description: 'True: nothing is changed' }), false),
        sendsMails: filledIn(
          Type.Boolean({ description: 'Whether new members, and members with new accesses, get a mail' }),
          false,
        ),
      }),
      mostBodyBytes: 1024 * 1024,
      // The windows of a schedule of an access of an item.
      mostBodyLevels: 10,
      answers: { 200: BulkAnswer },
      isLive: true,
      problems: ['not_found', 'conflict', 'plan_limit_reached'],
      extension: true,
    },
    {
      params: {},
      body: {
        items: [
          { externalId: 'crm-4711', name: 'Ana Pop', accesses: [{ gateId }] },
          { externalId: 'crm-17', isActive: false },
        ],
        isDryRun: false,
        sendsMails: false,
      },
      answers: {
        200: {
          isDone: true,
          members: [
            { externalId: 'crm-4711', memberId, change: 'created' },
            { externalId: 'crm-17', memberId: null, change: 'unchanged' },
          ],
          accessesAdded: 1,
          accessesChanged: 0,
          accessesRevoked: 0,
          mails: 0,
        },
      },
    },
  ),
}
