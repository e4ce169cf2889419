// Magic links: each member has one, which a mail brings. Their operations.

import { MemberId } from '../ids.ts'
import { closed } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { exampleMember, Member } from './member.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'

const { memberId } = exampleIds
const params = closed({ memberId: MemberId })

/** What is done with magic links. */
export const linkOperations = {
  resetMemberLink: operation(
    {
      ...routes.resetMemberLink,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Give a member another link',
      tag: 'Members',
      text: "The old link is dead at once. The new one stands in each of the member's accesses. No mail is sent: send the invitation afterwards.",
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
      answers: { 200: { member: exampleMember } },
    },
  ),
  sendInvitation: operation(
    {
      ...routes.sendInvitation,
      scope: 'members:write',
      rateClass: 'write',
      summary: 'Mail the invitation again',
      tag: 'Members',
      text: 'The mail is sent in the background. It is not counted again.',
      params,
      body: closed({}),
      bodyOptional: true,
      answers: { 202: closed({ member: Member }) },
      problems: ['not_found', 'conflict'],
      extension: true,
    },
    {
      params: { memberId },
      body: {},
      answers: { 202: { member: exampleMember } },
    },
  ),
}
