// What the simulator wrote to its log: the lines on the wire, and each call with its relay.

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { CallRecord } from '@callgate/simulator/callLog'
import type { LogEntry } from '@callgate/simulator/logFile'

/** The log's length, bytes: what is written from now on begins there. */
export function logBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** The entries from a place in the file on, oldest first. A last line that is being written is left out. */
export function readSimulatorLog(path: string, fromByte: number): LogEntry[] {
  const bytes = Buffer.alloc(logBytes(path) - fromByte)
  const file = openSync(path, 'r')
  readSync(file, bytes, 0, bytes.length, fromByte)
  closeSync(file)
  const lines = bytes.toString('utf8').split('\n').slice(0, -1)
  return lines.map(line => JSON.parse(line) as LogEntry)
}

/** The last that was written of each call to a number. */
export function callsTo(entries: readonly LogEntry[], phoneNumber: string): CallRecord[] {
  const calls = new Map<string, CallRecord>()
  for (const entry of entries)
    if (entry.kind === 'call' && entry.call.phoneNumber === phoneNumber)
      calls.set(`${entry.call.callId}/${entry.call.atMs}`, entry.call)
  return [...calls.values()]
}

/** When each ATD to a number was read by the modem, wall clock milliseconds. */
export function dialsTo(entries: readonly LogEntry[], phoneNumber: string): number[] {
  return entries.flatMap(({ kind, ...entry }) => {
    if (kind !== 'wire' || !('line' in entry)) return []
    const { direction, text, wallMs } = entry.line
    return direction === 'toModem' && text.startsWith(`ATD${phoneNumber}`) ? [wallMs] : []
  })
}
