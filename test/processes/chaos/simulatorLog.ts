// Reads the simulator's log: lines on the serial wire, calls with their relays, and violations of the driver.

import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type { CallRecord } from '@callgate/simulator/callLog'
import type { LogEntry } from '@callgate/simulator/logFile'

/** The length of the log, bytes. */
export function logBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** The entries from a place in the file on, oldest first, without an incomplete last line. */
export function readSimulatorLog(path: string, fromByte: number): LogEntry[] {
  const bytes = Buffer.alloc(logBytes(path) - fromByte)
  const file = openSync(path, 'r')
  readSync(file, bytes, 0, bytes.length, fromByte)
  closeSync(file)
  const lines = bytes.toString('utf8').split('\n').slice(0, -1)
  return lines.map(line => JSON.parse(line) as LogEntry)
}

/** The latest entry of each call to a number. */
export function callsTo(entries: readonly LogEntry[], phoneNumber: string): CallRecord[] {
  const calls = new Map<string, CallRecord>()
  for (const entry of entries)
    if (entry.kind === 'call' && entry.call.phoneNumber === phoneNumber)
      calls.set(`${entry.call.callId}/${entry.call.atMs}`, entry.call)
  return [...calls.values()]
}

/** An ATD that the modem read, and its call. */
export interface Dial {
  /** Milliseconds by the wall clock. */
  readonly atMs: number
  /** The dialled number. */
  readonly phoneNumber: string
  readonly relayFired: boolean
  /** Milliseconds by the wall clock; Infinity where no end of a call was logged, undefined where no call was. */
  readonly endedAtMs?: number
}

/** Every ATD to any number, in order. Its call is logged after it, unless the simulator was killed before. */
export function dialsOf(entries: readonly LogEntry[]): Dial[] {
  const dials: Dial[] = []
  const placeOfCall = new Map<string, number>()
  for (const entry of entries) {
    if (entry.kind === 'wire') {
      const { direction, text, wallMs } = entry.line
      const [, phoneNumber] = /ATD([^;IG]*)/i.exec(text) ?? []
      if (direction === 'toModem' && phoneNumber !== undefined)
        dials.push({ atMs: wallMs, phoneNumber, relayFired: false })
    } else if (entry.kind === 'call') {
      const { atMs, callId, endedAtMs = Number.POSITIVE_INFINITY, phoneNumber, relayFired } = entry.call
      const name = `${callId}/${atMs}`
      const place = placeOfCall.get(name) ?? dials.findLastIndex(dial => dial.phoneNumber === phoneNumber)
      placeOfCall.set(name, place)
      const dial = dials[place]
      if (dial) dials[place] = { ...dial, relayFired, endedAtMs: dial.atMs + endedAtMs - atMs }
    }
  }
  return dials
}

export const dialsTo = (dials: readonly Dial[], phoneNumber: string) =>
  dials.filter(dial => dial.phoneNumber === phoneNumber)

/** The violations of the gateway's driver, such as `byte_during_dial (ATHX)`. */
export function violationsIn(entries: readonly LogEntry[]): string[] {
  return entries.flatMap(entry =>
    entry.kind === 'violation' ? [`${entry.violation.violation} (${entry.violation.text.trim()})`] : [],
  )
}
