// The stream of a Space's changes, for its admins.

import type { SpaceEvent as Told } from '@callgate/contract/app/spaceEvent'
import { isoTime, type World } from '@callgate/world/world'
import { isComplete, readEventId } from '../core/eventNumbers.ts'
import type { Database } from '../database/database.ts'
import { readEventsAfter, readNewestSeq, readOldestSeq } from '../event/eventRows.ts'
import type { EventStream, Message } from '../event/eventStreams.ts'
import type { SpaceEvent } from '../event/events.ts'
import type { AppHandlers } from '../http/handler.ts'

/** After more missed events a client reads everything again, which is cheaper. */
const mostRepeated = 500

/** The messages of events, which all streams of a Space share. */
const changeMemo = new WeakMap<SpaceEvent, Message>()

function changeOf(told: SpaceEvent): Message {
  const known = changeMemo.get(told)
  if (known) return known
  const { at, gateId, kind, memberId, seq, targetId } = told
  const data: Told = { kind, targetId, gateId, memberId, at }
  const message = { id: seq, event: 'change', data }
  changeMemo.set(told, message)
  return message
}

/** The changes of a Space after the event `lastEventId`, and all later ones. */
function spaceStream(
  { database: { knex }, world }: { database: Database; world: World },
  spaceId: string,
  lastEventId: string | undefined,
): EventStream {
  const after = readEventId(lastEventId) ?? null

  async function firstMessages(): Promise<readonly Message[]> {
    const oldestSeq = await readOldestSeq(knex, spaceId)
    const newestSeq = await readNewestSeq(knex, spaceId)
    if (isComplete(after, { oldestSeq, newestSeq })) {
      const events = await readEventsAfter(knex, { spaceId, seq: after, most: mostRepeated + 1 })
      if (events.length <= mostRepeated) return events.map(changeOf)
    }
    const at = isoTime(world.nowMs())
    const data: Told = { kind: 'reset', targetId: null, gateId: null, memberId: null, at }
    return [{ id: newestSeq, event: 'reset', data }]
  }

  return {
    spaceId,
    async begin() {
      const messages = await firstMessages()
      const readSeq = messages.at(-1)?.id ?? after ?? 0
      return {
        messages,
        isOver: false,
        next: event => (event.seq > readSeq ? { message: changeOf(event), isOver: false } : undefined),
      }
    },
  }
}

export function spaceStreamHandlers(parts: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'followSpace'> {
  return {
    followSpace: async ({ principal, lastEventId }) => spaceStream(parts, principal.spaceId, lastEventId),
  }
}
