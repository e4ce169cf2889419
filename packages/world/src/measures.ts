// Counts of what a process has done, for the metrics, or for nobody.

import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel'

/** One thing that was done. It has a limited number of words, and nothing about a person, a gate or a Space. */
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
  /** A message to or from a gateway. `dropped`: it arrived, but was not handled. */
  | {
      readonly kind: 'message'
      readonly direction: 'sent' | 'received' | 'dropped'
      readonly type: string
    }
  /** An attempt to send a mail. `failed`: it will be retried. */
  | { readonly kind: 'mail'; readonly outcome: 'sent' | 'failed' | 'given_up' }
  /** The database has refused the data of a gateway's beats, which are lost. */
  | { readonly kind: 'refused_beats' }
  /** The data was found to lack committed changes, and was marked. */
  | { readonly kind: 'went_back' }
  /** A gateway has reported on a call that the data does not know as granted, and the report is kept. */
  | { readonly kind: 'stray_report' }

const measures = channel('callgate:measure')

/** Publishes what was done. It costs almost nothing while nobody listens. */
export function measured(measure: Measure): void {
  if (measures.hasSubscribers) measures.publish(measure)
}

/** Calls `then` at each measure of this process, until the returned function is called. `then` must not throw. */
export function followMeasures(then: (measure: Measure) => void): () => void {
  const listener = (message: unknown) => then(message as Measure)
  subscribe(measures.name, listener)
  return () => void unsubscribe(measures.name, listener)
}
