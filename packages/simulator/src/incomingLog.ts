// Every call to the modem and its result.

import type { World } from '@callgate/world/world'

export type IncomingOutcome =
  | 'ringing'
  | 'answered'
  /** The last ones are ends; the first three calls never rang. */
  | 'unreachable'
  | 'busy'
  | 'refused'
  | 'hung_up'
  | 'gave_up'
  | 'power_lost'

export interface IncomingRecord {
  /** Negative; the calls that the modem dials have ids from 1. */
  readonly callId: number
  /** Monotonic milliseconds. */
  readonly atMs: number
  /** Empty when it is hidden. */
  readonly callerNumber: string
  readonly outcome: IncomingOutcome
}

export interface IncomingLog {
  /** Adds a call and returns its id. */
  begin(callerNumber: string): number
  /** Nothing after the end of a call is recorded. */
  note(callId: number, outcome: IncomingOutcome): void
  records(): readonly IncomingRecord[]
}

const maxRecords = 1000

export function createIncomingLog(world: World): IncomingLog {
  const records = new Map<number, IncomingRecord>()
  let count = 0
  return {
    begin(callerNumber) {
      count += 1
      records.delete(maxRecords - count)
      records.set(-count, { callId: -count, atMs: world.monotonicMs(), callerNumber, outcome: 'ringing' })
      return -count
    },
    note(callId, outcome) {
      const record = records.get(callId)
      if (record?.outcome === 'ringing' || record?.outcome === 'answered')
        records.set(callId, { ...record, outcome })
    },
    records: () => [...records.values()],
  }
}
