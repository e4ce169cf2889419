// USSD questions to the network: one code and one answer; menus are ended at once (3GPP TS 22.090, TS 27.007 7.15).

import { commands, ussdCode } from './commands.ts'
import type { Command } from './core/dialogue.ts'
import type { Urc } from './core/lines.ts'
import { isFree, type Refusal } from './core/modemState.ts'
import { shownText, type UssdLine } from './core/ussdLine.ts'
import type { Driver } from './driver.ts'
import { type Hold, reserve } from './reserve.ts'

export type UssdResult =
  | { readonly ok: true; readonly text: string; readonly isMenu: boolean }
  /**
   * `unclear`: several texts came, and no line says which one is the answer. `cancelled`: an opening waits. `detail` is the text
   * of the modem or the network.
   */
  | {
      readonly ok: false
      readonly reason: Refusal | 'no_answer' | 'unclear' | 'refused' | 'cancelled'
      readonly detail?: string
    }

/** Networks answer within 10 s, most within 3 s. */
const answerWithinMs = 30_000
/**
 * A text before the OK may answer something else. It counts where nothing follows in this time, as far as the line could be read.
 */
const afterEarlyWithinMs = 10_000
/**
 * A line does not say which code it answers. So after a code without an answer the next one waits this long, counted from the
 * code before: until then a late answer may come.
 */
const lateWithinMs = 60_000
/** Modems and networks may say `+CUSD: 2` when a session is ended. It is no answer to the next code. */
const sessionEndsWithinMs = 1_000
/** How long to wait for a free line on which to end a menu: longer than a call or a task occupies the line. */
const menuWithinMs = 180_000
/** The longest answer that is passed on. */
const mostCharacters = 200

const refusals: Readonly<Record<number, string>> = {
  2: 'the network ended the session',
  3: 'another session is open',
  4: 'the network or the modem has no USSD here',
}

const unanswered: UssdResult = { ok: false, reason: 'no_answer', detail: 'the modem did not answer' }

function resultOf({ mode, text }: UssdLine): UssdResult {
  const shown = text === null ? '' : shownText(text, mostCharacters)
  if (mode <= 2 && shown !== '') return { ok: true, text: shown, isMenu: mode === 1 }
  if (mode === 5) return { ok: false, reason: 'no_answer', detail: 'the network timed out' }
  return { ok: false, reason: 'refused', detail: refusals[mode] ?? 'the answer is empty' }
}

/** Asks one code at a time, each with no session open. */
export class Ussd {
  readonly #driver: Driver
  /** When no late answer to an earlier code can come any more; monotonic milliseconds. */
  #noneLateFromMs = Number.NEGATIVE_INFINITY
  #isAsking = false
  #isEndingMenu = false

