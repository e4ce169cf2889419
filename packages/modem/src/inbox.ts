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
  /** Resolves when the gate has confirmed (true), or after `withinMs`, or at `close` (false). */
  confirmed(line: AtLine, withinMs: number): Promise<boolean>
  /** Ends the wait. */
  close(): void
}

/** A message that did not come in time may still come, and must not be taken for that of the next call. */
const lateWithinMs = 600_000
/** More calls than end in that time. */
const mostLate = 128

interface Expected {
  readonly sender: string
  readonly sinceMs: number
  readonly isAnswered: boolean
}

/** What may still come: the confirmations that were missing when their call was judged, and answers to messages of ours. */
export class LateConfirmations {
  #awaited: readonly string[] = []
  #expected: readonly Expected[] = []

  #expectedOf(sender: string, nowMs: number): readonly Expected[] {
    return this.#expected.filter(
      late => late.sinceMs > nowMs - lateWithinMs && isSameNumber(late.sender, sender),
    )
  }

  /** A confirmation from `sender` could belong to something earlier, which it may have answered before: a module can answer twice. */
  isExpected(sender: string, nowMs: number): boolean {
    return this.#expectedOf(sender, nowMs).length > 0
  }

  /** Something is still missing from `sender`. */
  isMissing(sender: string, nowMs: number): boolean {
    return this.#expectedOf(sender, nowMs).some(({ isAnswered }) => !isAnswered)
  }

  /** The function that it returns is called when that has come. */
  expect(sender: string, nowMs: number): () => void {
    const expected = { sender, sinceMs: nowMs, isAnswered: false }
    this.#expected = [...this.#expected, expected].slice(-mostLate)
    return () => {
      this.#expected = this.#expected.map(one => (one === expected ? { ...one, isAnswered: true } : one))
    }
  }

  /** `sender` answers a message of ours: until the function that it returns is called, its messages confirm no call. */
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
  let hasCalledBack = false
  let isClosed = false

  function isFromGate({ from, text }: Message): boolean {
    if (!isSameNumber(from, sender)) return false
    return confirm.pattern === null || text.toLowerCase().includes(confirm.pattern.toLowerCase())
  }

  /** Deletes a message only where it confirms; other messages belong to the owner of the SIM card. */
  async function readsConfirmation(line: AtLine): Promise<boolean> {
    const read = await mail.read(world.monotonicMs, command => line.ask(command))
    if (!read || !isFromGate(read.message)) return false
    if (read.place !== null) await line.ask(deleteMessage(read.place))
    return true
  }

  async function watch(line: AtLine, withinMs: number): Promise<boolean> {
    const endMs = world.monotonicMs() + withinMs
    for (;;) {
      if (hasCalledBack) return true
      const waitMs = mail.waitMs(world.monotonicMs())
      if (waitMs === 0) {
        if (await readsConfirmation(line)) return true
        continue
      }
      const leftMs = endMs - world.monotonicMs()
      if (leftMs <= 0 || isClosed || !line.isOpen()) return false
      await arrived.wait(Math.min(leftMs, waitMs))
    }
  }

  return {
    takeUrc(urc) {
      if (confirm.kind === 'sms') mail.take(urc, world.monotonicMs())
      else if (confirm.kind === 'callback' && urc.urc === 'caller')
        hasCalledBack ||= isSameNumber(urc.phoneNumber, sender)
      arrived.notify()
    },
    async confirmed(line, withinMs) {
      if (confirm.kind === 'sms') return watch(line, withinMs)
      await line.ask(commands.letIncoming)
      const hasConfirmed = await watch(line, withinMs)
      await line.ask(commands.refuseIncoming)
      return hasConfirmed
    },
    close() {
      isClosed = true
      arrived.notify()
    },
  }
}
