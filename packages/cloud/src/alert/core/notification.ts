// Notifications: decides whether incidents are notified by a mail for each, by one mail for all, or later.

const hourMs = 3_600_000

export const notificationLimits = {
  /** The period in which the mails of a Space about incidents are counted. Milliseconds. */
  windowMs: 24 * hourMs,
  /** This many mails to each person within it; then one mail for all every few hours. */
  soon: 12,
  laterEveryMs: 4 * hourMs,
  /** More than this many at once come in one mail. */
  atOnce: 3,
} as const

/** The mails of a Space about incidents within the window. */
export interface RecentNotifications {
  readonly count: number
  /** When the last one was queued, milliseconds since 1970; undefined before the first. */
  readonly lastMs: number | undefined
}

/** How `waiting` beginnings and ends of incidents are notified. A person gets at most 18 mails of a Space in a day. */
export function notificationOf(
  waiting: number,
  { count, lastMs }: RecentNotifications,
  nowMs: number,
): 'each' | 'all' | 'later' {
  const { atOnce, laterEveryMs, soon } = notificationLimits
  if (waiting <= atOnce && count + waiting <= soon) return 'each'
  // Not tested: mails up to the limit, but no last one.
  if (count < soon || lastMs === undefined || Math.abs(nowMs - lastMs) >= laterEveryMs) return 'all'
  return 'later'
}
