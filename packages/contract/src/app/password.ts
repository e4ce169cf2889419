// Passwords: changed by a signed-in user, and reset by a user who has forgotten it.

import Type from 'typebox'
import { limits, passwordLengths } from '../limits.ts'
import { characters, closed } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const { account: limit } = limits
const { alone, besideSecondFactor } = passwordLengths

/** The server names its fault, in the field `password` of the message. */
export const newPassword = Type.String({
  ...characters(limit.password),
  description: `At least ${alone.least} characters, or ${besideSecondFactor.least} beside a second factor; at most ${alone.most}; none that is guessed first`,
})

export const passwordAppOperations = {
  changePassword: appOperation({
    ...appRoutes.changePassword,
    role: 'user',
    rateClass: 'write',
    summary: 'Change the password',
    text: 'All other sessions end, and this one gets another secret: its cookie is set anew, and the answer has the new csrfToken. A wrong current password is `wrong_password` and counts as one at a sign-in.',
    body: closed({ currentPassword: Type.String(characters(limit.currentPassword)), password: newPassword }),
    answers: { 200: closed({ csrfToken: Type.String() }) },
    problems: ['wrong_password'],
  }),
  requestPasswordReset: appOperation({
    ...appRoutes.requestPasswordReset,
    role: 'none',
    rateClass: 'write',
    summary: 'Ask for a mail to set a new password',
    text: 'The answer is the same for every e-mail. A mail goes to an account that is there: its link works once, for an hour, and three of them can wait at a time.',
    body: closed({ email: Type.String({ format: 'email', ...characters(limits.user.email) }) }),
    answers: { 204: null },
    problems: [],
  }),
  resetPassword: appOperation({
    ...appRoutes.resetPassword,
    role: 'none',
    rateClass: 'write',
    summary: 'Set a new password by a mailed link',
    text: 'Works once. All sessions of the user end; they sign in with the new password. A second factor stays as it is. 404 for a link that was used, or is older than an hour.',
    body: closed({
      token: Type.String({
        pattern: '^[A-Za-z0-9_-]{43}$',
        description: 'What stands after the # of the mailed link',
      }),
      password: newPassword,
    }),
    answers: { 204: null },
    problems: [],
  }),
}
