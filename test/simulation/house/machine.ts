// A simulated machine: its clocks, its timers and all that runs on it can stall together, like a frozen VM.

import type { FakeWorld } from '@callgate/world/fake'
import type { Timer, World } from '@callgate/world/world'

export interface Machine {
  /** Its own clocks and timers. */
  readonly clock: Pick<World, 'nowMs' | 'monotonicMs' | 'sinceBootMs' | 'after'>
  isStalled(): boolean
  /** Freezes it, as a snapshot or a live migration does: nothing runs on it, and its clocks and timers stop. */
  stall(): void
  /** Continues as if no time had passed. `suspended`: its boot-counting clock did not stop, as on a suspended laptop. */
  goOn(suspended?: boolean): void
  /** It stalls after `steps` more steps. */
  stallAfter(steps: number): void
  /** Called before each effect of what runs on it. */
  step(): void
  /** An event from outside. It happens at once, or when the machine continues. */
  enter(event: () => void): void
  /** Resolves at once, or when the machine continues. */
  running(): Promise<void>
  /** Moves its wall clock forward or back. */
  setWallClock(byMs: number): void
  /** From now on its clocks and timers run at this rate; 1: the right one. */
  setRate(rate: number): void
  /** When it stalled. */
  stood(): readonly { readonly fromMs: number; readonly toMs: number }[]
}

/** A clock that may run too fast or too slow; `runMs` is the time that has passed on its machine. */
function createQuartz(runMs: () => number) {
  let rated = { rate: 1, fromMs: 0, ownMs: 0 }
  const monotonicMs = () => rated.ownMs + (runMs() - rated.fromMs) * rated.rate
  return {
    monotonicMs,
    /**
     * The real length of a time on this machine. Fractions come from a clock that runs wrong, here or on another machine, and
     * have the error of a division or a difference. A timer is then a little late, and never early.
     */
    lastsMs(ownMs: number): number {
      const lastsMs = ownMs / rated.rate
      return Number.isInteger(lastsMs) ? lastsMs : lastsMs + 0.001
    },
    setRate(rate: number) {
      if (rate !== rated.rate) rated = { rate, fromMs: runMs(), ownMs: monotonicMs() }
    },
  }
}

/** The clock, which never goes back. A difference of fractions can be a trillionth of a millisecond too small. */
function neverBack(clock: () => number): () => number {
  let latestMs = Number.NEGATIVE_INFINITY
  return () => {
    latestMs = Math.max(latestMs, clock())
    return latestMs
  }
}

/** Timers of a clock that can stop. */
function createTimers(world: FakeWorld, monotonicMs: () => number, trueMs: (ownMs: number) => number) {
  interface Pending {
    readonly dueMs: number
    readonly then: () => void
    timer: Timer | undefined
  }
  const pending = new Set<Pending>()

  function arm(own: Pending) {
    own.timer?.cancel()
    own.timer = world.after(trueMs(own.dueMs - monotonicMs()), () => {
      pending.delete(own)
      own.then()
    })
  }

  return {
    add(delayMs: number, then: () => void, isRunning: boolean): Timer {
      // A time below the precision would be no time at all.
      const leastMs = delayMs > 0 ? 0.001 : 0
      const own: Pending = { dueMs: monotonicMs() + Math.max(leastMs, delayMs), then, timer: undefined }
      pending.add(own)
      if (isRunning) arm(own)
      return {
        cancel() {
          pending.delete(own)
          own.timer?.cancel()
        },
      }
    },
    stop() {
      for (const { timer } of pending) timer?.cancel()
    },
    goOn() {
      for (const own of pending) arm(own)
    },
  }
}

/** `wallOffsetMs`: the initial error of its wall clock. */
export function createMachine(world: FakeWorld, name: string, wallOffsetMs = 0): Machine {
  const [kind] = name.split(' ')
  const spans: { fromMs: number; toMs: number }[] = []
  let offMs = wallOffsetMs
  let missedMs = 0
  /** What the boot-counting clock has missed: less than the other clocks, where the machine was suspended. */
  let missedByBootMs = 0
  let stalledSinceMs: number | undefined
  let stepsLeft = Number.POSITIVE_INFINITY
  let waiting: (() => void)[] = []

  const trueMs = () => stalledSinceMs ?? world.monotonicMs()
  const { lastsMs, monotonicMs, setRate } = createQuartz(neverBack(() => trueMs() - missedMs))
  const isStalled = () => stalledSinceMs !== undefined
  const timers = createTimers(world, monotonicMs, lastsMs)

  function stall() {
    if (isStalled()) return
    stepsLeft = Number.POSITIVE_INFINITY
    stalledSinceMs = world.monotonicMs()
    timers.stop()
    world.log.info('stalls', { who: name })
  }

  function goOn(suspended = false) {
    stepsLeft = Number.POSITIVE_INFINITY
    if (stalledSinceMs === undefined) return
    const toMs = world.monotonicMs()
    spans.push({ fromMs: stalledSinceMs, toMs })
    missedMs += toMs - stalledSinceMs
    if (!suspended) missedByBootMs += toMs - stalledSinceMs
    stalledSinceMs = undefined
    const met = waiting.length > 0 ? [`${kind} stalls`] : []
    world.log.info('goes on', { who: name, met, events: waiting.length, suspended })
    // Timers that are due and events that came in this time; the seed decides their order.
    const isTimersFirst = world.random() < 0.5
    if (isTimersFirst) timers.goOn()
    for (const event of waiting) world.after(0, event)
    waiting = []
    if (!isTimersFirst) timers.goOn()
  }

  return {
    clock: {
      nowMs: () => Math.floor(world.nowMs() - world.monotonicMs() + monotonicMs() + offMs),
      monotonicMs,
      sinceBootMs: neverBack(() => trueMs() - missedByBootMs + monotonicMs() - (trueMs() - missedMs)),
      after: (delayMs, then) => timers.add(delayMs, then, !isStalled()),
    },
    isStalled,
    stall,
    goOn,
    stallAfter(steps) {
      stepsLeft = steps
    },
    step() {
      if (stepsLeft-- <= 0) stall()
    },
    enter: event => (isStalled() ? void waiting.push(event) : event()),
    running: () => (isStalled() ? new Promise(resolve => waiting.push(resolve)) : Promise.resolve()),
    setWallClock(byMs) {
      offMs += byMs
    },
    setRate(rate) {
      setRate(rate)
      if (!isStalled()) timers.goOn()
    },
    stood: () => (isStalled() ? [...spans, { fromMs: trueMs(), toMs: world.monotonicMs() }] : spans),
  }
}
