// Users of a Space: the people who sign in to its dashboard, and the invitations that wait. For owners only.

import Type, { type Static } from 'typebox'
import { InvitationId, MemberId, UserId } from '../ids.ts'
import { languages } from '../language.ts'
import { limits } from '../limits.ts'
import { characters, closed, instant, mailedName, nullable, words } from '../text.ts'
import { appOperation, roleNames } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const role = words(roleNames, {
  description: 'An owner may do all that an admin may, and work with users and the Space',
})

export const SpaceUser = closed({
  id: UserId,
  email: Type.String(),
  name: Type.String(),
  role,
  isSelf: Type.Boolean({ description: 'Whether it is the user who asks' }),
  isActive: Type.Boolean({ description: 'False while the operator has shut the user out' }),
  getsAlerts: Type.Boolean({ description: 'Whether the user is told of incidents of the Space by mail' }),
  hasSecondFactor: Type.Boolean({ description: 'Whether a password alone does not sign in' }),
  member: nullable(
    closed({ id: MemberId, name: Type.String() }, { description: 'The member who is the same person' }),
  ),
  createdAt: instant('When the user got the role'),
  lastSeenAt: nullable(instant('The last use of a session that is alive; null without one')),
})
export type SpaceUser = Static<typeof SpaceUser>

export const Invitation = closed({
  id: InvitationId,
  email: Type.String(),
  name: Type.String(),
  role,
  language: words(languages, { description: 'Of the mail' }),
  invitedBy: Type.String({ description: 'Name of the owner' }),
  createdAt: instant('When it was sent last'),
  expiresAt: instant('When its link stops working: 72 hours after it was sent'),
})
export type Invitation = Static<typeof Invitation>

const userParams = closed({ userId: UserId })

export const userAppOperations = {
  listUsers: appOperation({
    ...appRoutes.listUsers,
    role: 'owner',
    rateClass: 'read',
    summary: 'List the users of the Space and the invitations that wait',
    text: 'Users in the order in which they got their role, invitations newest first.',
    answers: { 200: closed({ users: Type.Array(SpaceUser), invitations: Type.Array(Invitation) }) },
    problems: [],
  }),
  getUser: appOperation({
    ...appRoutes.getUser,
    role: 'owner',
    rateClass: 'read',
    summary: 'Show one user',
    text: 'Its ETag changes with an edit, and not with a use of a session.',
    params: userParams,
    answers: { 200: closed({ user: SpaceUser }) },
    problems: ['not_found'],
  }),
  inviteUser: appOperation({
    ...appRoutes.inviteUser,
    role: 'owner',
    rateClass: 'write',
    summary: 'Invite a person by mail',
    text: 'The mail has a link that works once, for 72 hours. The invitation of an owner needs a confirmed session. Another invitation to the same e-mail takes the place of the first one. The answer is the same whether or not the person has an account already.',
    body: closed({
      email: Type.String({ format: 'email', ...characters(limits.user.email) }),
      name: mailedName(limits.user.name, 'How the person is called, until they say otherwise'),
      role,
      language: Type.Optional(words(languages, { description: "Of the mail; the Space's without it" })),
    }),
    answers: { 201: closed({ invitation: Invitation }) },
    problems: ['conflict'],
  }),
  cancelInvitation: appOperation({
    ...appRoutes.cancelInvitation,
    role: 'owner',
    rateClass: 'write',
    summary: 'Take an invitation back',
    text: 'Its link stops working at once.',
    params: closed({ invitationId: InvitationId }),
    answers: { 204: null },
    problems: [],
  }),
  updateUser: appOperation({
    ...appRoutes.updateUser,
    role: 'owner',
    rateClass: 'write',
    summary: "Change a user's role, say which member they are, or whether they are told of incidents",
    text: 'What is absent stays as it is; `memberId: null` ends the link. A `role` needs a confirmed session. The member shows `isAdmin: true` while it is linked to a user who may sign in. 409 where the Space would be left without an owner, or the member is linked to somebody else. Send If-Match: without it, the change of another owner is overwritten.',
    params: userParams,
    body: closed({
      role: Type.Optional(role),
      memberId: Type.Optional(nullable(MemberId)),
      getsAlerts: Type.Optional(Type.Boolean()),
    }),
    answers: { 200: closed({ user: SpaceUser }) },
    problems: ['conflict', 'precondition_failed'],
  }),
  removeUser: appOperation({
    ...appRoutes.removeUser,
    role: 'owner',
    rateClass: 'write',
    summary: 'Remove a user from the Space',
    text: 'The next request of the user is refused, and so is a press that is not granted yet. Their invitations that wait are taken back. What they did stays in the history. The API keys that they made belong to the Space, and stay unless `revokesKeys` is true. 409 for the only owner.',
    params: userParams,
    query: closed({
      revokesKeys: Type.Optional(
        Type.Boolean({ description: 'Whether the API keys that they made are revoked with it' }),
      ),
    }),
    answers: { 204: null },
    problems: ['conflict', 'precondition_failed'],
  }),
}
