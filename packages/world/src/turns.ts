// Turns of the event loop, given out one by one, fairly between the owners of the waiting work.

import type { World } from './world.ts'

/** Gives out turns: see `World.turn`. `later` calls back in a later turn of the event loop. */
export function fairTurns(later: (then: () => void) => void): World['turn'] {
  /** The waiting owners in the order of their next turns, each with its waiting calls, the oldest first. */
  const waiting = new Map<string, (() => void)[]>()
  let isGiving = false

  function give(): void {
    const [next] = waiting
    isGiving = next !== undefined
    if (!next) return
    const [of, begins] = next
    const begin = begins.shift()
    waiting.delete(of)
    // The owner goes behind all others: a thousand pieces of one owner delay a piece of another by one turn only.
    if (begins.length > 0) waiting.set(of, begins)
    later(give)
    begin?.()
  }

  return of =>
    new Promise(resolve => {
      if (of === undefined) return later(resolve)
      const begins = waiting.get(of)
      if (begins) begins.push(resolve)
      else waiting.set(of, [resolve])
      if (isGiving) return
      isGiving = true
      later(give)
    })
}
