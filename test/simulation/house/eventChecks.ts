// Checks of the events of a simulation: the steps that a reader gets of each opening, and the numbers of all events.

import type { OpeningRow } from '@callgate/cloud/core/opening'
import { firstSteps, type StepEvent } from '@callgate/cloud/core/openingSteps'
import { stepsWrong } from '../../checker/stepChecks.ts'
import type { Row, Truth } from './truth.ts'

/** The steps of an opening, as a reader of its stream gets them who connects at the end. */
function toldOf(truth: Truth, row: Row): readonly StepEvent['step'][] {
  const events = truth.events.filter(({ spaceId }) => spaceId === row.spaceId)
  const own = events
    .filter(({ targetId }) => targetId === row.id)
    .map(({ at, kind, seq }) => ({ seq, at, step: kind.replace('opening.', '') as StepEvent['step'] }))
  const numbers = { oldestSeq: events[0]?.seq, newestSeq: events.at(-1)?.seq ?? 0, after: undefined }
  const { isReset, steps } = firstSteps({ ...numbers, events: own, row: row as unknown as OpeningRow })
  return isReset ? [] : steps.map(({ step }) => step)
}

/** Promise A7: the steps of each opening, as a reader gets them. */
const stepsAgree = (truth: Truth) => truth.rows.flatMap(row => stepsWrong(row, toldOf(truth, row)))

/** Promise A7: the numbers of a Space's events have no gap, even over restarts of the cloud. */
function numbersWhole({ events }: Truth): string[] {
  const before = new Map<string, number>()
  return events.flatMap(({ seq, spaceId }) => {
    const last = before.get(spaceId)
    before.set(spaceId, seq)
    return last === undefined || seq === last + 1
      ? []
      : [`A7: event ${seq} does not follow the one before it`]
  })
}

export const eventChecks = [stepsAgree, numbersWhole]
