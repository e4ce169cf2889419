// The press and the end of an opening as hops, published after their commit, for measurements.

import { magicOf } from '@callgate/contract/sandbox/magicNumbers'
import { passed } from '@callgate/world/hops'
import type { Ending, OpeningRow } from '../core/opening.ts'

type Of = Pick<OpeningRow, 'id' | 'phoneNumber'>

/** Gates of sandboxes have such numbers, and live Spaces refuse them. */
const isPlayed = ({ phoneNumber }: Of) => magicOf(phoneNumber) !== undefined

/** Publishes that a press was recorded. `sinceMs`: when it came, by the monotonic clock. */
export function passedPress(opening: Of, outcome: string, sinceMs: number): void {
  passed('pressed', { openingId: opening.id, sinceMs, outcome, isPlayed: isPlayed(opening) })
}

/** Publishes that an opening has ended. */
export function passedEnd(opening: Of, { reason, status }: Ending, isCorrection = false): void {
  const of = { openingId: opening.id, isPlayed: isPlayed(opening) }
  passed('ended', { ...of, outcome: status, reason, isCorrection })
}
