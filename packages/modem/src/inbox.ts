// The inbox: what the gate itself says about an opening, by a message or by calling back.

import type { Confirmation } from '@callgate/contract/call/callProfile'
import type { World } from '@callgate/world/world'
import type { AtLine } from './atLine.ts'
import { createBell } from './bell.ts'
import { commands, deleteMessage, readMessage } from './commands.ts'
import type { Urc } from './core/lines.ts'
import { isSameNumber, messageOf } from './core/message.ts'

export interface Inbox {
  hear(urc: Urc): void
  /** Resolves when the gate has confirmed (true), or after `withinMs`, or at `close` (false). */
  confirmed(at: AtLine, withinMs: number): Promise<boolean>
  /** Ends the wait. */
  close(): void
}

/** Messages that wait to be read; nobody is to fill our memory with them. */
const maxWaiting = 32

/** Collects from now on what may be the confirmation of a call to `phoneNumber`. */
export function createInbox(world: World, confirm: Confirmation, phoneNumber: string): Inbox {
  const bell = createBell(world)
  const sender = confirm.from ?? phoneNumber
  let places: number[] = []
  let hasCalledBack = false
  let isClosed = false

  function isFromGate(pdu: string | undefined): boolean {
    const message = pdu === undefined ? undefined : messageOf(pdu)
    if (!message || !isSameNumber(message.from, sender)) return false
    return confirm.pattern === null || message.text.toLowerCase().includes(confirm.pattern.toLowerCase())
  }

  /** Read messages are deleted only where they confirm: others are not ours to judge. */
  async function readsConfirmation(at: AtLine, place: number): Promise<boolean> {
    const answer = await at.ask(readMessage(place))
    const pdu = answer.result === 'ok' ? answer.lines.find(line => !line.startsWith('+')) : undefined
    if (!isFromGate(pdu)) return false
    await at.ask(deleteMessage(place))
    return true
  }

  async function watch(at: AtLine, withinMs: number): Promise<boolean> {
    const endMs = world.monotonicMs() + withinMs
    for (;;) {
      if (hasCalledBack) return true
      const [place, ...left] = places
      places = left
      if (place !== undefined) {
        if (await readsConfirmation(at, place)) return true
        continue
      }
      const leftMs = endMs - world.monotonicMs()
      if (leftMs <= 0 || isClosed || !at.isOpen()) return false
      await bell.heard(leftMs)
    }
  }

  return {
    hear(urc) {
      if (confirm.kind === 'sms' && urc.urc === 'message') places = [...places, urc.place].slice(-maxWaiting)
      else if (confirm.kind === 'callback' && urc.urc === 'caller')
        hasCalledBack ||= isSameNumber(urc.phoneNumber, sender)
      bell.ring()
    },
    async confirmed(at, withinMs) {
      if (confirm.kind === 'sms') return watch(at, withinMs)
      await at.ask(commands.letIncoming)
      const hasConfirmed = await watch(at, withinMs)
      await at.ask(commands.refuseIncoming)
      return hasConfirmed
    },
    close() {
      isClosed = true
      bell.ring()
    },
  }
}
