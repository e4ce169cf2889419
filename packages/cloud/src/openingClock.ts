// What the cloud keeps in memory of the openings that it accepted: their age, their timers, and who waits for them.

import { ageMs, type Moment, moment, type Timer, type World } from '@callgate/world/world'

export interface OpeningClock {
  /** From now on the opening's age counts, from `since`. */
  accept(openingId: string, since: Moment): void
  /** Milliseconds since the acceptance; undefined for what this process did not accept or has forgotten. */
  ageMs(openingId: string): number | undefined
  /** Calls `then` when the opening has reached the age; at once (in the next turn) where it already has. */
  atAge(openingId: string, atMs: number, then: () => void): void
  /** Calls `then` every `everyMs` until the opening is granted or has ended. */
  repeat(openingId: string, everyMs: number, then: () => void): void
  /** Granted: nothing is repeated any more. */
  granted(openingId: string): void
  /** Ended: wakes whoever waits; its timers go, but for those set by `atAge` with a later age. */
  ended(openingId: string): void
  /** Milliseconds since the end of an opening that ended lately in this process. */
  sinceEndMs(openingId: string): number | undefined
  /** Resolves when the opening has ended, or after `withinMs`. */
  wait(openingId: string, withinMs: number): Promise<void>
  /** Wakes everybody, stops every timer and accepts nothing more. */
  stop(): void
  isStopped(): boolean
}

interface Watched {
  since: Moment
  endedAt: Moment | undefined
  timers: Set<Timer>
  repeating: Timer | undefined
  waiters: Set<() => void>
}

/** `forgetAfterMs`: from its acceptance, the age at which an opening is forgotten. */
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
  }

  const clock: OpeningClock = {
    accept(openingId, since) {
      if (stopped) return
      watched.set(openingId, {
        since,
        endedAt: undefined,
        timers: new Set(),
        repeating: undefined,
        waiters: new Set(),
      })
      clock.atAge(openingId, forgetAfterMs, () => drop(openingId))
    },
    ageMs(openingId) {
      const entry = watched.get(openingId)
      return entry && ageMs(world, entry.since)
    },
    atAge(openingId, atMs, then) {
      const entry = watched.get(openingId)
      if (!entry) return
      const timer = world.after(atMs - ageMs(world, entry.since), () => {
        entry.timers.delete(timer)
        then()
      })
      entry.timers.add(timer)
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
    sinceEndMs(openingId) {
      const endedAt = watched.get(openingId)?.endedAt
      return endedAt && ageMs(world, endedAt)
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
