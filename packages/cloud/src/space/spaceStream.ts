// The changes of a Space: as a stream for its admins and its keys, and by their numbers for its keys.

import type { SpaceEvent as Told } from '@callgate/contract/app/spaceEvent'
import { type Event, eventsOfGateways } from '@callgate/contract/rest/event'
import { isoTime, type World } from '@callgate/world/world'
import { isComplete, readEventId } from '../core/eventNumbers.ts'
import { reachesGate } from '../core/keyRights.ts'
import type { Database } from '../database/database.ts'
import { readEventsAfter, readNewestSeq, readOldestSeq } from '../event/eventRows.ts'
import type { EventStream, Message } from '../event/eventStreams.ts'
import type { EventKind, SpaceEvent } from '../event/events.ts'
import type { AppHandlers, Handlers, KeyPrincipal } from '../http/handler.ts'

/** After more missed events a client reads everything again, which is cheaper. */
const mostRepeated = 500

/** An event, or a `reset`, which is no row. */
type Noted = Omit<SpaceEvent, 'kind' | 'targetId' | 'spaceId'> & {
  readonly kind: EventKind | 'reset'
  readonly targetId: string | null
}

/** Which events a reader hears, and in which form. All streams of one form share its messages. */
interface Hearing {
  readonly hears: (event: Pick<SpaceEvent, 'kind' | 'gateId' | 'targetId'>) => boolean
  readonly form: (event: Noted) => object
  readonly memo: WeakMap<SpaceEvent, Message>
}

const ofUsers: Hearing = {
  hears: () => true,
  form: ({ at, gateId, kind, memberId, targetId }): Told => ({ kind, targetId, gateId, memberId, at }),
  memo: new WeakMap(),
}

function toEvent({ at, gateId, kind, memberId, seq, targetId }: Noted): Event {
  return { type: kind, timestamp: at, sequence: seq, data: { targetId, gateId, memberId } }
}

const messagesOfKeys = new WeakMap<SpaceEvent, Message>()

/** What a key that is limited to gates hears of: these gates and their openings. */
const aboutGates = /^(opening|gate)\./

function hearingOf(principal: KeyPrincipal): Hearing {
  const readsGates = principal.scopes.includes('gates:read')
  const isLimited = principal.gateIds !== null
  const hears: Hearing['hears'] = ({ gateId, kind, targetId }) => {
    if (!isLimited) return readsGates || !eventsOfGateways.has(kind)
    return aboutGates.test(kind) && (reachesGate(principal, gateId) || reachesGate(principal, targetId))
  }
  return { hears, form: toEvent, memo: messagesOfKeys }
}

function changeOf({ form, memo }: Hearing, event: SpaceEvent): Message {
  const known = memo.get(event)
  if (known) return known
  const message = { id: event.seq, event: 'change', data: form(event) }
  memo.set(event, message)
  return message
}

interface StreamParts {
  readonly database: Database
  readonly world: World
}

/** The changes of a Space after the event `lastEventId`, and all later ones. */
function spaceStream(
  { database: { knex }, world }: StreamParts,
  spaceId: string,
  lastEventId: string | undefined,
  hearing: Hearing,
): EventStream {
  const after = readEventId(lastEventId) ?? null

  /** The messages, and the number of the last event that was read for them. */
  async function firstMessages(): Promise<{ messages: readonly Message[]; readSeq: number }> {
    const oldestSeq = await readOldestSeq(knex, spaceId)
    const newestSeq = await readNewestSeq(knex, spaceId)
    if (isComplete(after, { oldestSeq, newestSeq })) {
      const events = await readEventsAfter(knex, { spaceId, seq: after, most: mostRepeated + 1 })
      const messages = events.filter(hearing.hears).map(event => changeOf(hearing, event))
      if (events.length <= mostRepeated) return { messages, readSeq: events.at(-1)?.seq ?? after }
    }
    const at = isoTime(world.nowMs())
    const none = { targetId: null, gateId: null, memberId: null }
    const data = hearing.form({ kind: 'reset', seq: newestSeq, at, ...none })
    return { messages: [{ id: newestSeq, event: 'reset', data }], readSeq: newestSeq }
  }

  return {
    spaceId,
    async begin() {
      const { messages, readSeq } = await firstMessages()
      return {
        messages,
        isOver: false,
        next: event =>
          event.seq > readSeq && hearing.hears(event)
            ? { message: changeOf(hearing, event), isOver: false }
            : undefined,
      }
    },
  }
}

export function spaceStreamHandlers(parts: StreamParts): Pick<AppHandlers, 'followSpace'> {
  return {
    followSpace: async ({ principal, lastEventId }) =>
      spaceStream(parts, principal.spaceId, lastEventId, ofUsers),
  }
}

/** The events of a Space for its keys. */
export function eventHandlers(parts: StreamParts): Pick<Handlers, 'listEvents' | 'followEvents'> {
  const { knex } = parts.database
  return {
    followEvents: async ({ principal, lastEventId }) =>
      spaceStream(parts, principal.spaceId, lastEventId, hearingOf(principal)),

    async listEvents({ principal, query: { after, limit } }) {
      const { spaceId } = principal
      const oldestSeq = await readOldestSeq(knex, spaceId)
      const newestSeq = await readNewestSeq(knex, spaceId)
      if (after === undefined || !isComplete(after, { oldestSeq, newestSeq })) {
        const isReset = after !== undefined
        return { status: 200, body: { events: [], lastSequence: newestSeq, hasMore: false, isReset } }
      }
      const read = await readEventsAfter(knex, { spaceId, seq: after, most: limit })
      const { hears } = hearingOf(principal)
      const lastSequence = read.at(-1)?.seq ?? after
      const events = read.filter(hears).map(toEvent)
      return {
        status: 200,
        body: { events, lastSequence, hasMore: lastSequence < newestSeq, isReset: false },
      }
    },
  }
}
