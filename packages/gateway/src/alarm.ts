// An alarm: a timer for one time, which is moved or removed when that time changes.

import type { Timer, World } from '@callgate/world/world'

export class Alarm {
  readonly #world: World
  readonly #ring: () => void
  #dueMs: number | undefined
  #timer: Timer | undefined

  constructor(world: World, ring: () => void) {
    this.#world = world
    this.#ring = ring
  }

  /** Sets the alarm to this monotonic time; undefined: it never rings. */
  follow(dueMs: number | undefined): void {
    if (dueMs === this.#dueMs) return
    this.#timer?.cancel()
    this.#dueMs = dueMs
    this.#timer = dueMs === undefined ? undefined : this.#after(dueMs - this.#world.monotonicMs())
  }

  #after(delayMs: number): Timer {
    return this.#world.after(delayMs, () => {
      this.#dueMs = undefined
      this.#ring()
    })
  }
}
