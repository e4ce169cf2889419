// The numbers of events: which event a reader has last received, and whether all later ones are kept.

/** The number in `Last-Event-ID`; null where it is not a number, and undefined where the header is missing. */
export function readEventId(header: string | undefined): number | null | undefined {
  if (header === undefined || header === '') return undefined
  return /^\d{1,15}$/.test(header) ? Number(header) : null
}

/** Which events of a Space are kept. */
export interface KeptNumbers {
  /** The oldest that is kept; undefined where none is. */
  readonly oldestSeq: number | undefined
  /** The number of the newest event of the Space, kept or not. */
  readonly newestSeq: number
}

/** Whether every event after the number `after` is kept. */
export function isComplete(after: number | null, { newestSeq, oldestSeq }: KeptNumbers): after is number {
  if (after === null || after > newestSeq) return false
  return after === newestSeq || (oldestSeq !== undefined && after >= oldestSeq - 1)
}
