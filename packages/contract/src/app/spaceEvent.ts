// The events of a Space: what has changed, as ids, so that a page reads again what it shows.

import Type, { type Static } from 'typebox'
import { eventTypes } from '../rest/event.ts'
import { closed, growingWords, instant, nullable } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'

const id = (description: string) => nullable(Type.String({ description }))

export const SpaceEvent = closed({
  kind: growingWords(eventTypes, {
    description:
      'A step of an opening, a change of a gateway’s state, the beginning or end of an incident, an action of the activity; `reset`: read everything again',
  }),
  targetId: id(
    'What it is about: an opening, a gateway, an incident, or the target of the action; null with `reset`',
  ),
  gateId: id('The gate that is concerned; null where there is none, or several'),
  memberId: id('The member whose press it was'),
  at: instant('When it happened'),
})
export type SpaceEvent = Static<typeof SpaceEvent>

export const spaceEventAppOperations = {
  followSpace: appOperation({
    ...appRoutes.followSpace,
    role: 'admin',
    rateClass: 'read',
    summary: 'Follow what changes in the Space',
    text: 'Server-sent events. `change` tells what has changed. `reset` comes first without a `Last-Event-ID`, and where events after it are missing: everything that is shown has to be read again.',
    answers: { 200: SpaceEvent },
    isStream: true,
    problems: [],
  }),
}
