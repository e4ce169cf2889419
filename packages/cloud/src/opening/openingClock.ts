// What the cloud keeps in memory of the openings that it accepted: their age, their timers, and the requests that wait for them.

import { ageMs, leastAgeMs, type Moment, moment, type Timer, type World } from '@callgate/world/world'
import { ageByGateway, type GatewayClock } from '../core/gatewayClock.ts'
import type { OpeningRow } from '../core/opening.ts'

/** The start of an opening's times. */
export interface Accepted {
  readonly since: Moment
  /** Since when its number is held; `since` where it is left out. */
  readonly heldSince?: Moment
  /** The readings of the Space's gateway clocks at `since`, by gateway id. */
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
  readonly waiters: Set<(ended?: OpeningRow) => void>
  readonly whenForgotten: (() => void)[]
}

export class OpeningClock {
  readonly #world: World
  readonly #forgetAfterMs: number
  readonly #entries = new Map<string, Entry>()
  #isStopped = false

  /** An opening is forgotten `forgetAfterMs` after its number was first held, also where the number is free by then. */
  constructor(world: World, forgetAfterMs: number) {
    this.#world = world
    this.#forgetAfterMs = forgetAfterMs
  }

  /** Starts to count the opening's age. */
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
      // The opening may be taken over from a former lease of this cloud: requests may wait for it.
      waiters: former?.waiters ?? new Set(),
      whenForgotten: former?.whenForgotten ?? [],
    })
    this.onceHeld(openingId, this.#forgetAfterMs, () => this.#forget(openingId))
  }

  /** Milliseconds since the acceptance; undefined for an opening that this process did not accept or has forgotten. */
  ageMs(openingId: string): number | undefined {
    const entry = this.#entries.get(openingId)
    return entry && ageMs(this.#world, entry.since)
  }

  /** The age that leads to a refusal: by the clock that moved furthest, which may be a wall clock that was set forward. */
  furthestAgeMs(openingId: string): number | undefined {
    const entry = this.#entries.get(openingId)
    return entry && Math.max(ageMs(this.#world, entry.since), this.#world.nowMs() - entry.sinceWallMs)
  }

  /**
   * The age that leads to the refusal of a claim: the largest of all clocks, the claiming gateway's own clock included. Also
   * undefined when no beat of this boot of the gateway came before the press.
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

  /** Notes that a claim was refused because of the opening's age: some machine has probably restarted or stalled. */
  doubt(openingId: string): void {
    const entry = this.#entries.get(openingId)
    if (entry) entry.isDoubted = true
  }

  isDoubted(openingId: string): boolean {
    return this.#entries.get(openingId)?.isDoubted ?? false
  }

  /** Calls `then` when the opening reaches the age; in the next turn where it has reached it already. */
  atAge(openingId: string, atMs: number, then: () => void): void {
    const entry = this.#entries.get(openingId)
    if (entry) this.#after(entry, atMs - ageMs(this.#world, entry.since), then)
  }

  /** Calls `then` when the opening's number has been held for `forMs`, by the clock that moved least. */
  onceHeld(openingId: string, forMs: number, then: () => void): void {
    const entry = this.#entries.get(openingId)
    if (!entry) return
    const leftMs = () => forMs - leastAgeMs(this.#world, entry.heldSince)
    // A timer follows one clock. Another clock may have moved less.
    const check = () => (leftMs() > 0 ? this.#after(entry, leftMs(), check) : then())
    this.#after(entry, leftMs(), check)
  }

  /** Restarts the time for which the number of the opening is held. */
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

  /** Whether a repetition until the grant still runs. */
  isRepeated(openingId: string): boolean {
    return this.#entries.get(openingId)?.repeating !== undefined
  }

  /** Notes that the opening is granted, which ends all repetitions. */
  granted(openingId: string): void {
    this.#entries.get(openingId)?.repeating?.cancel()
  }

  /**
   * Notes that the opening has ended, and wakes the waiting requests with its row, where that is known. Timers set by `atAge` and
   * `onceHeld` go on.
   */
  ended(openingId: string, row?: OpeningRow): void {
    const entry = this.#entries.get(openingId)
    if (!entry) return
    // A correction sets it again: the call may have been running until then.
    entry.endedAt = moment(this.#world)
    entry.repeating?.cancel()
    for (const wake of entry.waiters) wake(row)
    entry.waiters.clear()
  }

  /** Calls `then` when the opening is forgotten. Returns false, and never calls it, where the opening is already forgotten. */
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

  /** Resolves when the opening has ended, with its row where `ended` gets that, or after `withinMs`. */
  wait(openingId: string, withinMs: number): Promise<OpeningRow | undefined> {
    const entry = this.#entries.get(openingId)
    if (!entry || entry.endedAt) return Promise.resolve(undefined)
    return new Promise(resolve => {
      const timer = this.#world.after(withinMs, () => wake())
      const wake = (ended?: OpeningRow) => {
        timer.cancel()
        entry.waiters.delete(wake)
        resolve(ended)
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

  /** Wakes all waiting requests, stops every timer and accepts no more openings. */
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
