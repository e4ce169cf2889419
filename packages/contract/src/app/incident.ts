// Incidents: problems of a gateway, a gate or mails, open or closed; and who is notified.

import Type, { type Static } from 'typebox'
import { IncidentId } from '../ids.ts'
import { CursorPage, historyFields } from '../rest/paging.ts'
import { closed, instant, nullable, words } from '../text.ts'
import { appOperation } from './appOperation.ts'
import { appRoutes } from './appRoutes.ts'
import { incidentKinds } from './incidentKinds.ts'

export const Incident = closed({
  id: IncidentId,
  kind: words(incidentKinds, { description: 'What is wrong' }),
  target: closed(
    {
      type: words(['gateway', 'gate', 'space', 'webhook'], {
        description: '`space`: it is about the mails of the Space',
      }),
      id: Type.String(),
      name: nullable(
        Type.String({ description: 'As it is called now; null of the Space; the host of a webhook' }),
      ),
    },
    { description: 'What it is about' },
  ),
  seenAt: instant('Since when it is so: a gateway was heard last, a figure was bad for the first time'),
  openedAt: instant('When it had lasted long enough to be told'),
  closedAt: nullable(instant('When it was over; null while it goes on')),
  figure: nullable(
    Type.Integer({ description: 'What was measured when it was opened: dBm, mV, calls in a row, or mails' }),
  ),
})
export type Incident = Static<typeof Incident>

/** How many open incidents are listed at most. */
export const openListed = 200

const { cursor, limit } = historyFields

export const incidentAppOperations = {
  listIncidents: appOperation({
    ...appRoutes.listIncidents,
    role: 'admin',
    rateClass: 'read',
    summary: 'List the incidents that go on, newest first',
    text: `At most ${openListed}; \`total\` counts all.`,
    answers: {
      200: closed({
        incidents: Type.Array(Incident, { maxItems: openListed }),
        total: Type.Integer({ minimum: 0, description: 'How many go on' }),
        mute: nullable(
          closed(
            {
              endsAt: instant('Until when nobody is told by mail'),
              why: Type.String({ description: 'In the words of the operator' }),
            },
            { description: 'Planned work of the operator, for an hour at most; null: mails go out' },
          ),
        ),
      }),
    },
    problems: [],
  }),
  listPastIncidents: appOperation({
    ...appRoutes.listPastIncidents,
    role: 'admin',
    rateClass: 'read',
    summary: 'List the incidents that are over, newest first',
    text: 'In pages by `cursor`. They are kept for 90 days.',
    query: closed({ limit, cursor }),
    answers: { 200: closed({ incidents: Type.Array(Incident), pagination: CursorPage }) },
    problems: [],
  }),
  updateOwnAlerts: appOperation({
    ...appRoutes.updateOwnAlerts,
    role: 'admin',
    rateClass: 'write',
    summary: 'Say whether one is told of the incidents of the Space by mail',
    text: 'The own choice; an owner can say it for every user with `updateUser`. The session tells it.',
    body: closed({ getsAlerts: Type.Boolean() }),
    answers: { 200: closed({ getsAlerts: Type.Boolean() }) },
    problems: [],
  }),
}
