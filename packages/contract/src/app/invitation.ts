// An invitation as the invited person sees it, who need not be signed in: what it is to, and accepting it.

import Type from 'typebox'
import { limits } from '../limits.ts'
import { closed, instant, mailedName, nullable, words } from '../text.ts'
import { appOperation, roleNames } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { newPassword } from './password.ts'
import { Session } from './session.ts'

/** The part of a mailed link after its `#`, which a browser sends to nobody: the page sends it in a body. */
export const linkToken = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'What stands after the # of the mailed link',
})

export const invitationAppOperations = {
  readInvitation: appOperation({
    ...appRoutes.readInvitation,
    role: 'none',
    rateClass: 'write',
    summary: 'Say what an invitation is to',
    text: 'Changes nothing, and is a POST so that the token stands in no address and no log. 404 for one that was used, taken back, or is older than 72 hours.',
    body: closed({ token: linkToken }),
    answers: {
      200: closed({
        spaceName: Type.String(),
        invitedBy: Type.String({ description: 'Name of who invites' }),
        role: words(roleNames),
        email: Type.String(),
        name: Type.String(),
        hasAccount: Type.Boolean({ description: 'Whether the person signs in with this e-mail already' }),
        expiresAt: instant('When it stops working'),
      }),
    },
    problems: [],
  }),
  acceptInvitation: appOperation({
    ...appRoutes.acceptInvitation,
    role: 'none',
    rateClass: 'write',
    summary: 'Accept an invitation',
    text: 'Works once. A person without an account gives name and password, gets an account and is signed in. A person with an account gives neither, and signs in as usual.',
    body: closed({
      token: linkToken,
      name: Type.Optional(mailedName(limits.account.name, 'How others see the person')),
      password: Type.Optional(newPassword),
    }),
    answers: {
      200: closed({
        email: Type.String(),
        session: nullable(Session),
      }),
    },
    problems: [],
  }),
}
