// Web push: the browsers to which a user has pushes sent, what about, and the sentence that a browser shows for one.

import Type, { type Static } from 'typebox'
import { closed, instant, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { pushKinds } from './pushMessage.ts'

const deviceId = Type.String({
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: 'The SHA-256 of its endpoint as base64url: a browser that is added again keeps it',
})

const switches = {
  alerts: Type.Boolean({
    description: 'Whether it gets a push when something is wrong, and when it is over',
  }),
  openings: Type.Boolean({ description: 'Whether it gets a push when somebody else has opened a gate' }),
}

export const PushDevice = closed({
  id: deviceId,
  browser: Type.String({ description: 'What the browser calls itself, such as `Firefox on Linux`' }),
  ...switches,
  createdAt: instant('When it was added'),
})
export type PushDevice = Static<typeof PushDevice>

const device = closed({ device: PushDevice })
const ofOneUser = 'Pushes are about every Space of the user. 404 for a device of somebody else.'

export const pushAppOperations = {
  getPush: appOperation({
    ...appRoutes.getPush,
    role: 'user',
    rateClass: 'read',
    summary: 'List the devices of the user that get pushes',
    text: 'With the public key that a browser needs to subscribe. The first reading makes the keys of the installation.',
    answers: {
      200: closed({
        publicKey: Type.String({ description: 'Of the installation: `applicationServerKey` (RFC 8292)' }),
        devices: Type.Array(PushDevice),
      }),
    },
    problems: [],
  }),
  addPushDevice: appOperation({
    ...appRoutes.addPushDevice,
    role: 'user',
    rateClass: 'write',
    summary: 'Send pushes to this browser',
    text: 'What `PushSubscription.toJSON()` says. The same browser again replaces what was known of it, also of another user. The eleventh device of a user replaces the oldest.',
    body: closed({
      endpoint: Type.String({ minLength: 9, maxLength: 1_000, description: 'At a push service' }),
      keys: closed({
        p256dh: Type.String({ pattern: '^[A-Za-z0-9_-]{87}$' }),
        auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' }),
      }),
      ...switches,
    }),
    takesNoKey: true,
    answers: { 201: device },
    problems: [],
  }),
  updatePushDevice: appOperation({
    ...appRoutes.updatePushDevice,
    role: 'user',
    rateClass: 'write',
    summary: 'Say what a device gets pushes about',
    text: `What is absent stays as it is. ${ofOneUser}`,
    params: closed({ deviceId }),
    body: closed({ alerts: Type.Optional(switches.alerts), openings: Type.Optional(switches.openings) }),
    answers: { 200: device },
    problems: [],
  }),
  removePushDevice: appOperation({
    ...appRoutes.removePushDevice,
    role: 'user',
    rateClass: 'write',
    summary: 'Send no more pushes to a device',
    text: ofOneUser,
    params: closed({ deviceId }),
    answers: { 204: null },
    problems: [],
  }),
  getPushText: appOperation({
    ...appRoutes.getPushText,
    role: 'admin',
    rateClass: 'read',
    summary: 'Say what a push is about',
    text: 'A push itself contains no names. The browser that gets one asks here with the session of its user, and shows a general sentence where nobody is signed in.',
    query: closed({
      kind: words(pushKinds),
      id: Type.Optional(
        Type.String({ maxLength: 64, description: 'The incident or the opening; absent: several incidents' }),
      ),
    }),
    answers: {
      200: closed({
        title: Type.String(),
        text: Type.String({ description: 'In the language of the user' }),
      }),
    },
    problems: [],
  }),
}
