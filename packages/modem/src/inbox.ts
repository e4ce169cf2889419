// The inbox: the confirmation of an opening that a gate sends by a message or by calling back.

import type { Confirmation } from '@callgate/contract/call/callProfile'
import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { commands, deleteMessage, readMessage } from './commands.ts'
import { createCondition } from './condition.ts'
import type { Urc } from './core/lines.ts'
import { isSameNumber, messageOf } from './core/message.ts'

export interface Inbox {
  takeUrc(urc: Urc): void
  /** Resolves when the gate has confirmed (true), or after `withinMs`, or at `close` (false). */
  confirmed(line: AtLine, withinMs: number): Promise<boolean>
  /** Ends the wait. */
  close(): void
}

/** Messages that wait to be read. The limit keeps a flood of them from filling our memory. */
const maxWaiting = 32

/** A message that did not come in time may still come, and must not be taken for that of the next call. */
const lateWithinMs = 600_000
/** More calls than end in that time. */
const mostLate = 128

/** The confirmations that were missing when their call was judged, and that may still come. */
export class LateConfirmations {
  #awaited: readonly string[] = []
  #missing: readonly { readonly sender: string; readonly sinceMs: number }[] = []

  /** A confirmation from `sender` could belong to an earlier call. */
  isExpected(sender: string, nowMs: number): boolean {
    return this.#missing.some(
      late => late.sinceMs > nowMs - lateWithinMs && isSameNumber(late.sender, sender),
    )
  }

  expect(sender: string, nowMs: number): void {
    this.#missing = [...this.#missing, { sender, sinceMs: nowMs }].slice(-mostLate)
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
  let places: number[] = []
  let hasCalledBack = false
  let isClosed = false

  function isFromGate(pdu: string | undefined): boolean {
    const message = pdu === undefined ? undefined : messageOf(pdu)
    if (!message || !isSameNumber(message.from, sender)) return false
    return confirm.pattern === null || message.text.toLowerCase().includes(confirm.pattern.toLowerCase())
  }

  /** Deletes a message only where it confirms; other messages belong to the owner of the SIM card. */
  async function readsConfirmation(line: AtLine, place: number): Promise<boolean> {
    const answer = await line.ask(readMessage(place))
    const pdu = answer.result === 'ok' ? answer.lines.find(text => !text.startsWith('+')) : undefined
    if (!isFromGate(pdu)) return false
    await line.ask(deleteMessage(place))
    return true
  }

  async function watch(line: AtLine, withinMs: number): Promise<boolean> {
    const endMs = world.monotonicMs() + withinMs
    for (;;) {
      if (hasCalledBack) return true
      const [place, ...left] = places
      places = left
      if (place !== undefined) {
        if (await readsConfirmation(line, place)) return true
        continue
      }
      const leftMs = endMs - world.monotonicMs()
      if (leftMs <= 0 || isClosed || !line.isOpen()) return false
      await arrived.wait(leftMs)
    }
  }

  return {
    takeUrc(urc) {
      if (confirm.kind === 'sms' && urc.urc === 'message') places = [...places, urc.place].slice(-maxWaiting)
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
