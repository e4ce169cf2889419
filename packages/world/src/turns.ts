// Turns of the event loop, given out one by one, fairly between the owners of the waiting work.

import type { World } from './world.ts'

type CallBack = (then: () => void) => void

/**
 * Gives out turns: see `World.turn`. `later` calls back in a later turn of the event loop, and `next` when the work of the turn
 * before has run as far as it can.
 */
export function fairTurns(later: CallBack, next: CallBack = later): World['turn'] {
  /** The waiting owners in the order of their next turns, each with its waiting calls, the oldest first. */
  const waiting = new Map<string, (() => void)[]>()
  let isGiving = false

  function give(): void {
    const [first] = waiting
    isGiving = first !== undefined
    if (!first) return
    const [of, begins] = first
    const begin = begins.shift()
    waiting.delete(of)
    // The owner goes behind all others: a thousand pieces of one owner delay a piece of another by one turn only.
    if (begins.length > 0) waiting.set(of, begins)
    next(give)
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
