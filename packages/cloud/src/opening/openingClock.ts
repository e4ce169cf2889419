// What the cloud keeps in memory of the openings that it accepted: their age, their timers, and who waits for them.

import { ageMs, leastAgeMs, type Moment, moment, type Timer, type World } from '@callgate/world/world'
import { ageByGateway, type GatewayClock } from '../core/gatewayClock.ts'

/** From when an opening's times count. */
export interface Accepted {
  readonly since: Moment
  /** From when its number is held; `since` where nothing is given. */
  readonly heldSince?: Moment
  /** What the clocks of the Space's gateways showed at `since`, by gateway. */
  readonly gatewayClocks?: ReadonlyMap<string, GatewayClock>
}

interface Entry {
  readonly since: Moment
  heldSince: Moment
  /** The wall clock at `since`, milliseconds since the epoch. */
  readonly sinceWallMs: number
  readonly gatewayClocks: ReadonlyMap<string, GatewayClock>
  isDoubted: boolean
  endedAt: Moment | undefined
  readonly timers: Set<Timer>
  repeating: Timer | undefined
  readonly waiters: Set<() => void>
  readonly whenForgotten: (() => void)[]
}

export class OpeningClock {
  readonly #world: World
  readonly #forgetAfterMs: number
  readonly #entries = new Map<string, Entry>()
  #isStopped = false

  /** An opening is forgotten once its number has been held for `forgetAfterMs`, or would have been. */
  constructor(world: World, forgetAfterMs: number) {
    this.#world = world
    this.#forgetAfterMs = forgetAfterMs
  }

  /** From now on the opening's age counts. */
  accept(openingId: string, { gatewayClocks = new Map(), heldSince, since }: Accepted): void {
    if (this.#isStopped) return
    const former = this.#entries.get(openingId)
    former?.repeating?.cancel()
    for (const timer of former?.timers ?? []) timer.cancel()
    this.#entries.set(openingId, {
      since,
      heldSince: heldSince ?? since,
      sinceWallMs: this.#world.nowMs() - ageMs(this.#world, since),
      gatewayClocks,
      isDoubted: false,
      endedAt: undefined,
      timers: new Set(),
      repeating: undefined,
      // Taken over from this cloud's own former lease: requests may wait for it.
      waiters: former?.waiters ?? new Set(),
      whenForgotten: former?.whenForgotten ?? [],
    })
    this.onceHeld(openingId, this.#forgetAfterMs, () => this.#forget(openingId))
  }

