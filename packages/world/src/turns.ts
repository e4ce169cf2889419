// Turns of the event loop, given out one by one: fair between those whose work waits for them.

/** Gives out turns: see `World.turn`. `later` calls back in a later turn of the event loop. */
export function fairTurns(later: (then: () => void) => void): (of: string) => Promise<void> {
  /** Who waits, in the order of their next turns; each with what waits, the oldest first. */
  const waiting = new Map<string, (() => void)[]>()
  let isGiving = false

  function give(): void {
    const [next] = waiting
    isGiving = next !== undefined
    if (!next) return
    const [of, begins] = next
    const begin = begins.shift()
    waiting.delete(of)
    // Behind all others who wait: a thousand pieces of one delay a piece of another by one turn.
    if (begins.length > 0) waiting.set(of, begins)
    later(give)
    begin?.()
  }

  return of =>
    new Promise(resolve => {
      const begins = waiting.get(of)
      if (begins) begins.push(resolve)
      else waiting.set(of, [resolve])
      if (isGiving) return
      isGiving = true
      later(give)
    })
}
