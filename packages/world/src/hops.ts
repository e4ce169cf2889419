// The points that an opening passes on its way, for whoever measures it: metrics, traces, the benchmark, or nobody.

import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'

/** One point that an opening has passed. It holds ids and words of the contract, and nothing of a person or a number. */
export interface Hop {
  readonly point: string
  /** Undefined where the opening has no id yet, or the point belongs to none. */
  readonly openingId?: string | undefined
  /** When what ends here began, by the world's monotonic clock; where it is left out, at the point before. */
  readonly sinceMs?: number
  /** What became of it: a status, a phase, a word. */
  readonly outcome?: string
  readonly reason?: string
  /** The opening had ended before, and a late report says how. */
  readonly isCorrection?: boolean
}

/** A channel of `node:diagnostics_channel`; its messages are of the type `Hop`. */
const hops = channel('callgate:opening')

/** Tells whoever listens that an opening has come to `point`. It costs next to nothing while nobody listens. */
export function passed(point: string, more?: Omit<Hop, 'point'>): void {
  if (hops.hasSubscribers) hops.publish({ point, ...more })
}

/** Calls `then` at each hop of this process, until the function that it answers is called. `then` must not throw. */
export function followHops(then: (hop: Hop) => void): () => void {
  const listener = (message: unknown) => then(message as Hop)
  subscribe(hops.name, listener)
  return () => void unsubscribe(hops.name, listener)
}
