// The numbers of events: which one a reader has had, and whether all that follow it are kept.

/** The number in `Last-Event-ID`; null where it is none, and undefined where nothing was sent. */
export function readEventId(header: string | undefined): number | null | undefined {
  if (header === undefined || header === '') return undefined
  return /^\d{1,15}$/.test(header) ? Number(header) : null
}

/** Which events of a Space there are. */
export interface KeptNumbers {
  /** The oldest that is kept; undefined where none is. */
  readonly oldestSeq: number | undefined
  /** The newest that there ever was. */
  readonly newestSeq: number
}

/** Whether every event after the number `after` is kept. */
export function isComplete(after: number | null, { newestSeq, oldestSeq }: KeptNumbers): after is number {
  if (after === null || after > newestSeq) return false
  return after === newestSeq || (oldestSeq !== undefined && after >= oldestSeq - 1)
}
