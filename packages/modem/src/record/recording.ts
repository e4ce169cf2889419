// A recording: the bytes between the driver and its modem with their times, for the last set-up and the last calls.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { CallVerdict, Evidence } from '@callgate/contract/call/verdict'

/**
 * `to`: written whole; `short`: written in part; `refused`: the port took nothing of it. `from`: the modem's bytes. `opened` and
 * `failed`: the port was opened, or could not be. `gone`: the port went away; `closed`: the driver closed it.
 */
export const wireEventKinds = [
  'to',
  'short',
  'refused',
  'from',
  'opened',
  'failed',
  'gone',
  'closed',
] as const
export type WireEventKind = (typeof wireEventKinds)[number]

export interface WireEvent {
  /** Milliseconds since the ATD of a call, or since the beginning of a set-up. Below 0 before the ATD. */
  readonly atMs: number
  readonly kind: WireEventKind
  /** The bytes, one character each (latin1). The reason where the kind is none of bytes. */
  readonly text: string
  /** The line of the file that it was read from. */
  readonly line?: number
}

/** A set-up of the modem by the driver. */
export interface RecordedSetUp {
  readonly events: readonly WireEvent[]
  /** What came later was left out, for want of room. */
  readonly isCut: boolean
}

export interface RecordedCall {
  /** When it began, by the wall clock; milliseconds since the Unix epoch. */
  readonly nowMs: number
  readonly phoneNumber: string
  readonly profile: CallProfile
  readonly verdict: CallVerdict
  readonly evidence: Evidence
  /** The set-up before it; null where it was not recorded. */
  readonly setUp: RecordedSetUp | null
  /** The last seconds without a call before the ATD. */
  readonly before: readonly WireEvent[]
  /** The ATD and what followed, to the verdict. */
  readonly events: readonly WireEvent[]
  /** What came later was left out, for want of room. */
  readonly isCut: boolean
  /** Whether the gate moved, where a person has seen it and written it down. */
  readonly hasMoved?: boolean
}

export interface Recording {
  /** The last set-up that succeeded. */
  readonly setUp: RecordedSetUp | null
  /** The last set-up, where it failed. */
  readonly failedSetUp: RecordedSetUp | null
  /** Oldest first. */
  readonly calls: readonly RecordedCall[]
}
