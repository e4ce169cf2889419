// The operation that reads the record of administrative actions, with an example.

import Type from 'typebox'
import { closed } from '../text.ts'
import { ActivityEntry } from './activity.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { CursorPage, historyQuery, historyText } from './paging.ts'
import { routes } from './routes.ts'

const exampleActivity: ActivityEntry = {
  id: exampleIds.activityId,
  action: 'guest.access_added',
  actor: 'api:Front desk',
  targetType: 'member',
  targetLabel: 'Ana Pop',
  details: {
    deviceName: 'Courtyard gate',
    gateId: exampleIds.gateId,
    accessId: exampleIds.accessId,
    actorId: exampleIds.apiKeyId,
    targetId: exampleIds.memberId,
  },
  timestamp: '2026-01-05T08:12:00.000Z',
}

/** The cursor after the example. A test of the cloud computes it again. */
const exampleCursor = 'MjAyNi0wMS0wNVQwODoxMjowMC4wMDBaIGFjdF8wMWtkaHg5YzVxOHMwdjJ4NHo2YjhkMWYzaCA4amhyc24'

/** Lists the recorded actions. */
export const activityOperations = {
  listActivity: operation(
    {
      ...routes.listActivity,
      scope: 'history:read',
      rateClass: 'read',
      summary: 'List the administrative actions',
      tag: 'History',
      text: `Newest first. ${historyText} Changes through the API have the actor \`api:<key name>\`.`,
      query: historyQuery({}),
      answers: {
        200: closed({ activity: Type.Array(ActivityEntry), pagination: Type.Optional(CursorPage) }),
      },
      problems: [],
    },
    {
      params: {},
      query: { limit: 1, cursor: '' },
      answers: { 200: { activity: [exampleActivity], pagination: { limit: 1, nextCursor: exampleCursor } } },
    },
  ),
}
