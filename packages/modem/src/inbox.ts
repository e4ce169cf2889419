// The inbox: the confirmation of an opening that a gate sends by a message or by calling back.

import type { Confirmation } from '@callgate/contract/call/callProfile'
import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { commands, deleteMessage } from './commands.ts'
import { createCondition } from './condition.ts'
import type { Urc } from './core/lines.ts'
import { isSameNumber, type Message } from './core/message.ts'
import { Mail } from './mail.ts'

export interface Inbox {
  takeUrc(urc: Urc): void
  /**
   * Resolves with true when the gate has confirmed, and with false at `close` or after `withinMs`, even where the modem is
   * silent.
   */
  confirmed(line: AtLine, withinMs: number): Promise<boolean>
  /** Ends the wait. */
  close(): void
}

/** A message that did not come in time may still come, and must not be taken for that of the next call. */
const lateWithinMs = 600_000
/** More calls than can end in that time. */
const mostLate = 128

interface Expected {
  readonly sender: string
  readonly sinceMs: number
  readonly isAnswered: boolean
}

/** What may still come: confirmations that were missing when their call was judged, and answers to our own messages. */
export class LateConfirmations {
  #awaited: readonly string[] = []
  #expected: readonly Expected[] = []

  #expectedOf(sender: string, nowMs: number): readonly Expected[] {
    return this.#expected.filter(
      late => late.sinceMs > nowMs - lateWithinMs && isSameNumber(late.sender, sender),
    )
  }

  /**
   * Whether a confirmation from `sender` could belong to something earlier, even if that was answered: a module can answer twice.
   */
  isExpected(sender: string, nowMs: number): boolean {
    return this.#expectedOf(sender, nowMs).length > 0
  }

  /** Whether something is still missing from `sender`. */
  isMissing(sender: string, nowMs: number): boolean {
    return this.#expectedOf(sender, nowMs).some(({ isAnswered }) => !isAnswered)
  }

  /** Expects something from `sender`; call the returned function when it has come. */
  expect(sender: string, nowMs: number): () => void {
    const expected = { sender, sinceMs: nowMs, isAnswered: false }
    this.#expected = [...this.#expected, expected].slice(-mostLate)
    return () => {
      this.#expected = this.#expected.map(one => (one === expected ? { ...one, isAnswered: true } : one))
    }
  }

  /** `sender` answers one of our messages: its messages confirm no call until the returned function is called. */
  awaitAnswer(sender: string): () => void {
    this.#awaited = [...this.#awaited, sender]
    return () => {
      const place = this.#awaited.indexOf(sender)
      this.#awaited = this.#awaited.filter((_, index) => index !== place)
    }
  }

  awaitsAnswer(sender: string): boolean {
    return this.#awaited.some(awaited => isSameNumber(awaited, sender))
  }
}

/** Collects from now on what may be the confirmation of a call to `phoneNumber`. */
export function createInbox(world: World, confirm: Confirmation, phoneNumber: string): Inbox {
  const arrived = createCondition(world)
  const sender = confirm.from ?? phoneNumber
  const mail = new Mail()
  let hasConfirmed = false
  let isClosed = false

  function isFromGate({ from, text }: Message): boolean {
    if (!isSameNumber(from, sender)) return false
    return confirm.pattern === null || text.toLowerCase().includes(confirm.pattern.toLowerCase())
  }

  /** Deletes a message only where it confirms; other messages belong to the owner of the SIM card. */
  async function readMail(line: AtLine, endMs: number): Promise<void> {
    const read = await mail.read(world.monotonicMs, command => line.ask(command))
    // Read too late: the call is judged already, and the next call may need the line.
    if (!read || !isFromGate(read.message) || world.monotonicMs() >= endMs) return
    hasConfirmed = true
    if (read.place !== null) await line.ask(deleteMessage(read.place))
  }

  async function watch(line: AtLine, endMs: number): Promise<void> {
    while (!hasConfirmed && world.monotonicMs() < endMs) {
      const waitMs = mail.waitMs(world.monotonicMs())
      if (waitMs === 0) await readMail(line, endMs)
      else if (isClosed || !line.isOpen()) return
      else await arrived.wait(Math.min(endMs - world.monotonicMs(), waitMs))
    }
  }

  /** Resolves with `work`, and at `endMs` at the latest: a silent modem may hold `work` up for much longer. */
  function endedBy(endMs: number, work: Promise<unknown>): Promise<void> {
    return new Promise(resolve => {
      const limit = world.after(Math.max(0, endMs - world.monotonicMs()), resolve)
      void work.then(() => {
        limit.cancel()
        resolve()
      })
    })
  }

  return {
    takeUrc(urc) {
      if (confirm.kind === 'sms') mail.take(urc, world.monotonicMs())
      else if (confirm.kind === 'callback' && urc.urc === 'caller')
        hasConfirmed ||= isSameNumber(urc.phoneNumber, sender)
      arrived.notify()
    },
    async confirmed(line, withinMs) {
      const endMs = world.monotonicMs() + withinMs
      const isByCall = confirm.kind === 'callback'
      // Not awaited, so that both commands enter the queue in this order, even where the modem answers neither in time.
      if (isByCall) void line.ask(commands.letIncoming)
      await endedBy(endMs, watch(line, endMs))
      if (isByCall) await endedBy(endMs, line.ask(commands.refuseIncoming))
      return hasConfirmed
    },
    close() {
      isClosed = true
      arrived.notify()
    },
  }
}
