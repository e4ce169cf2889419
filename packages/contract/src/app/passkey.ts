// Passkeys (WebAuthn): added by a signed-in user, and used to sign in without a password, or to confirm.

import Type from 'typebox'
import { limits } from '../limits.ts'
import { characters, closed, instant, line, nullable } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { Session } from './session.ts'

const passkeyId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,1364}$', description: "The credential's id" })

export const PasskeyView = closed({
  id: passkeyId,
  name: Type.String(),
  createdAt: instant('When it was added'),
  lastUsedAt: nullable(instant('Null: never')),
})

const ticket = Type.String({ maxLength: 2048, description: 'Good once, for five minutes' })

/** JSON that goes to or comes from the browser's own API, unchanged. */
const browserJson = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

const options = browserJson('For `PublicKeyCredential.parse…OptionsFromJSON`')
const credential = browserJson('What `toJSON()` of the credential gives')

export const passkeyAppOperations = {
  startPasskey: appOperation({
    ...appRoutes.startPasskey,
    role: 'user',
    rateClass: 'write',
    summary: 'Begin to add a passkey',
    text: 'The page hands `options` to `navigator.credentials.create`, and what comes back to `addPasskey`.',
    answers: { 200: closed({ options, ticket }) },
    problems: [],
  }),
  addPasskey: appOperation({
    ...appRoutes.addPasskey,
    role: 'user',
    rateClass: 'write',
    summary: 'Add a passkey',
    text: 'At most 20 for a user.',
    body: closed({ ticket, name: line(limits.passkey.name, 'Where it is, such as "Phone"'), credential }),
    answers: { 201: closed({ passkey: PasskeyView }) },
    problems: ['conflict'],
  }),
  removePasskey: appOperation({
    ...appRoutes.removePasskey,
    role: 'user',
    rateClass: 'write',
    summary: 'Remove a passkey',
    text: 'It signs nobody in any more. 404 for one of somebody else.',
    params: closed({ passkeyId }),
    answers: { 204: null },
    problems: [],
  }),
  startPasskeySignIn: appOperation({
    ...appRoutes.startPasskeySignIn,
    role: 'none',
    rateClass: 'write',
    summary: 'Begin to sign in, or to confirm, with a passkey',
    text: 'The page hands `options` to `navigator.credentials.get`. They name no user: the browser shows the passkeys that it has.',
    answers: { 200: closed({ options, ticket }) },
    problems: [],
  }),
  signInWithPasskey: appOperation({
    ...appRoutes.signInWithPasskey,
    role: 'none',
    rateClass: 'write',
    summary: 'Sign in with a passkey',
    text: 'The passkey has asked for a finger, a face or a PIN, so no code is asked for.',
    body: closed({ ticket, credential }),
    answers: { 200: Session },
    problems: ['unauthorized'],
  }),
  confirmSession: appOperation({
    ...appRoutes.confirmSession,
    role: 'user',
    rateClass: 'write',
    summary: 'Confirm who is signed in, by password or passkey',
    text: 'Operations that answer `confirmation_required` are taken for five minutes from then on, in this session only. Signing in confirms as well. Send `password`, or `ticket` and `credential` of a passkey of the same user.',
    body: closed({
      password: Type.Optional(Type.String(characters(limits.signIn.password))),
      ticket: Type.Optional(ticket),
      credential: Type.Optional(credential),
    }),
    answers: { 200: closed({ confirmedUntil: instant('Until when the session is confirmed') }) },
    problems: ['wrong_password'],
  }),
}
