// The log in a file: lines on the wire, calls, and violations by the driver. Each line is written at once, so that it
// survives a kill.

import { openSync, writeSync } from 'node:fs'
import type { CallRecord } from './callLog.ts'
import type { Violation } from './parts.ts'
import type { WireLine } from './wireLog.ts'

/** One line of the file, as JSON. A call is written again at each change. */
export type LogEntry =
  | { readonly kind: 'wire'; readonly line: WireLine }
  | { readonly kind: 'call'; readonly call: CallRecord }
  | { readonly kind: 'violation'; readonly violation: Violation }

export interface LogFile {
  add(entry: LogEntry): void
}

/** Appends to `path`, readable by its owner only, until the process ends. Throws where the file cannot be opened. */
export function openLogFile(path: string): LogFile {
  const file = openSync(path, 'a', 0o600)
  return { add: entry => void writeSync(file, `${JSON.stringify(entry)}\n`) }
}
