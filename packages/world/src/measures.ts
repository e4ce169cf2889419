// What a process has done, for whoever counts it: the metrics, or nobody.

import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'

/** One thing that was done. It holds words of bounded number, and nothing of a person, a gate or a Space. */
export type Measure =
  /** An HTTP request whose answer is out. `route` is the pattern of the route, `none` without one. */
  | {
      readonly kind: 'request'
      readonly method: string
      readonly route: string
      readonly status: number
      readonly durationMs: number
    }
  /** A write transaction. `waitedMs` is the time until its work began. */
  | {
      readonly kind: 'write'
      readonly outcome: 'committed' | 'rolled_back' | 'busy'
      readonly waitedMs: number
      readonly durationMs: number
    }
  /** A message to or from a gateway. `dropped`: it came, and was not worked on. */
  | {
      readonly kind: 'message'
      readonly direction: 'sent' | 'received' | 'dropped'
      readonly type: string
    }
  /** An attempt to send a mail. `failed`: it is tried again. */
  | { readonly kind: 'mail'; readonly outcome: 'sent' | 'failed' | 'given_up' }
  /** The database has refused what the beats of a gateway have said: it is lost. */
  | { readonly kind: 'refused_beats' }
  /** The data was found to lack what had been committed, and was marked. */
  | { readonly kind: 'went_back' }
  /** A gateway has reported on a call that the data does not know as granted, and the report is kept. */
  | { readonly kind: 'stray_report' }

const measures = channel('callgate:measure')

/** Tells whoever listens what was done. It costs next to nothing while nobody listens. */
export function measured(measure: Measure): void {
  if (measures.hasSubscribers) measures.publish(measure)
}

/** Calls `then` at each measure of this process, until the function that it answers is called. `then` must not throw. */
export function followMeasures(then: (measure: Measure) => void): () => void {
  const listener = (message: unknown) => then(message as Measure)
  subscribe(measures.name, listener)
  return () => void unsubscribe(measures.name, listener)
}
