// Whether a number is free, so that a press there places a call of its own.

import type Sqlite from 'better-sqlite3'

/** Times of the wall clock, milliseconds. */
export interface Asked {
  readonly phoneNumber: string
  /** Of the gate's profile. */
  readonly coolDownMs: number
  readonly nowMs: number
  /** When the cloud had heard of all that the number's last call came to; the record may name an earlier end. */
  readonly heardMs: number
  /** When the cloud was first seen to answer after its last start. */
  readonly servingSinceMs: number
}

/**
 * A number is free when it is not locked and the cool-down of its last call is over. A cloud that was restarted does not
 * know how long ago that call ended, and counts the cool-down from its own start.
 */
export function freeNumbers(database: Sqlite.Database): (asked: Asked) => boolean {
  const locked = database.prepare('select 1 from "openings" where "lockedNumber" = ?')
  const called = database.prepare(
    'select 1 from "openings" where "phoneNumber" = ? and "grantedAt" is not null',
  )
  return ({ coolDownMs, heardMs, nowMs, phoneNumber, servingSinceMs }) => {
    if (locked.get(phoneNumber)) return false
    return !called.get(phoneNumber) || nowMs > Math.max(heardMs, servingSinceMs) + coolDownMs
  }
}
