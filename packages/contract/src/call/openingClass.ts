// Opening classes: the few kinds of openings that people distinguish. Without schemas, so that a browser can use it.

import { rowOf } from './reasonRows.ts'

export const openingClasses = [
  'running',
  'opened',
  'probably_opened',
  'did_not_open',
  'not_called',
  'denied',
  'unknown',
] as const
export type OpeningClass = (typeof openingClasses)[number]

/** The fields of an opening about its end; all null while it runs. */
interface Ended {
  readonly status: 'initiated' | 'connected' | 'completed' | 'failed' | 'timeout'
  readonly reason: string | null
  readonly opened: string | null
  readonly confidence: string | null
}

/**
 * The class of an opening: by what is known about the gate first, then by the reason. `unknown`: the gate may have moved.
 * `not_called` and `denied`: it was not called, so it did not move.
 */
export function openingClassOf({ confidence, opened, reason, status }: Ended): OpeningClass {
  if (status === 'initiated' || status === 'connected') return 'running'
  if (opened === 'yes' || opened === 'likely') return confidence === 'assumed' ? 'probably_opened' : 'opened'
  if (opened !== 'no') return 'unknown'
  const came = rowOf(reason)?.came
  if (came === 'denied') return 'denied'
  return came === 'uncalled' ? 'not_called' : 'did_not_open'
}

/** Whether the reason says that the gate was ringing. */
export function hasRung(reason: string | null): boolean {
  return rowOf(reason)?.came === 'rang'
}

/** Whether the gate was called, rang, and did nothing: its module may not know the caller number. */
export function didNotReact({ opened, reason }: Pick<Ended, 'opened' | 'reason'>): boolean {
  return opened === 'no' && rowOf(reason)?.gate === 'nothing'
}
