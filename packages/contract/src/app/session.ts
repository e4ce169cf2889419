// The session: a person signs in to the dashboard, sees what they may do, and signs out.

import Type, { type Static } from 'typebox'
import { SessionId, SpaceId, UserId } from '../ids.ts'
import { languages } from '../language.ts'
import { limits } from '../limits.ts'
import { spaceModes } from '../sandbox/magicNumbers.ts'
import { characters, closed, instant, line, mailedName, nullable, words } from '../text.ts'
import { appOperation, roleNames } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { LockDown } from './lockDown.ts'

/** The header that every request with an effect carries; its value is `csrfToken` of the session. */
export const csrfHeader = 'X-CSRF-Token'

export const SignedInUser = closed({
  id: UserId,
  email: Type.String({ description: 'In lower case' }),
  name: Type.String(),
  language: words(languages, { description: 'What the dashboard speaks' }),
})
export type SignedInUser = Static<typeof SignedInUser>

/** A Space as its users see it everywhere in the dashboard. */
export const UserSpace = closed({
  id: SpaceId,
  name: Type.String(),
  mode: words(spaceModes, { description: 'A sandbox calls nobody and sends no mail' }),
  role: words(roleNames, { description: 'What the user is in this Space' }),
  getsAlerts: Type.Boolean({ description: 'Whether the user is told of its incidents by mail' }),
  plan: Type.String({ description: 'The plan in force: an ended trial is `free`' }),
  trialEndsAt: nullable(instant('When the trial ends or has ended; null without one')),
  country: Type.String({ description: 'ISO 3166, for phone numbers without a country' }),
  timezone: Type.String({ description: 'IANA name: in which the dashboard shows times' }),
  language: Type.String({ description: 'The language of new members' }),
  lockDown: nullable({ ...LockDown, description: 'Null: the gates are not locked' }),
  lastEventId: Type.Integer({
    description:
      'The newest event of the Space: a stream that begins after it misses nothing of what is read from now on',
  }),
})
export type UserSpace = Static<typeof UserSpace>

/** Who is signed in, and in which Spaces they may act: the newest Space comes last. */
export const Session = closed({
  user: SignedInUser,
  spaces: Type.Array(UserSpace),
  csrfToken: Type.String({
    description: `Sent in the header ${csrfHeader} with each POST, PATCH and DELETE of this session`,
  }),
  expiresAt: instant('When the session ends, however much it is used'),
})
export type Session = Static<typeof Session>

const OwnSession = closed({
  id: SessionId,
  isCurrent: Type.Boolean({ description: 'Whether it is the one that asks' }),
  browser: Type.String({ description: 'What the browser calls itself, such as `Firefox on Linux`' }),
  createdAt: instant('When the user signed in'),
  lastSeenAt: instant('When it was last used, to the minute'),
  expiresAt: instant('When it ends, however much it is used'),
})

const email = line(limits.signIn.email, 'The e-mail address of the user; its case does not matter')
/** Neither trimmed nor measured: a password that nobody could have set is a wrong one. */
const password = Type.String({ ...characters(limits.signIn.password), description: 'As it was set' })

export const sessionAppOperations = {
  signIn: appOperation({
    ...appRoutes.signIn,
    role: 'none',
    rateClass: 'write',
    summary: 'Sign in with e-mail and password',
    text: 'Sets the cookie of the session. A wrong e-mail and a wrong password are answered alike: 401. After many failures a browser that has never signed in to this account waits: 429 with Retry-After. A browser that has signed in before is counted alone. Where the user has a second factor, a right password is answered with `second_factor_needed`, whose error has the member `ticket` for `signInWithCode`.',
    body: closed({ email, password }),
    answers: { 200: Session },
    problems: ['unauthorized', 'second_factor_needed'],
  }),
  getSession: appOperation({
    ...appRoutes.getSession,
    role: 'user',
    rateClass: 'read',
    summary: 'Say who is signed in',
    text: 'The dashboard reads it first, and again when a Space or a role may have changed.',
    answers: { 200: Session },
    problems: [],
  }),
  signOut: appOperation({
    ...appRoutes.signOut,
    role: 'user',
    rateClass: 'write',
    summary: 'Sign out',
    text: 'Ends the session at once, on this browser only.',
    answers: { 204: null },
    problems: [],
  }),
  listSessions: appOperation({
    ...appRoutes.listSessions,
    role: 'user',
    rateClass: 'read',
    summary: 'List the sessions of the user',
    text: 'Those that are alive, the one used last first.',
    answers: { 200: closed({ sessions: Type.Array(OwnSession) }) },
    problems: [],
  }),
  endSession: appOperation({
    ...appRoutes.endSession,
    role: 'user',
    rateClass: 'write',
    summary: 'End a session of the user',
    text: 'Its next request is refused, and so is a press of it that is not granted yet. 404 for a session of somebody else.',
    params: closed({ sessionId: SessionId }),
    answers: { 204: null },
    problems: [],
  }),
  endOtherSessions: appOperation({
    ...appRoutes.endOtherSessions,
    role: 'user',
    rateClass: 'write',
    summary: 'End all sessions of the user but this one',
    text: 'As ending each of them.',
    answers: { 204: null },
    problems: [],
  }),
  updateProfile: appOperation({
    ...appRoutes.updateProfile,
    role: 'user',
    rateClass: 'write',
    summary: 'Change the own name or language',
    text: 'What is absent stays as it is. The e-mail is changed by the operator.',
    body: closed({
      name: Type.Optional(mailedName(limits.account.name, 'How others see the user')),
      language: Type.Optional(words(languages, { description: 'What the dashboard and the mails speak' })),
    }),
    answers: { 200: closed({ user: SignedInUser }) },
    problems: [],
  }),
}
