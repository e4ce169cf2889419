// The clock of a Space: what its schedules see. Only a sandbox has another one than the real time.

/** The clock of a Space, as columns of its row. */
export interface SpaceClock {
  /** The instant to which it was set; null: it is the real time. */
  readonly clockAt: string | null
  /** When it was set, if it goes on from there; null: it stands still. */
  readonly clockSetAt: string | null
}

/**
 * The time that schedules of the Space see at `nowMs`, in milliseconds since the epoch. Nothing else may follow this clock: not
 * grants, leases, rates, keys, cool-downs or what is deleted by age. A style test names who may call it.
 */
export function spaceTimeMs({ clockAt, clockSetAt }: SpaceClock, nowMs: number): number {
  if (clockAt === null) return nowMs
  const setMs = Date.parse(clockAt)
  return clockSetAt === null ? setMs : setMs + nowMs - Date.parse(clockSetAt)
}
