// Who a key is: its Space, its rights, and what is left of its limits.

import Type, { type Static } from 'typebox'
import { ApiKeyId, GateId, SpaceId } from '../ids.ts'
import { spaceModes } from '../sandbox/magicNumbers.ts'
import { closed, instant, nullable, words } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'
import { scopeNames } from './scope.ts'

const count = { minimum: 0 }

const Rate = closed({
  limit: Type.Integer({ ...count, description: 'Requests in any 60 seconds' }),
  remaining: Type.Integer({ ...count, description: 'How many of them are left now, after this request' }),
})

const Use = closed({ used: Type.Integer(count), limit: Type.Integer(count) })

export const Self = closed({
  space: closed({
    id: SpaceId,
    name: Type.String(),
    mode: words(spaceModes, {
      description: '`sandbox`: nothing is called, no mail leaves, and its numbers stand for ends of calls',
    }),
    country: Type.String({ description: 'ISO 3166; national phone numbers are read as of this country' }),
    timezone: Type.String({ description: 'IANA name; months and days are counted in it' }),
  }),
  key: closed({
    id: ApiKeyId,
    name: Type.String(),
    scopes: Type.Array(words(scopeNames)),
    gateIds: nullable(
      Type.Array(GateId, { description: 'The gates that it is limited to; null: all, also those to come' }),
    ),
    expiresAt: nullable(instant('When it ends; null: never')),
  }),
  rates: closed(
    { default: Rate, write: Rate, open: Rate },
    { description: 'By the names of the header `RateLimit`' },
  ),
  plan: closed({
    name: Type.String({ description: 'The plan in force: an ended trial is `free`' }),
    trialEndsAt: nullable(instant('When the trial ends or has ended; null without one')),
    gates: { ...Use, description: 'Active gates' },
    gateways: { ...Use, description: 'Gateways that are not revoked' },
    invitations: closed(
      { ...Use.properties, resetsAt: instant("When the next month begins in the Space's zone") },
      { description: 'New members of this month' },
    ),
  }),
})
export type Self = Static<typeof Self>

const example: Self = {
  space: {
    id: exampleIds.spaceId,
    name: 'Oak Street 12',
    mode: 'live',
    country: 'RO',
    timezone: 'Europe/Bucharest',
  },
  key: {
    id: exampleIds.apiKeyId,
    name: 'Front desk',
    scopes: ['gates:read', 'gates:open'],
    gateIds: null,
    expiresAt: null,
  },
  rates: {
    default: { limit: 120, remaining: 119 },
    write: { limit: 30, remaining: 30 },
    open: { limit: 10, remaining: 8 },
  },
  plan: {
    name: 'business',
    trialEndsAt: null,
    gates: { used: 2, limit: 25 },
    gateways: { used: 1, limit: 5 },
    invitations: { used: 14, limit: 500, resetsAt: '2026-01-31T22:00:00.000Z' },
  },
}

export const selfOperations = {
  getSelf: operation(
    {
      ...routes.getSelf,
      scope: 'any',
      rateClass: 'read',
      summary: 'Tell who the key is',
      tag: 'Space',
      text: 'The Space, the key with its scopes and its end, and what is left of the limits. Ask it when a key is set up: the answer shows what is missing before anything is done with it.',
      answers: { 200: Self },
      isLive: true,
      judgesGates: true,
      problems: [],
      extension: true,
    },
    { params: {}, answers: { 200: example } },
  ),
}
