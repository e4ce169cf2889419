// The second factor of a user: codes of an authenticator app (TOTP, RFC 6238), and codes for the day when it is lost.

import Type from 'typebox'
import { limits } from '../limits.ts'
import { characters, closed, instant, nullable } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { PasskeyView } from './passkey.ts'
import { Session } from './session.ts'

const recoveryCodes = Type.Array(Type.String({ examples: ['k3m9-w2xt-7hqa'] }), {
  description: 'Shown this once. Each signs in once in place of a code of the app',
})
const csrfToken = Type.String({ description: 'The session has another secret now, and so another token' })

/** What signs in beside or in place of a password, as the page on security shows it. */
export const secondFactorAppOperations = {
  getSecurity: appOperation({
    ...appRoutes.getSecurity,
    role: 'user',
    rateClass: 'read',
    summary: 'Say what signs the user in',
    text: '`confirmedUntil` says until when operations are taken that need a confirmation (`confirmSession`).',
    answers: {
      200: closed({
        totpEnabledAt: nullable(instant('Since when a code of an app is asked for; null: never')),
        recoveryCodesLeft: Type.Integer(),
        passkeys: Type.Array(PasskeyView),
        confirmedUntil: nullable(instant('Null: the user has to confirm first')),
      }),
    },
    problems: [],
  }),
  startTotp: appOperation({
    ...appRoutes.startTotp,
    role: 'user',
    rateClass: 'write',
    summary: 'Make the secret for an authenticator app',
    text: 'Show `uri` as a QR code and `secret` beside it. Nothing changes before `enableTotp`. 409 while codes are asked for already.',
    answers: {
      200: closed({
        secret: Type.String({ description: 'Base 32, to be typed where there is no camera' }),
        uri: Type.String({ description: 'otpauth://totp/…' }),
      }),
    },
    problems: ['conflict'],
  }),
  enableTotp: appOperation({
    ...appRoutes.enableTotp,
    role: 'user',
    rateClass: 'write',
    summary: 'Ask for a code of the app from now on',
    text: 'The code shows that the app has the secret. All other sessions end, and the cookie of this one is set anew.',
    body: closed({
      code: Type.String({
        ...characters(limits.signIn.code),
        description: 'The six digits that the app shows',
      }),
    }),
    answers: { 200: closed({ recoveryCodes, csrfToken }) },
    problems: ['conflict'],
  }),
  disableTotp: appOperation({
    ...appRoutes.disableTotp,
    role: 'user',
    rateClass: 'write',
    summary: 'Ask for no code any more',
    text: 'The secret and the recovery codes are gone.',
    answers: { 204: null },
    problems: [],
  }),
  renewRecoveryCodes: appOperation({
    ...appRoutes.renewRecoveryCodes,
    role: 'user',
    rateClass: 'write',
    summary: 'Make new recovery codes',
    text: 'Ten of them; the old ones stop working. 409 where no code of an app is asked for.',
    answers: { 200: closed({ recoveryCodes }) },
    problems: ['conflict'],
  }),
  signInWithCode: appOperation({
    ...appRoutes.signInWithCode,
    role: 'none',
    rateClass: 'write',
    summary: 'Finish a sign-in with a code',
    text: '`signIn` was answered with `second_factor_needed` and a ticket, which is good for five minutes. The code is the one of the app, or a recovery code. A code works once. A wrong one counts as a wrong password. After 100 wrong ones in a row, from whatever browser, only a recovery code is taken: 409.',
    body: closed({
      ticket: Type.String({ maxLength: 1024 }),
      code: Type.String({ ...characters(limits.signIn.code), description: 'Six digits, or a recovery code' }),
    }),
    answers: { 200: Session },
    problems: ['unauthorized', 'conflict'],
  }),
}
