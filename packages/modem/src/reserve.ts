// Reserving the modem: its line is made quiet for what comes next.

import { commands } from './commands.ts'
import { type Refusal, reservationRefusal } from './core/modemState.ts'
import type { Driver } from './driver.ts'

export type Reservation = { readonly ok: true } | { readonly ok: false; readonly reason: Refusal }

/** How old the modem's last answer may be when an opening is claimed, and when ATD is written. */
export const answerFreshMs = 2_000

/** See `Modem.reserve`. */
export async function reserve(driver: Driver): Promise<Reservation> {
  const { line } = driver
  const refusal = reservationRefusal(driver.state)
  if (refusal || !line) return { ok: false, reason: refusal ?? 'modem_not_ready' }
  driver.apply({ type: 'reserved' })
  const isHeld = () => driver.state.phase.phase === 'reserved' && driver.line === line
  do {
    await driver.pauseWhile(driver.quietWaitMs(), isHeld)
    await line.whenQuiet()
  } while (isHeld() && driver.quietWaitMs() > 0)
  if (isHeld() && line.sinceAnswerMs() > answerFreshMs) await line.ask(commands.attention)
  const isFresh = line.isQuiet() && line.sinceAnswerMs() <= answerFreshMs
  if (isHeld() && driver.status.state === 'ready' && isFresh) return { ok: true }
  if (isHeld()) driver.apply({ type: 'released' })
  return { ok: false, reason: driver.status.state === 'no_network' ? 'no_network' : 'modem_not_ready' }
}
