// Telling: whether people are told of incidents by a mail for each, by one mail for all, or later.

const hourMs = 3_600_000

export const notificationLimits = {
  /** In this time the mails of a Space on incidents are counted. Milliseconds. */
  windowMs: 24 * hourMs,
  /** So many mails to each person within it, then one for all every few hours. */
  soon: 12,
  laterEveryMs: 4 * hourMs,
  /** More that happens at once comes in one mail. */
  atOnce: 3,
} as const

/** The mails of a Space on incidents within the window. */
export interface RecentNotifications {
  readonly count: number
  /** When the last one was queued, milliseconds since 1970; undefined before the first. */
  readonly lastMs: number | undefined
}

/** How `waiting` beginnings and ends of incidents are told. A person gets at most 18 mails of a Space in a day. */
export function notificationOf(
  waiting: number,
  { count, lastMs }: RecentNotifications,
  nowMs: number,
): 'each' | 'all' | 'later' {
  const { atOnce, laterEveryMs, soon } = notificationLimits
  if (waiting <= atOnce && count + waiting <= soon) return 'each'
  // Not tested: so many mails, and none that was the last.
  if (count < soon || lastMs === undefined || Math.abs(nowMs - lastMs) >= laterEveryMs) return 'all'
  return 'later'
}
