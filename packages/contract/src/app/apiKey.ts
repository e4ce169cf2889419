// API keys as the dashboard shows them: their beginning and their use. The secret is shown once.

import Type, { type Static } from 'typebox'
import { ApiKeyId, GateId, UserId } from '../ids.ts'
import { limits } from '../limits.ts'
import { limitableScopes, scopeNames } from '../rest/scope.ts'
import { atMost, closed, instant, items, line, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

/** For how many days the uses of a key are told. */
export const useDays = 30

const { apiKey: limit } = limits
const name = line(limit.name, atMost(limit.name))
const scopes = Type.Array(words(scopeNames), { ...items(limit.scopes), description: 'What it may do' })

export const ApiKeyView = closed({
  id: ApiKeyId,
  name,
  shownPrefix: Type.String({
    description: 'How it begins, to tell it from others',
    examples: ['svc_live_3kQ9'],
  }),
  scopes: Type.Array(words(scopeNames)),
  gateIds: nullable(
    Type.Array(GateId, { description: 'The gates that it is limited to; null: all, also those to come' }),
  ),
  createdAt: instant('When it was made'),
  expiresAt: nullable(instant('When it ends; null: never')),
  revokedAt: nullable(instant('When it was ended for good')),
  lastUsedAt: nullable(instant('Null: never; else to within a minute')),
  /** The user who made it; null: the operator, or not known. */
  madeById: nullable(UserId),
  uses: Type.Array(Type.Integer({ minimum: 0 }), {
    minItems: useDays,
    maxItems: useDays,
    description: "Requests on each of the last 30 days in the Space's zone, today last",
  }),
})
export type ApiKeyView = Static<typeof ApiKeyView>

export const apiKeyAppOperations = {
  listApiKeys: appOperation({
    ...appRoutes.listApiKeys,
    role: 'admin',
    rateClass: 'read',
    summary: 'List the API keys, oldest first',
    text: 'Without their secrets, which are not stored. Revoked and ended ones are in the list.',
    answers: { 200: closed({ keys: Type.Array(ApiKeyView) }) },
    problems: [],
  }),
  createApiKey: appOperation({
    ...appRoutes.createApiKey,
    role: 'admin',
    rateClass: 'write',
    summary: 'Make an API key',
    text: 'The secret is in this answer and nowhere else. A key with `gates:open` moves real gates, `members:read` answers links that open them, `members:write` makes such links, and a key without an end is for good. For each of these the session must be confirmed, by `POST /app/v1/session/confirm` or a sign-in in the last five minutes.',
    body: closed({
      name,
      scopes,
      gateIds: Type.Optional(
        nullable(
          Type.Array(GateId, {
            ...items(limit.gateIds),
            description: `Only these gates; null or absent: all, also those to come. With it the key may have no scopes but ${limitableScopes.join(', ')}`,
          }),
        ),
      ),
      expiresAt: Type.Optional(nullable(instant('When it ends; null or absent: never'))),
    }),
    answers: { 201: closed({ key: ApiKeyView, secret: Type.String({ description: 'Shown this once' }) }) },
    problems: ['not_found'],
  }),
  revokeApiKey: appOperation({
    ...appRoutes.revokeApiKey,
    role: 'admin',
    rateClass: 'write',
    summary: 'End an API key for good',
    text: 'It is refused from the next request on. Ending it again changes nothing.',
    params: closed({ apiKeyId: ApiKeyId }),
    answers: { 204: null },
    problems: ['not_found'],
  }),
}
