// The Space as its owners edit it, and what is used of its plan.

import Type, { type Static } from 'typebox'
import { SpaceId } from '../ids.ts'
import { keepings } from '../keeping.ts'
import { languages } from '../language.ts'
import { limits } from '../limits.ts'
import { atMost, characters, closed, instant, items, mailedName, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { LockDown } from './lockDown.ts'

const country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166', examples: ['RO'] })
const { space: limit } = limits
const settings = {
  name: mailedName(limit.name, `${atMost(limit.name)}, without :// and www., since mails print it`),
  country: { ...country, description: 'ISO 3166; national phone numbers are read as of this country' },
  timezone: Type.String({
    ...characters(limit.timezone),
    description: 'IANA name; months and days are counted in it',
    examples: ['Europe/Bucharest'],
  }),
  language: words(languages, { description: 'Of members who have not picked one' }),
  contactName: nullable(
    mailedName(limit.contactName, 'Whom guests may call when something fails; null: nobody'),
  ),
  contactPhone: nullable(
    Type.String({
      ...characters(limit.contactPhone),
      pattern: '^\\s*\\+?[0-9][0-9 ()./-]*$',
      description: 'As guests dial it with a tap; with contactName, or both null',
      examples: ['+40 21 555 0100'],
    }),
  ),
  keepIdentities: words(keepings, {
    description:
      'How long it is kept who opened and who changed what: 90 days, or 1 to 36 months (ISO 8601). Then openings and activity say `not_kept`, and no longer whose they were. What was removed does not come back',
  }),
  allowedCountries: nullable(
    Type.Array(country, {
      ...items(limit.allowedCountries),
      uniqueItems: true,
      description: 'Whose numbers gates may have, beside the own; null: the usual ones',
    }),
  ),
}

const Used = closed({ used: Type.Integer({ minimum: 0 }), limit: Type.Integer({ minimum: 0 }) })

/** The plan and what is used of it. It changes by itself, so an edit never fails because of it. */
const PlanNow = closed({
  plan: Type.String({ description: 'The plan in force: an ended trial is `free`' }),
  trialEndsAt: nullable(instant('When the trial ends or has ended; null without one')),
  hasApi: Type.Boolean({ description: 'Whether API keys work' }),
  gates: { ...Used, description: 'Active gates' },
  gateways: { ...Used, description: 'Gateways that are not revoked' },
  keys: { ...Used, description: 'API keys that are neither revoked nor expired' },
  webhooks: { ...Used, description: 'Webhooks, also those that are switched off' },
  users: { ...Used, description: 'Users, and invitations of users that can still be accepted' },
  invitations: closed(
    { ...Used.properties, resetsAt: instant("When the next month begins in the Space's zone") },
    { description: 'New members of this month' },
  ),
})

export const SpaceView = closed({
  id: SpaceId,
  ...settings,
  usualCountries: Type.Array(country, { description: 'What `allowedCountries: null` means' }),
  createdAt: instant('When the Space was made'),
  now: PlanNow,
})
export type SpaceView = Static<typeof SpaceView>

const answer = closed({ space: SpaceView })

export const spaceAppOperations = {
  getSpace: appOperation({
    ...appRoutes.getSpace,
    role: 'admin',
    rateClass: 'read',
    summary: 'Show the Space, its plan, and what is used of it',
    text: 'Its ETag changes with an edit, and not with a use.',
    answers: { 200: answer },
    problems: [],
  }),
  updateSpace: appOperation({
    ...appRoutes.updateSpace,
    role: 'owner',
    rateClass: 'write',
    summary: 'Change the Space',
    text: 'What is absent stays as it is. Stored schedules and phone numbers stay as they are.',
    body: closed(Type.Partial(Type.Object(settings)).properties),
    answers: { 200: answer },
    problems: ['precondition_failed'],
  }),
  lockDown: appOperation({
    ...appRoutes.lockDown,
    role: 'admin',
    rateClass: 'write',
    summary: 'Lock all gates of the Space',
    text: 'Until it is ended, nobody opens a gate of the Space: no member, no key, no user. A press that waits for its call ends; a call that runs is left alone. Where the gates are locked already, nothing changes. It asks for no confirmation, since it only forbids.',
    answers: { 200: closed({ lockDown: LockDown }) },
    problems: [],
  }),
  endLockDown: appOperation({
    ...appRoutes.endLockDown,
    role: 'admin',
    rateClass: 'write',
    summary: 'End the lock-down of the Space',
    text: 'Gates open again as they did before. Nothing that was refused meanwhile is opened.',
    answers: { 204: null },
    problems: [],
  }),
  createSandbox: appOperation({
    ...appRoutes.createSandbox,
    role: 'owner',
    rateClass: 'write',
    summary: 'Make a sandbox',
    text: 'Another Space for tests, which calls nobody and sends no mail. The user is its owner. It begins with the zone, country and language of this one.',
    body: closed({ name: settings.name }),
    answers: { 201: closed({ space: closed({ id: SpaceId, name: settings.name }) }) },
    problems: ['plan_limit_reached'],
  }),
}