  constructor(driver: Driver) {
    this.#driver = driver
    driver.followUrcs(urc => {
      if (urc.urc === 'ussd' && urc.line.mode === 1 && !this.#isAsking) void this.#endMenu()
    })
  }

  /**
   * Ends a menu that the network has opened by itself, as soon as the line is free: while a session is open, some modems place no
   * call.
   */
  async #endMenu(): Promise<void> {
    if (this.#isEndingMenu) return
    this.#isEndingMenu = true
    const driver = this.#driver
    await driver.pauseWhile(menuWithinMs, () => !isFree(driver.state))
    if (isFree(driver.state) && !driver.state.isClosing) await driver.line?.ask(commands.endUssd)
    this.#isEndingMenu = false
  }

  /**
   * Sends the code and waits for the answer, at most 45 s, with the modem reserved for it. After a code without an answer it first
   * waits up to 60 s, with the modem free. When `cancelled` resolves, the session is ended and the modem is free within 6 s. Never
   * rejects.
   */
  async ask(code: string, cancelled: Promise<void>): Promise<UssdResult> {
    const driver = this.#driver
    const command = ussdCode(code)
    if (!command) return { ok: false, reason: 'refused', detail: 'no code that may be sent' }
    let isCancelled = false
    void cancelled.then(() => {
      isCancelled = true
      driver.wake()
    })
    const nowMs = () => driver.options.world.monotonicMs()
    await driver.pauseWhile(this.#noneLateFromMs - nowMs(), () => !isCancelled)
    if (isCancelled) return { ok: false, reason: 'cancelled' }
    const hold = await reserve(driver)
    if (!hold.ok) return hold
    this.#isAsking = true
    try {
      const before = await endSession(driver, hold, () => isCancelled)
      if (before) return before
      this.#noneLateFromMs = nowMs() + lateWithinMs
      const { isAnswered, result } = await askOnce(driver, hold, command, () => isCancelled)
      if (isAnswered) this.#noneLateFromMs = nowMs()
      return result
    } finally {
      this.#isAsking = false
      hold.release()
    }
  }
}

/**
 * Ends a session that is already open: a menu of the network, or one that an earlier program has left. It would take a code for a
 * choice. Undefined: no session is open now, and a code may be sent.
 */
async function endSession(
  driver: Driver,
  { isHeld, line }: Hold,
  isCancelled: () => boolean,
): Promise<UssdResult | undefined> {
  if (isCancelled()) return { ok: false, reason: 'cancelled' }
  // Without a session some modems answer with an error.
  const answer = await line.ask(commands.endUssd)
  if (answer.result !== 'ok' && answer.result !== 'error') return unanswered
  await driver.pauseWhile(sessionEndsWithinMs, () => isHeld() && !isCancelled())
  if (isCancelled()) return { ok: false, reason: 'cancelled' }
  return isHeld() ? undefined : unanswered
}

/** `isAnswered`: no further answer to this code can come. */
async function askOnce(
  driver: Driver,
  { isHeld, line }: Hold,
  command: Command,
  isCancelled: () => boolean,
): Promise<{ readonly isAnswered: boolean; readonly result: UssdResult }> {
  const heard: Extract<Urc, { urc: 'ussd' }>[] = []
  let isGarbled = false
  const unfollow = driver.followUrcs(urc => {
    isGarbled ||= urc.urc === 'garbled'
    if (urc.urc === 'ussd') heard.push(urc)
  })
  const early = () => heard.find(({ isEarly, line: { text } }) => isEarly && text !== null)?.line
  // The first one counts: after a pause of this process, later lines may be read at the same moment.
  const afterOk = () => heard.find(({ isEarly }) => !isEarly)?.line
  try {
    const answer = await line.ask(command)
    if (answer.result === 'error') {
      const detail = answer.error.text.slice(0, 80)
      return { isAnswered: true, result: { ok: false, reason: 'refused', detail } }
    }
    if (answer.result !== 'ok') {
      // Perhaps only the OK was lost, and an open session may prevent a call. Not awaited.
      if (isHeld()) void line.ask(commands.endUssd)
      return { isAnswered: false, result: unanswered }
    }
    const withinMs = early() ? afterEarlyWithinMs : answerWithinMs
    await driver.pauseWhile(withinMs, () => !afterOk() && isHeld() && !isCancelled())
    const said = afterOk()
    // A menu keeps the session open, and so does a missing answer. A restart has ended the session, and the line belongs to
    // others.
    const isOpen = said === undefined || heard.at(-1)?.line.mode !== 0
    const end = isOpen && isHeld() ? (await line.ask(commands.endUssd)).result : undefined
    const texts = new Set(heard.flatMap(({ line: { text } }) => text ?? []))
    if (early() && texts.size > 1) return { isAnswered: false, result: { ok: false, reason: 'unclear' } }
    if (said) return { isAnswered: true, result: resultOf(said) }
    if (isCancelled()) return { isAnswered: false, result: { ok: false, reason: 'cancelled' } }
    const only = early()
    // On a line that cannot be read, an answer may have been missed.
    if (only && !isGarbled && (end === 'ok' || end === 'error'))
      return { isAnswered: true, result: resultOf(only) }
    return { isAnswered: false, result: { ok: false, reason: 'no_answer' } }
  } finally {
    unfollow()
  }
}
