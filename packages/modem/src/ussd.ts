// A USSD question to the network: one code, one answer, and menus are ended at once.

import { commands, ussdCode } from './commands.ts'
import type { Refusal } from './core/modemState.ts'
import { shownText, type UssdLine } from './core/ussd.ts'
import type { Driver } from './driver.ts'
import { reserve } from './reserve.ts'

export type UssdResult =
  | { readonly ok: true; readonly text: string; readonly isMenu: boolean }
  /** `cancelled`: an opening waits. `detail` is what modem or network said. */
  | {
      readonly ok: false
      readonly reason: Refusal | 'no_answer' | 'refused' | 'cancelled'
      readonly detail?: string
    }

/** Networks answer within 10 s, most within 3 s. */
const answerWithinMs = 30_000
/** The longest answer that is passed on. */
const mostCharacters = 200

const refusals: Readonly<Record<number, string>> = {
  2: 'the network ended the session',
  3: 'another session is open',
  4: 'the network or the modem has no USSD here',
}

function resultOf({ mode, text }: UssdLine): UssdResult {
  const shown = text === null ? '' : shownText(text, mostCharacters)
  if (mode <= 2 && shown !== '') return { ok: true, text: shown, isMenu: mode === 1 }
  if (mode === 5) return { ok: false, reason: 'no_answer', detail: 'the network timed out' }
  return { ok: false, reason: 'refused', detail: refusals[mode] ?? 'the answer is empty' }
}

/**
 * Sends the code and waits for the answer, at most 35 s, with the modem reserved for it. When `cancelled` resolves, the session
 * is ended and the modem is free within 6 s. Never rejects.
 */
export async function askUssd(driver: Driver, code: string, cancelled: Promise<void>): Promise<UssdResult> {
  const command = ussdCode(code)
  if (!command) return { ok: false, reason: 'refused', detail: 'no code that may be sent' }
  let isCancelled = false
  void cancelled.then(() => {
    isCancelled = true
  })
  const hold = await reserve(driver)
  if (!hold.ok) return hold
  const { isHeld, line, release } = hold
  if (isCancelled) {
    release()
    return { ok: false, reason: 'cancelled' }
  }
  let said: UssdLine | undefined
  const unfollow = driver.followUrcs(urc => {
    if (urc.urc === 'ussd') said = urc.line
  })
  try {
    const answer = await line.ask(command)
    if (answer.result === 'error')
      return { ok: false, reason: 'refused', detail: answer.error.text.slice(0, 80) }
    if (answer.result !== 'ok') {
      // Only its OK may be lost, and an open session may keep a call from going out. Nobody waits for this.
      if (isHeld()) void line.ask(commands.endUssd)
      return { ok: false, reason: 'no_answer', detail: 'the modem did not answer' }
    }
    await Promise.race([cancelled, driver.pauseWhile(answerWithinMs, () => said === undefined && isHeld())])
    // A menu keeps the session open, and so does an answer that never came. A restart has ended it, and the line is for others.
    if (said?.mode !== 0 && isHeld()) await line.ask(commands.endUssd)
    if (said) return resultOf(said)
    return { ok: false, reason: isCancelled ? 'cancelled' : 'no_answer' }
  } finally {
    unfollow()
    release()
  }
}
