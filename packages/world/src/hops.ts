// The points that an opening passes, for measurements: metrics, traces, the benchmark, or none.

import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'

/** One point that an opening has passed. It contains ids and words of the contract, and nothing about a person or a number. */
export interface Hop {
  readonly point: string
  /** Undefined where the opening has no id yet, or the point belongs to none. */
  readonly openingId?: string | undefined
  /** When the part that ends here began, by the world's monotonic clock; by default at the previous point. */
  readonly sinceMs?: number
  /** The result: a status, a phase, a word. */
  readonly outcome?: string
  readonly reason?: string
  /** The opening had ended before, and a late report corrects how. */
  readonly isCorrection?: boolean
  /** The opening is of a sandbox: nobody is called for it. */
  readonly isPlayed?: boolean
}

/** A channel of `node:diagnostics_channel`; its messages are of the type `Hop`. */
const hops = channel('callgate:opening')

/** Publishes that an opening has reached `point`. It costs almost nothing while nobody listens. */
export function passed(point: string, more?: Omit<Hop, 'point'>): void {
  if (hops.hasSubscribers) hops.publish({ point, ...more })
}

/** Calls `then` at each hop of this process, until the returned function is called. `then` must not throw. */
export function followHops(then: (hop: Hop) => void): () => void {
  const listener = (message: unknown) => then(message as Hop)
  subscribe(hops.name, listener)
  return () => void unsubscribe(hops.name, listener)
}
