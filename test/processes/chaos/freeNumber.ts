// Whether a number is free: a press there then places a call of its own.

import type { Records } from './records.ts'

/** Times of the wall clock, milliseconds. */
export interface NumberQuestion {
  readonly phoneNumber: string
  /** The cool-down of the gate's profile. */
  readonly coolDownMs: number
  readonly nowMs: number
  /** When the cloud had received every report of the number's last call; the record may give an earlier end. */
  readonly heardMs: number
  /** When the cloud was first seen to answer after its last start. */
  readonly servingSinceMs: number
}

/**
 * A number is free when it is not locked and the cool-down of its last call is over. A cloud that was restarted does not
 * know how long ago that call ended, and counts the cool-down from its own start.
 */
export async function isFree(
  records: Pick<Records, 'isLocked' | 'wasCalled'>,
  { coolDownMs, heardMs, nowMs, phoneNumber, servingSinceMs }: NumberQuestion,
): Promise<boolean> {
  if (await records.isLocked(phoneNumber)) return false
  const isPauseOver = nowMs > Math.max(heardMs, servingSinceMs) + coolDownMs
  return isPauseOver || !(await records.wasCalled(phoneNumber))
}
