// The last change: who changed a thing last, by name, for somebody whose own change is refused because of it.

import Type, { type Static } from 'typebox'
import { closed, instant, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const LastChange = closed({
  at: instant('When it was changed'),
  by: closed({
    kind: words(['user', 'key', 'operator'], { description: '`operator`: at the command line of the cloud' }),
    id: nullable(Type.String({ description: 'Of the user or the API key; null of the operator' })),
    name: nullable(
      Type.String({ description: 'Of the user or the API key; null of the operator, and of who is gone' }),
    ),
  }),
})
export type LastChange = Static<typeof LastChange>

export const lastChangeAppOperations = {
  getLastChange: appOperation({
    ...appRoutes.getLastChange,
    role: 'admin',
    rateClass: 'read',
    summary: 'Tell who changed something last',
    text: 'By the activity. What the cloud does by itself does not count. Null where nothing is known.',
    query: closed({
      targetId: Type.Optional(
        Type.String({
          pattern: '^[a-z]+_[0-9a-z]{1,40}$',
          description: 'Of a gate, a gateway, a member, a user or the Space; without it: of anything',
        }),
      ),
    }),
    answers: { 200: closed({ change: nullable(LastChange) }) },
    problems: [],
  }),
}
