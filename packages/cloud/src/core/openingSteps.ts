// The steps of an opening in its events: which step follows from what, and which events a reader gets.

import { type OpeningStep, openingSteps } from '@callgate/contract/rest/openingEvent'
import { isComplete, type KeptNumbers } from './eventNumbers.ts'
import { type Ending, isRunning, type OpeningRow } from './opening.ts'
import type { PressDecision } from './pressDecision.ts'

/** The gate took the call only where the verdict says so: a voicemail can answer too. */
export function stepsOfEnd({ status }: Pick<Ending, 'status'>): readonly OpeningStep[] {
  return status === 'completed' ? ['taken', 'ended'] : ['ended']
}

/** The steps that a press reaches at once. A press that joins a call gets the steps of that call. */
export function stepsOfPress(decision: PressDecision): readonly OpeningStep[] {
  if (decision.kind === 'end') return ['asked', ...stepsOfEnd(decision.ending)]
  if (decision.kind === 'lead') return ['asked']
  const { gatewayId, status } = decision.leader
  const called: OpeningStep[] = gatewayId === null ? [] : ['calling']
  return ['asked', ...called, ...(status === 'connected' ? (['ringing'] as const) : [])]
}

/** The step that an opening's row shows, and since when, as far as the row has it (RFC 3339). */
export function stepOfRow(row: OpeningRow): { readonly step: OpeningStep; readonly at: string } {
  if (!isRunning(row)) return { step: 'ended', at: row.completedAt ?? row.calledAt }
  if (row.status === 'connected') return { step: 'ringing', at: row.grantedAt ?? row.calledAt }
  return row.grantedAt === null ? { step: 'asked', at: row.calledAt } : { step: 'calling', at: row.grantedAt }
}

/** An event of one opening. */
export interface StepEvent {
  /** The event's number in its Space. */
  readonly seq: number
  readonly step: OpeningStep
  readonly at: string
}

/** What a new reader gets. */
export interface FirstSteps {
  /** The reader may have missed events: it gets the newest step alone. */
  readonly isReset: boolean
  readonly steps: readonly StepEvent[]
  /** No further step is expected. */
  readonly isOver: boolean
}

/** What is known of an opening's events when a reader connects. */
export interface KnownSteps extends KeptNumbers {
  readonly row: OpeningRow
  /** The opening's events that are kept, oldest first. */
  readonly events: readonly StepEvent[]
  /** The number of the last event that the reader has received; undefined for a new reader, null for an invalid number. */
  readonly after: number | null | undefined
}

const rankOf = (step: OpeningStep) => openingSteps.indexOf(step)

/** Each step once and in order. Of several ends the last one counts, because it corrects the earlier ones. */
function inOrder(events: readonly StepEvent[]): StepEvent[] {
  const lastEnd = events.findLast(({ step }) => step === 'ended')
  let rank = -1
  return events.filter(event => {
    if (event.step === 'ended') return event === lastEnd
    if (rankOf(event.step) <= rank) return false
    rank = rankOf(event.step)
    return true
  })
}

/** The first steps for a new reader. */
export function firstSteps(known: KnownSteps): FirstSteps {
  const { after, newestSeq, row } = known
  const told = inOrder(known.events)
  const isOver = told.at(-1)?.step === 'ended' || !isRunning(row)
  const isMissing = after === undefined ? told.length === 0 : !isComplete(after, known)
  if (!isMissing) return { isReset: false, steps: told.filter(({ seq }) => seq > (after ?? 0)), isOver }
  const newest = told.at(-1)
  const { at, step } = newest ?? stepOfRow(row)
  return { isReset: true, steps: [{ seq: Math.max(newestSeq, newest?.seq ?? 0), step, at }], isOver }
}

/** Passes on what a reader gets after its first steps. An event that was among them, or is earlier, is left out. */
export function laterSteps({
  events,
  row,
}: Pick<KnownSteps, 'events' | 'row'>): (event: StepEvent) => boolean {
  let last = rankOf(inOrder(events).at(-1)?.step ?? stepOfRow(row).step)
  const readSeq = events.at(-1)?.seq ?? 0
  return ({ seq, step }) => {
    if (seq <= readSeq || rankOf(step) <= last) return false
    last = rankOf(step)
    return true
  }
}
