// What the cloud keeps in memory of the openings that it accepted: their age, their timers, and who waits for them.

import { ageMs, leastAgeMs, type Moment, moment, type Timer, type World } from '@callgate/world/world'
import { ageByGateway, type GatewayClock } from '../core/gatewayClock.ts'

/** From when an opening's times count. */
export interface Accepted {
  readonly since: Moment
  /** From when its number is held; `since` where nothing is said. */
  readonly heldSince?: Moment
  /** What the clocks of the Space's gateways showed at `since`, by gateway. */
  readonly gatewayClocks?: ReadonlyMap<string, GatewayClock>
}

export interface OpeningClock {
  /** From now on the opening's age counts. */
  accept(openingId: string, accepted: Accepted): void
  /** Milliseconds since the acceptance; undefined for what this process did not accept or has forgotten. */
  ageMs(openingId: string): number | undefined
  /** The age that refuses: by the clock that moved furthest, a wall clock that was set forward included. */
  furthestAgeMs(openingId: string): number | undefined
  /**
   * The age that refuses a claim: the furthest, the claiming gateway's own clock included; undefined as well when this boot
   * of the gateway was not heard before the press.
   */
  claimAgeMs(
    openingId: string,
    claim: { readonly gatewayId: string; readonly bootId: string; readonly sinceBootMs: number },
  ): number | undefined
  /** A claim was refused because of the opening's age: some machine restarted or stood still, as far as can be told. */
  doubt(openingId: string): void
  isDoubted(openingId: string): boolean
  /** Calls `then` when the opening has reached the age; at once (in the next turn) where it already has. */
  atAge(openingId: string, atMs: number, then: () => void): void
  /** Calls `then` when the opening's number has been held so long, by the clock that moved least. */
  onceHeld(openingId: string, forMs: number, then: () => void): void
  /** Calls `then` every `everyMs` until the opening is granted or has ended. */
  repeat(openingId: string, everyMs: number, then: () => void): void
  /** Granted: nothing is repeated any more. */
  granted(openingId: string): void
  /** Ended: wakes whoever waits; its timers go, but for those set by `atAge` and `onceHeld`. */
  ended(openingId: string): void
  /** Calls `then` when the opening is forgotten; false, and nothing, where it is not known any more. */
  onceForgotten(openingId: string, then: () => void): boolean
  /** Milliseconds since the end of an opening that ended lately in this process, by the clock that moved least. */
  sinceEndMs(openingId: string): number | undefined
  /** Resolves when the opening has ended, or after `withinMs`. */
  wait(openingId: string, withinMs: number): Promise<void>
  /** Wakes everybody, stops every timer and accepts nothing more. */
  stop(): void
  isStopped(): boolean
}

interface Watched {
  readonly since: Moment
  readonly heldSince: Moment
  /** The wall clock at `since`, milliseconds since the epoch. */
  readonly sinceWallMs: number
  readonly gatewayClocks: ReadonlyMap<string, GatewayClock>
  isDoubted: boolean
  endedAt: Moment | undefined
  timers: Set<Timer>
  repeating: Timer | undefined
  waiters: Set<() => void>
  whenForgotten: (() => void)[]
}

/** `forgetAfterMs`: an opening is forgotten when its number has been held so long, or would have been. */
export function openingClock(world: World, forgetAfterMs: number): OpeningClock {
  const watched = new Map<string, Watched>()
  let stopped = false

  function drop(openingId: string) {
    const entry = watched.get(openingId)
    if (!entry) return
    watched.delete(openingId)
    entry.repeating?.cancel()
    for (const timer of entry.timers) timer.cancel()
    for (const wake of entry.waiters) wake()
    for (const then of entry.whenForgotten) then()
  }

  function after(entry: Watched, delayMs: number, then: () => void) {
    const timer = world.after(delayMs, () => {
      entry.timers.delete(timer)
      then()
    })
    entry.timers.add(timer)
  }

  const clock: OpeningClock = {
    accept(openingId, { gatewayClocks = new Map(), heldSince, since }) {
      if (stopped) return
      watched.set(openingId, {
        since,
        heldSince: heldSince ?? since,
        sinceWallMs: world.nowMs() - ageMs(world, since),
        gatewayClocks,
        isDoubted: false,
        endedAt: undefined,
        timers: new Set(),
        repeating: undefined,
        waiters: new Set(),
        whenForgotten: [],
      })
      clock.onceHeld(openingId, forgetAfterMs, () => drop(openingId))
    },
    ageMs(openingId) {
      const entry = watched.get(openingId)
      return entry && ageMs(world, entry.since)
    },
    furthestAgeMs(openingId) {
      const entry = watched.get(openingId)
      return entry && Math.max(ageMs(world, entry.since), world.nowMs() - entry.sinceWallMs)
    },
    claimAgeMs(openingId, claim) {
      const furthestMs = clock.furthestAgeMs(openingId)
      const byGatewayMs = ageByGateway(watched.get(openingId)?.gatewayClocks.get(claim.gatewayId), claim)
      if (furthestMs === undefined || byGatewayMs === undefined) return undefined
      return Math.max(furthestMs, byGatewayMs)
    },
    doubt(openingId) {
      const entry = watched.get(openingId)
      if (entry) entry.isDoubted = true
    },
    isDoubted: openingId => watched.get(openingId)?.isDoubted ?? false,
    atAge(openingId, atMs, then) {
      const entry = watched.get(openingId)
      if (entry) after(entry, atMs - ageMs(world, entry.since), then)
    },
    onceHeld(openingId, forMs, then) {
      const entry = watched.get(openingId)
      if (!entry) return
      const leftMs = () => forMs - leastAgeMs(world, entry.heldSince)
      // A timer follows one clock, and another may have moved less.
      const look = () => (leftMs() > 0 ? after(entry, leftMs(), look) : then())
      after(entry, leftMs(), look)
    },
    repeat(openingId, everyMs, then) {
      const entry = watched.get(openingId)
      if (!entry) return
      entry.repeating = world.after(everyMs, () => {
        clock.repeat(openingId, everyMs, then)
        then()
      })
    },
    granted(openingId) {
      watched.get(openingId)?.repeating?.cancel()
    },
    ended(openingId) {
      const entry = watched.get(openingId)
      if (!entry) return
      // A correction counts: the call ran until then, for all that was known.
      entry.endedAt = moment(world)
      entry.repeating?.cancel()
      for (const wake of entry.waiters) wake()
      entry.waiters.clear()
    },
    onceForgotten(openingId, then) {
      const entry = watched.get(openingId)
      entry?.whenForgotten.push(then)
      return entry !== undefined
    },
    sinceEndMs(openingId) {
      const endedAt = watched.get(openingId)?.endedAt
      return endedAt && leastAgeMs(world, endedAt)
    },
    wait(openingId, withinMs) {
      const entry = watched.get(openingId)
      if (!entry || entry.endedAt) return Promise.resolve()
      return new Promise(resolve => {
        const timer = world.after(withinMs, () => wake())
        const wake = () => {
          timer.cancel()
          entry.waiters.delete(wake)
          resolve()
        }
        entry.waiters.add(wake)
      })
    },
    isStopped: () => stopped,
    stop() {
      stopped = true
      for (const openingId of [...watched.keys()]) drop(openingId)
    },
  }
  return clock
}
