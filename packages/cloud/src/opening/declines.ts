// Which gateways have declined an opening that nobody has claimed, and why. In memory.

import type { ReasonWord } from '@callgate/contract/call/reason'
import type { OpeningClock } from './openingClock.ts'

export class Declines {
  readonly #clock: OpeningClock
  readonly #byOpening = new Map<string, Map<string, ReasonWord>>()

  constructor(clock: OpeningClock) {
    this.#clock = clock
  }

  /**
   * Records that a gateway declines, and returns all gateways that have declined. Undefined when the clock does not know the
   * opening any more, because it has ended or is about to end. It may have ended while the message was on its way.
   */
  add(openingId: string, gatewayId: string, reason: ReasonWord): ReadonlyMap<string, ReasonWord> | undefined {
    const reasons = this.#byOpening.get(openingId) ?? new Map<string, ReasonWord>()
    if (reasons.size === 0 && !this.#clock.onceForgotten(openingId, () => this.forget(openingId)))
      return undefined
    this.#byOpening.set(openingId, reasons.set(gatewayId, reason))
    return reasons
  }

  /** The reason of the gateway that declined last. */
  lastReason(openingId: string): ReasonWord | undefined {
    return [...(this.#byOpening.get(openingId)?.values() ?? [])].at(-1)
  }

  forget(openingId: string): void {
    this.#byOpening.delete(openingId)
  }
}
