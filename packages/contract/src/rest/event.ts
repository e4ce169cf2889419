// The events of a Space: what has changed, as ids, by their number.

import Type, { type Static } from 'typebox'
import { closed, filledIn, growingWords, instant, nullable } from '../text.ts'
import { activityActions } from './activity.ts'
import { exampleIds } from './exampleIds.ts'
import { openingSteps } from './openingEvent.ts'
import { operation } from './operation.ts'
import { routes } from './routes.ts'

const ofOpenings = openingSteps.map(step => `opening.${step}` as const)
const ofGateways = ['gateway.online', 'gateway.offline', 'gateway.changed'] as const
const ofIncidents = ['incident.opened', 'incident.closed'] as const
/** Goes to one webhook, when it goes on after a pause: events were not sent to it meanwhile. */
const ofWebhooks = ['events.reset'] as const
const actions = Object.keys(activityActions) as (keyof typeof activityActions)[]

/** The changes that only a key with `gates:read` hears of: the activity, which `history:read` shows, does not have them. */
export const eventsOfGateways: ReadonlySet<string> = new Set([...ofGateways, ...ofIncidents])

/** What can happen in a Space. `reset` is no event of its own: some may be missing. */
export const eventTypes = [
  'reset',
  ...ofOpenings,
  ...ofGateways,
  ...ofIncidents,
  ...ofWebhooks,
  ...actions,
] as const
export type EventType = (typeof eventTypes)[number]

const sequence = Type.Integer({
  minimum: 0,
  description: 'Counts up in the Space, in the order of the changes',
})
const id = (description: string) => nullable(Type.String({ description }))

export const Event = closed({
  type: growingWords(eventTypes, {
    description:
      'A step of an opening, a change of a gateway’s state, the beginning or end of an incident, an action of the activity; in the stream also `reset`: read everything again',
  }),
  timestamp: instant('When it happened'),
  sequence,
  data: closed(
    {
      targetId: id(
        'What it is about: an opening, a gateway, an incident, or the target of the action; null with `reset`',
      ),
      gateId: id('The gate that is concerned; null where there is none, or several'),
      memberId: id('The member whose press it was'),
    },
    { description: 'What it is about, by id' },
  ),
})
export type Event = Static<typeof Event>

const { gateId, openingId } = exampleIds
const example: Event = {
  type: 'opening.ended',
  timestamp: '2026-01-05T10:15:31.204Z',
  sequence: 1207,
  data: { targetId: openingId, gateId, memberId: null },
}

const whatIsHeard =
  'An event names what has changed by its id, and no more: read the thing itself. With `gates:read` the key also hears of gateways and incidents.'

export const eventOperations = {
  listEvents: operation(
    {
      ...routes.listEvents,
      judgesGates: true,
      scope: 'history:read',
      rateClass: 'read',
      summary: 'List what has changed',
      tag: 'Events',
      text: `${whatIsHeard}\n\nBegin without \`after\`: the answer names the newest number. Then send the \`lastSequence\` of each answer as the next \`after\`. Events are kept for 7 days.\n\n\`isReset\`: some after this number are missing, or the number is unknown; read everything again that you keep, and go on from \`lastSequence\`.`,
      query: closed({
        after: Type.Optional({ ...sequence, maximum: 999_999_999_999_999, description: 'Only later ones' }),
        limit: filledIn(
          Type.Integer({ minimum: 1, maximum: 500, description: 'At most this many are read' }),
          100,
        ),
      }),
      answers: {
        200: closed({
          events: Type.Array(Event),
          lastSequence: { ...sequence, description: 'What to send as the next `after`' },
          hasMore: Type.Boolean({ description: 'More have happened already: ask again at once' }),
          isReset: Type.Boolean(),
        }),
      },
      problems: [],
      isLive: true,
      extension: true,
    },
    {
      params: {},
      query: { after: 1206, limit: 1 },
      answers: { 200: { events: [example], lastSequence: 1207, hasMore: true, isReset: false } },
    },
  ),
  followEvents: operation(
    {
      ...routes.followEvents,
      judgesGates: true,
      scope: 'history:read',
      rateClass: 'read',
      summary: 'Follow what changes',
      tag: 'Events',
      text: `Server-sent events. ${whatIsHeard}\n\nThe event \`change\` has an event as its data, and its number as its id. A client that comes back with that number as \`Last-Event-ID\` gets what it has missed, for 7 days and up to 500 events.\n\n\`reset\` comes first without a \`Last-Event-ID\`, and where events after it are missing: read everything again that you keep. A stream counts as one request.`,
      answers: { 200: Event },
      isStream: true,
      problems: [],
      extension: true,
    },
    { params: {}, answers: { 200: example } },
  ),
}
