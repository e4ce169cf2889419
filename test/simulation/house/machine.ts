// The machine of one side of the house: clocks and timers that stand still together, with everything that runs on it.

import type { FakeWorld } from '@callgate/world/fake'
import type { Timer, World } from '@callgate/world/world'

export interface Machine {
  /** Its own clocks and timers. */
  readonly clock: Pick<World, 'nowMs' | 'monotonicMs' | 'sinceBootMs' | 'after'>
  isStanding(): boolean
  /** A snapshot, a live migration: nothing on it runs any more, and its clocks and timers stand still. */
  standStill(): void
  /** Goes on as if no time had passed; `suspended`: its boot-counting clock has gone on, as a laptop's does. */
  goOn(suspended?: boolean): void
  /** Stands still after so many more steps. */
  standStillAfter(steps: number): void
  /** One step of what runs on it: an effect that is about to happen. */
  step(): void
  /** Something comes from outside: at once, or when the machine goes on. */
  enter(event: () => void): void
  /** Resolves at once, or when the machine goes on. */
  running(): Promise<void>
  /** Sets its wall clock forward, or back. */
  setWallClock(byMs: number): void
  /** When it stood still. */
  stood(): readonly { readonly fromMs: number; readonly toMs: number }[]
}

interface Pending {
  readonly dueMs: number
  readonly then: () => void
  timer: Timer | undefined
}

/** `wallOffsetMs`: how far its wall clock is off in the beginning. */
export function createMachine(world: FakeWorld, name: string, wallOffsetMs = 0): Machine {
  const [kind] = name.split(' ')
  const spans: { fromMs: number; toMs: number }[] = []
  const pending = new Set<Pending>()
  let offMs = wallOffsetMs
  let missedMs = 0
  /** What the boot-counting clock has missed: less, where the machine was suspended. */
  let missedByBootMs = 0
  let standingSinceMs: number | undefined
  let stepsLeft = Number.POSITIVE_INFINITY
  let waiting: (() => void)[] = []

  const trueMs = () => standingSinceMs ?? world.monotonicMs()
  const monotonicMs = () => trueMs() - missedMs
  const isStanding = () => standingSinceMs !== undefined

  function arm(timer: Pending) {
    timer.timer = world.after(timer.dueMs - monotonicMs(), () => {
      pending.delete(timer)
      timer.then()
    })
  }

  function standStill() {
    if (isStanding()) return
    stepsLeft = Number.POSITIVE_INFINITY
    standingSinceMs = world.monotonicMs()
    for (const { timer } of pending) timer?.cancel()
    world.log.info('stands still', { who: name })
  }

  return {
    clock: {
      nowMs: () => world.nowMs() - world.monotonicMs() + monotonicMs() + offMs,
      monotonicMs,
      sinceBootMs: () => trueMs() - missedByBootMs,
      after(delayMs, then) {
        const timer: Pending = { dueMs: monotonicMs() + Math.max(0, delayMs), then, timer: undefined }
        pending.add(timer)
        if (!isStanding()) arm(timer)
        return {
          cancel() {
            pending.delete(timer)
            timer.timer?.cancel()
          },
        }
      },
    },
    isStanding,
    standStill,
    goOn(suspended = false) {
      stepsLeft = Number.POSITIVE_INFINITY
      if (standingSinceMs === undefined) return
      const toMs = world.monotonicMs()
      spans.push({ fromMs: standingSinceMs, toMs })
      missedMs += toMs - standingSinceMs
      if (!suspended) missedByBootMs += toMs - standingSinceMs
      standingSinceMs = undefined
      const met = waiting.length > 0 ? [`${kind} stands still`] : []
      world.log.info('goes on', { who: name, met, events: waiting.length, suspended })
      // What is due and what has come meanwhile may be taken either way round.
      const isTimersFirst = world.random() < 0.5
      if (isTimersFirst) for (const timer of pending) arm(timer)
      for (const event of waiting) world.after(0, event)
      waiting = []
      if (!isTimersFirst) for (const timer of pending) arm(timer)
    },
    standStillAfter(steps) {
      stepsLeft = steps
    },
    step() {
      if (stepsLeft-- <= 0) standStill()
    },
    enter(event) {
      if (isStanding()) waiting.push(event)
      else event()
    },
    running: () => (isStanding() ? new Promise(resolve => waiting.push(resolve)) : Promise.resolve()),
    setWallClock(byMs) {
      offMs += byMs
    },
    stood: () =>
      standingSinceMs === undefined
        ? spans
        : [...spans, { fromMs: standingSinceMs, toMs: world.monotonicMs() }],
  }
}
