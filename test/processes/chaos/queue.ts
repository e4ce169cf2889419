// The queue of points: each is tried until it was hit often enough, and those with the fewest tries come first.

import type { Point } from './points.ts'

export interface Queue {
  /** The next point; undefined when none is left. */
  next(): Point | undefined
  done(point: Point, isHit: boolean): void
}

/** A moment can be missed, so a point is tried again, up to a limit. */
const triesForOneHit = 3

export function trialQueue(points: readonly Point[], times: number): Queue {
  const entries = points.map(point => ({ point, tries: 0, running: 0, hits: 0 }))
  return {
    next() {
      const [entry] = entries
        .filter(({ hits, running, tries }) => hits + running < times && tries < triesForOneHit * times)
        .sort((one, other) => one.tries - other.tries)
      if (!entry) return undefined
      entry.tries++
      entry.running++
      return entry.point
    },
    done(point, isHit) {
      const entry = entries.find(one => one.point === point)
      if (!entry) return
      entry.running--
      if (isHit) entry.hits++
    },
  }
}
