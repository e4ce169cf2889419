// Figures of a gate from its last openings: how they ended, how long one takes, and how many calls in a row rang in vain.

import { isSilent } from '@callgate/contract/call/callOutcomes'
import { didNotReact, type OpeningClass } from '@callgate/contract/call/openingClass'
import type { OpeningRow } from './opening.ts'

/** The columns of an opening from which the figures are computed. */
export type FigureRow = Pick<
  OpeningRow,
  'id' | 'calledAt' | 'completedAt' | 'joinedOpeningId' | 'opened' | 'reason' | 'gatewayId'
> & { readonly class: OpeningClass }

export interface Figures {
  /** Oldest first. */
  readonly ticks: readonly { readonly openingId: string; readonly class: OpeningClass }[]
  /** The median time from the press to the end of an opening call, in milliseconds; null before the first one. */
  readonly usualMs: number | null
  /** How many of the last calls in a row rang in vain. */
  readonly misses: number
  /** The gateway that called the gate last; null where none of these openings has a call. */
  readonly gatewayId: string | null
}

/** The median; the lower of the two middle values; null for an empty list. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null
}

/** The calls of a gate that have ended. Openings without a call say nothing about its module. */
export function endedCalls(rows: readonly FigureRow[]): readonly FigureRow[] {
  return rows.filter(row => row.joinedOpeningId === null && !isSilent(row.class))
}

/** The figures of `rows`, the last openings of one gate, newest first. A joined press has no call. */
export function figuresOf(rows: readonly FigureRow[]): Figures {
  const calls = rows.filter(row => row.joinedOpeningId === null)
  const ended = endedCalls(rows)
  const reacted = ended.findIndex(row => !didNotReact(row))
  const durations = ended
    .filter(({ class: of }) => of === 'opened' || of === 'probably_opened')
    .map(({ calledAt, completedAt }) => Date.parse(completedAt ?? calledAt) - Date.parse(calledAt))
  return {
    ticks: rows.map(({ class: of, id }) => ({ openingId: id, class: of })).reverse(),
    usualMs: median(durations),
    misses: reacted < 0 ? ended.length : reacted,
    gatewayId: calls.find(row => row.gatewayId !== null)?.gatewayId ?? null,
  }
}
