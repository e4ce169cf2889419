// Reserving the modem: its line is made quiet for the holder of the reservation.

import type { AtLine } from './atLine.ts'
import { commands } from './commands.ts'
import { isReservedAs, type Refusal, reservationRefusal } from './core/modemState.ts'
import type { Driver } from './driver.ts'

/** A reservation. It may end at any time, for example when the modem restarts. */
export interface Hold {
  readonly ok: true
  /** The line that is reserved. */
  readonly line: AtLine
  isHeld(): boolean
  /** Does nothing where the reservation has ended: that of another holder stays. */
  release(): void
}

type Reserved = Hold | { readonly ok: false; readonly reason: Refusal }

/** How old the modem's last answer may be when an opening is claimed, and when ATD is written. */
export const answerFreshMs = 2_000

/** See `Modem.reserve`. */
export async function reserve(driver: Driver): Promise<Reserved> {
  const { line } = driver
  const refusal = reservationRefusal(driver.state)
  if (refusal || !line) return { ok: false, reason: refusal ?? 'modem_not_ready' }
  const reservation = driver.newReservation()
  driver.apply({ type: 'reserved', reservation })
  const isHeld = () => isReservedAs(driver.state, reservation) && driver.line === line
  const release = () => driver.apply({ type: 'released', reservation })
  do {
    await driver.pauseWhile(driver.quietWaitMs(), isHeld)
    await line.whenQuiet()
  } while (isHeld() && driver.quietWaitMs() > 0)
  if (isHeld() && line.sinceAnswerMs() > answerFreshMs) await line.ask(commands.attention)
  const isFresh = line.isQuiet() && line.sinceAnswerMs() <= answerFreshMs
  if (isHeld() && driver.status.state === 'ready' && isFresh) return { ok: true, line, isHeld, release }
  release()
  return { ok: false, reason: driver.status.state === 'no_network' ? 'no_network' : 'modem_not_ready' }
}