  /** Milliseconds since the acceptance; undefined for what this process did not accept or has forgotten. */
  ageMs(openingId: string): number | undefined {
    const entry = this.#entries.get(openingId)
    return entry && ageMs(this.#world, entry.since)
  }

  /** The age that refuses: by the clock that moved furthest, which may be a wall clock that was set forward. */
  furthestAgeMs(openingId: string): number | undefined {
    const entry = this.#entries.get(openingId)
    return entry && Math.max(ageMs(this.#world, entry.since), this.#world.nowMs() - entry.sinceWallMs)
  }

  /**
   * The age that refuses a claim: the furthest one, the claiming gateway's own clock included. Undefined as well when no
   * beat of this boot of the gateway came before the press.
   */
  claimAgeMs(
    openingId: string,
    claim: { readonly gatewayId: string; readonly bootId: string; readonly sinceBootMs: number },
  ): number | undefined {
    const furthestMs = this.furthestAgeMs(openingId)
    const byGatewayMs = ageByGateway(this.#entries.get(openingId)?.gatewayClocks.get(claim.gatewayId), claim)
    if (furthestMs === undefined || byGatewayMs === undefined) return undefined
    return Math.max(furthestMs, byGatewayMs)
  }

  /** A claim was refused because of the opening's age: some machine has probably restarted or stalled. */
  doubt(openingId: string): void {
    const entry = this.#entries.get(openingId)
    if (entry) entry.isDoubted = true
  }

  isDoubted(openingId: string): boolean {
    return this.#entries.get(openingId)?.isDoubted ?? false
  }

  /** Calls `then` when the opening has reached the age. Where it has already, in the next turn. */
  atAge(openingId: string, atMs: number, then: () => void): void {
    const entry = this.#entries.get(openingId)
    if (entry) this.#after(entry, atMs - ageMs(this.#world, entry.since), then)
  }

  /** Calls `then` when the opening's number has been held for so long, by the clock that moved least. */
  onceHeld(openingId: string, forMs: number, then: () => void): void {
    const entry = this.#entries.get(openingId)
    if (!entry) return
    const leftMs = () => forMs - leastAgeMs(this.#world, entry.heldSince)
    // A timer follows one clock. Another clock may have moved less.
    const check = () => (leftMs() > 0 ? this.#after(entry, leftMs(), check) : then())
    this.#after(entry, leftMs(), check)
  }

  /** The number of the opening is held anew, from now on. */
  holdAnew(openingId: string): void {
    const entry = this.#entries.get(openingId)
    if (entry) entry.heldSince = moment(this.#world)
  }

  /** Calls `then` every `everyMs` until the opening is granted or has ended. */
  repeat(openingId: string, everyMs: number, then: () => void): void {
    const entry = this.#entries.get(openingId)
    if (!entry || entry.endedAt) return
    entry.repeating = this.#world.after(everyMs, () => {
      this.repeat(openingId, everyMs, then)
      then()
    })
  }

  /** Whether something is repeated until the opening is granted. */
  isRepeated(openingId: string): boolean {
    return this.#entries.get(openingId)?.repeating !== undefined
  }

  /** The opening is granted: nothing is repeated any more. */
  granted(openingId: string): void {
    this.#entries.get(openingId)?.repeating?.cancel()
  }

  /** The opening has ended: wakes those who wait. Timers set by `atAge` and `onceHeld` go on. */
  ended(openingId: string): void {
    const entry = this.#entries.get(openingId)
    if (!entry) return
    // A correction sets it again: until then the call may have been running.
    entry.endedAt = moment(this.#world)
    entry.repeating?.cancel()
    for (const wake of entry.waiters) wake()
    entry.waiters.clear()
  }

  /** Calls `then` when the opening is forgotten. False, and never called, where the opening is not known any more. */
  onceForgotten(openingId: string, then: () => void): boolean {
    const entry = this.#entries.get(openingId)
    entry?.whenForgotten.push(then)
    return entry !== undefined
  }

  /** Milliseconds since the end, by the clock that moved least; undefined for an opening that this process did not end. */
  sinceEndMs(openingId: string): number | undefined {
    const endedAt = this.#entries.get(openingId)?.endedAt
    return endedAt && leastAgeMs(this.#world, endedAt)
  }

  /** Resolves when the opening has ended, or after `withinMs`. */
  wait(openingId: string, withinMs: number): Promise<void> {
    const entry = this.#entries.get(openingId)
    if (!entry || entry.endedAt) return Promise.resolve()
    return new Promise(resolve => {
      const timer = this.#world.after(withinMs, () => wake())
      const wake = () => {
        timer.cancel()
        entry.waiters.delete(wake)
        resolve()
      }
      entry.waiters.add(wake)
    })
  }

  /** How many requests wait for an end. */
  waiting(): number {
    let waiters = 0
    for (const entry of this.#entries.values()) waiters += entry.waiters.size
    return waiters
  }

  /** Wakes everybody, stops every timer and accepts nothing more. */
  stop(): void {
    this.#isStopped = true
    for (const openingId of [...this.#entries.keys()]) this.#forget(openingId)
  }

  isStopped(): boolean {
    return this.#isStopped
  }

  #forget(openingId: string): void {
    const entry = this.#entries.get(openingId)
    if (!entry) return
    this.#entries.delete(openingId)
    entry.repeating?.cancel()
    for (const timer of entry.timers) timer.cancel()
    for (const wake of entry.waiters) wake()
    for (const then of entry.whenForgotten) then()
  }

  #after(entry: Entry, delayMs: number, then: () => void): void {
    const timer = this.#world.after(delayMs, () => {
      entry.timers.delete(timer)
      then()
    })
    entry.timers.add(timer)
  }
}
