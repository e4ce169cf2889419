// Every ATD that the modem read, with what really happened and what the modem reported.

import type { World } from '@callgate/world/world'

export type CallOutcome =
  | 'dialling'
  | 'ringing'
  | 'answered'
  /** All but the first are ends. A `refused` call never left the modem. */
  | 'refused'
  | 'aborted'
  | 'rejected'
  | 'released'
  | 'network_ended'
  | 'hung_up'
  | 'power_lost'

export interface CallRecord {
  readonly callId: number
  /** When the ATD had been read, in monotonic milliseconds. */
  readonly atMs: number
  readonly phoneNumber: string
  readonly atdText: string
  readonly outcome: CallOutcome
  /** The modem's answer to a refused ATD. */
  readonly why?: string
  readonly endedAtMs?: number
  /** The gate's relay was operated for this call. */
  readonly relayFired: boolean
}

export interface CallLog {
  begin(call: Pick<CallRecord, 'callId' | 'phoneNumber' | 'atdText'>): void
  /** Nothing after the end of a call is recorded: the first end counts. */
  note(callId: number, outcome: CallOutcome, why?: string): void
  relayFired(callId: number): void
  records(): readonly CallRecord[]
}

const running: readonly CallOutcome[] = ['dialling', 'ringing', 'answered']
const maxRecords = 10_000

/** `onChange` is called for each call when it begins and at each change. */
export function createCallLog(world: World, onChange: (call: CallRecord) => void = () => {}): CallLog {
  const records = new Map<number, CallRecord>()
  function put(record: CallRecord): void {
    records.set(record.callId, record)
    onChange(record)
  }
  return {
    begin(call) {
      if (records.size >= maxRecords)
        for (const oldest of [...records.keys()].slice(0, 1000)) records.delete(oldest)
      put({ ...call, atMs: world.monotonicMs(), outcome: 'dialling', relayFired: false })
    },
    note(callId, outcome, why) {
      const record = records.get(callId)
      if (!record || !running.includes(record.outcome)) return
      const ended = running.includes(outcome) ? {} : { endedAtMs: world.monotonicMs() }
      put({ ...record, ...ended, ...(why === undefined ? {} : { why }), outcome })
    },
    relayFired(callId) {
      const record = records.get(callId)
      if (record) put({ ...record, relayFired: true })
    },
    records: () => [...records.values()],
  }
}
