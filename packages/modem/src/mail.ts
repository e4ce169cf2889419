// The messages (SMS) that come during a wait for one: each is read from its place, and again where the SIM card was busy.

import { readMessage } from './commands.ts'
import type { Answer, Command } from './core/dialogue.ts'
import type { Urc } from './core/lines.ts'
import { type Message, messageOf } from './core/message.ts'

/** The limit of messages that wait to be read, so that a flood of them does not fill our memory. */
const mostWaiting = 32
/** A place that cannot be read is tried again after a pause, because the SIM card was busy or an answer was lost. */
const mostTries = 5
const againAfterMs = 2_000

interface Waiting {
  readonly arrived: { readonly place: number } | { readonly pdu: string }
  readonly atMs: number
  readonly tries: number
  readonly dueMs: number
}

/** A message that was read, and its place where the modem still stores it. */
export interface Read {
  readonly message: Message
  readonly place: number | null
}

/** Whether this answer to AT+CMGR gives the message, or says that the place is empty (3GPP TS 27.005 3.2.5: 321). */
const isSaid = (answer: Answer | undefined) =>
  answer?.result === 'ok' || (answer?.result === 'error' && answer.error.code === 321)

export class Mail {
  #waiting: readonly Waiting[] = []
  #sinceMs = Number.NEGATIVE_INFINITY

  take(urc: Urc, nowMs: number): void {
    if (urc.urc === 'message') this.#add({ place: urc.place }, nowMs)
    else if (urc.urc === 'delivered') this.#add({ pdu: urc.pdu }, nowMs)
  }

  /** Leaves the messages that come up to that time where they are. */
  dropUntil(ms: number): void {
    this.#sinceMs = ms
    this.#waiting = this.#waiting.filter(({ atMs }) => atMs > ms)
  }

  /** Milliseconds until a message can be read; infinite where none has come. */
  waitMs(nowMs: number): number {
    return Math.max(0, Math.min(...this.#waiting.map(({ dueMs }) => dueMs)) - nowMs)
  }

  /**
   * Reads the first message that is due, by `ask`, which gives undefined where there is no line. Undefined: none is due, the text
   * is no message, or it could not be read yet.
   */
  async read(
    nowMs: () => number,
    ask: (command: Command) => Promise<Answer | undefined>,
  ): Promise<Read | undefined> {
    const first = this.#waiting.find(({ dueMs }) => dueMs <= nowMs())
    if (!first) return undefined
    this.#waiting = this.#waiting.filter(one => one !== first)
    const { arrived, tries } = first
    if ('pdu' in arrived) return readOf(arrived.pdu, null)
    const answer = await ask(readMessage(arrived.place))
    if (!isSaid(answer) && tries < mostTries)
      this.#waiting = [...this.#waiting, { ...first, tries: tries + 1, dueMs: nowMs() + againAfterMs }]
    const pdu = answer?.result === 'ok' ? answer.lines.find(text => !text.startsWith('+')) : undefined
    return readOf(pdu, arrived.place)
  }

  #add(arrived: Waiting['arrived'], nowMs: number): void {
    if (nowMs <= this.#sinceMs) return
    const added = { arrived, atMs: nowMs, tries: 1, dueMs: nowMs }
    this.#waiting = [...this.#waiting, added].slice(-mostWaiting)
  }
}

function readOf(pdu: string | undefined, place: number | null): Read | undefined {
  const message = pdu === undefined ? undefined : messageOf(pdu)
  return message && { message, place }
}
