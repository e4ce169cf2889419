// The readings that an event affects: the nouns in their keys.

import type { SpaceEvent } from '@callgate/contract/app/spaceEvent'
import type { EventType } from '@callgate/contract/rest/event'

/** The readings of a noun; with an id those of one thing, and the lists unless it is alone. */
export interface Touched {
  readonly noun: string
  readonly id?: string
  readonly isAlone?: true
}

type Family = EventType extends infer Kind ? (Kind extends `${infer Begin}.${string}` ? Begin : never) : never

const named = (noun: string, id: string | null): Touched => (id === null ? { noun } : { noun, id })
const activity: Touched = { noun: 'activity' }

const byFamily: Readonly<Record<Family, (event: SpaceEvent) => readonly Touched[]>> = {
  opening: ({ gateId, memberId, targetId }) => [
    named('openings', targetId),
    named('gates', gateId),
    { noun: 'gate-figures' },
    { noun: 'history' },
    { noun: 'history-counts' },
    ...(memberId === null ? [] : [named('members', memberId), named('member-views', memberId)]),
  ],
  gateway: ({ targetId }) => [
    named('gateways', targetId),
    { noun: 'enrolments' },
    { noun: 'updates' },
    { noun: 'gates' },
    { noun: 'gate-figures' },
    activity,
  ],
  incident: () => [{ noun: 'incidents' }, { noun: 'past-incidents' }],
  gate: ({ targetId }) => [
    named('gates', targetId),
    { noun: 'gate-figures' },
    { noun: 'member-views' },
    activity,
  ],
  member: ({ targetId }) => [
    named('members', targetId),
    named('member-views', targetId),
    { noun: 'member-counts' },
    activity,
  ],
  guest: ({ targetId }) => [
    named('members', targetId),
    named('member-views', targetId),
    { noun: 'member-counts' },
    activity,
  ],
  api_key: () => [{ noun: 'api-keys' }, activity],
  webhook: () => [{ noun: 'webhooks' }, activity],
  events: () => [{ noun: 'webhooks' }],
  user: () => [{ noun: 'users' }, { noun: 'members' }, { noun: 'member-views' }, activity],
  // Members and gates, or what members may open now.
  sandbox: () => [
    { noun: 'sandbox' },
    { noun: 'gates' },
    { noun: 'members' },
    { noun: 'member-views' },
    { noun: 'member-counts' },
    activity,
  ],
  space: () => [
    { noun: 'space' },
    { noun: 'plan' },
    { noun: 'updates' },
    { noun: 'access-templates' },
    activity,
  ],
}

/** The readings to repeat after an event; undefined: everything. */
export function touchedBy(event: SpaceEvent): readonly Touched[] | undefined {
  const [family = ''] = event.kind.split('.')
  return Object.hasOwn(byFamily, family) ? byFamily[family as Family](event) : undefined
}
