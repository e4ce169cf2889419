// The operator's commands on invitations of users, and on which member a user is: what they do and print.

import { userAppOperations } from '@callgate/contract/app/user'
import { userHandlers } from '../user/userHandlers.ts'
import { findUserByEmail } from '../user/users.ts'
import {
  type CommandParts,
  type CommandWork,
  columns,
  type Options,
  refuse,
  type Said,
} from './commandWork.ts'
import { isRefused, linkParts, type Operator, operatorIn } from './operator.ts'

interface Desk extends Operator {
  readonly does: ReturnType<typeof userHandlers>
}

const atDesk =
  (work: (desk: Desk, options: Options, parts: CommandParts) => Promise<Said>): CommandWork =>
  async (parts, options) => {
    const operator = await operatorIn(parts, options)
    if (isRefused(operator)) return operator
    const links = await linkParts(parts)
    if (isRefused(links)) return links
    return work({ ...operator, does: userHandlers({ ...parts, ...links }) }, options, parts)
  }

const { cancelInvitation, inviteUser, listUsers, updateUser } = userAppOperations

export const invitationWork = {
  invite: atDesk(async ({ call, does }, { email, language, name, role }) => {
    const body = { email, name, role, ...(language !== undefined && { language }) }
    const invited = await call(inviteUser, does.inviteUser, { body })
    if (!invited.ok) return invited
    const { invitation } = invited.body
    const text = `${invitation.email} is invited as an ${invitation.role} until ${invitation.expiresAt} (${invitation.id}). The cloud that serves sends the mail.`
    return { ok: true, json: { invitation }, text }
  }),

  invitations: atDesk(async ({ call, does }) => {
    const listed = await call(listUsers, does.listUsers, {})
    if (!listed.ok) return listed
    const { invitations } = listed.body
    const rows = invitations.map(({ email, expiresAt, id, invitedBy, name, role }) => [
      ...[id, email, name, role, invitedBy, expiresAt],
    ])
    const heading = ['INVITATION', 'E-MAIL', 'NAME', 'ROLE', 'BY', 'EXPIRES']
    return { ok: true, json: { invitations }, text: columns(heading, rows) }
  }),

  cancel: atDesk(async ({ call, does }, { invitation: invitationId = '' }) => {
    const done = await call(cancelInvitation, does.cancelInvitation, { params: { invitationId } })
    if (!done.ok) return refuse(`${done.message.slice(0, -1)}; see "callgate user invitations".`)
    const text = `The invitation ${invitationId} is taken back: its link is dead.`
    return { ok: true, json: { invitationId, isCancelled: true }, text }
  }),

  link: atDesk(async ({ call, does }, { email = '', member }, { database }) => {
    const user = await findUserByEmail(database.knex, email)
    if (!user) return refuse(`There is no user ${email}; see "callgate user list".`)
    const memberId = member === 'none' ? null : member
    const linked = await call(updateUser, does.updateUser, {
      params: { userId: user.id },
      body: { memberId },
    })
    if (!linked.ok) return linked
    const { member: now } = linked.body.user
    const text = now ? `is the member ${now.name} (${now.id})` : 'is no member'
    return { ok: true, json: { userId: user.id, memberId: now?.id ?? null }, text: `${user.email} ${text}.` }
  }),
} satisfies Record<string, CommandWork>
