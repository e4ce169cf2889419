// The log in a file: every line on the wire and all that becomes of a call, written at once, to outlive a killed simulator.

import { openSync, writeSync } from 'node:fs'
import type { CallRecord } from './callLog.ts'
import type { WireLine } from './wireLog.ts'

/** One line of the file, as JSON. A call is written anew whenever something becomes of it. */
export type LogEntry =
  | { readonly kind: 'wire'; readonly line: WireLine }
  | { readonly kind: 'call'; readonly call: CallRecord }

export interface LogFile {
  add(entry: LogEntry): void
}

/** Appends to `path`, readable by its owner only, until the process ends. Throws where the file cannot be opened. */
export function openLogFile(path: string): LogFile {
  const file = openSync(path, 'a', 0o600)
  return { add: entry => void writeSync(file, `${JSON.stringify(entry)}\n`) }
}
