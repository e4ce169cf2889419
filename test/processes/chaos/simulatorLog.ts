// What the simulator wrote to its log: lines on the wire, each call with its relay, and what the driver must never do.

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

/** An ATD that the modem has read, and what its call did. */
export interface Dial {
  /** Wall clock, milliseconds. */
  readonly atMs: number
  /** As it was dialled. */
  readonly phoneNumber: string
  readonly relayFired: boolean
  /** Wall clock, milliseconds; Infinity where no end of a call was logged, undefined where no call was. */
  readonly endedAtMs?: number
}

/** Every ATD, to whatever number, in order. The call of one is logged after it; a killed simulator may not have come to it. */
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

/** What the gateway wrote to the modem and must never write, as `byte_during_dial (ATHX)`. */
export function violationsIn(entries: readonly LogEntry[]): string[] {
  return entries.flatMap(entry =>
    entry.kind === 'violation' ? [`${entry.violation.violation} (${entry.violation.text.trim()})`] : [],
  )
}
