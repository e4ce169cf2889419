// The end of an opening as its last hop.

import { passed } from '@callgate/world/hops'
import type { Ending } from '../core/opening.ts'

/** Publishes, after the commit, that an opening has ended, for latency measurements. */
export function passedEnd(openingId: string, { reason, status }: Ending, isCorrection = false): void {
  passed('ended', { openingId, outcome: status, reason, isCorrection })
}
