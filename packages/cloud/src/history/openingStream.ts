// The stream of one opening: its steps as they are committed, for every principal who may read the opening.

import type { OpeningEvent, OpeningStep } from '@callgate/contract/rest/openingEvent'
import { readEventId } from '../core/eventNumbers.ts'
import { reachesGate } from '../core/keyRights.ts'
import { firstSteps, laterSteps, type StepEvent } from '../core/openingSteps.ts'
import type { Database } from '../database/database.ts'
import { readEventsAbout, readNewestSeq, readOldestSeq } from '../event/eventRows.ts'
import type { EventStream } from '../event/eventStreams.ts'
import type { SpaceEvent } from '../event/events.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { findOpening } from '../opening/openingRows.ts'

const prefix = 'opening.'

function toStep({ at, kind, seq }: SpaceEvent): StepEvent {
  return { seq, at, step: kind.slice(prefix.length) as OpeningStep }
}

/**
 * The steps of an existing opening, from the first one or from the one after `lastEventId` on. `step` has one step, `reset` the
 * newest one for a reader who may have missed events. The data of both is an `OpeningEvent`. The stream ends with the opening.
 */
export function openingStream(
  { knex }: Database,
  { id: openingId, spaceId }: { readonly id: string; readonly spaceId: string },
  lastEventId: string | undefined,
): EventStream {
  const messageOf = (event: 'step' | 'reset', { at, seq, step }: StepEvent) => {
    const data: OpeningEvent = { openingId, step, at }
    return { id: seq, event, data }
  }
  return {
    spaceId,
    async begin() {
      const oldestSeq = await readOldestSeq(knex, spaceId)
      const newestSeq = await readNewestSeq(knex, spaceId)
      // Before the events: an end in the row must be among them.
      const row = await findOpening(knex, openingId)
      const events = (await readEventsAbout(knex, { spaceId, targetId: openingId })).map(toStep)
      // Not tested: an opening that is gone; nothing deletes one.
      if (!row) throw new Error('an opening is gone')
      const known = { row, events, after: readEventId(lastEventId), oldestSeq, newestSeq }
      const { isOver, isReset, steps } = firstSteps(known)
      const isLater = laterSteps(known)
      return {
        messages: steps.map(step => messageOf(isReset ? 'reset' : 'step', step)),
        isOver,
        next(event) {
          if (event.targetId !== openingId) return undefined
          const step = toStep(event)
          if (!isLater(step)) return undefined
          return { message: messageOf('step', step), isOver: step.step === 'ended' }
        },
      }
    },
  }
}

export function openingStreamHandlers({
  database,
}: {
  readonly database: Database
}): Pick<Handlers, 'followOpening'> {
  return {
    async followOpening({ principal, lastEventId, params }) {
      const row = await findOpening(database.knex, params.openingId)
      if (row?.spaceId !== principal.spaceId || !reachesGate(principal, row.gateId))
        return notFound('opening')
      return openingStream(database, row, lastEventId)
    },
  }
}
