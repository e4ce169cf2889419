// Waits for a moment of an opening: by messages, the simulator's log, the row, the journal, or the HTTP answer.

import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { text } from '../../../packages/demo/src/json.ts'
import type { ChaosGate } from './furnish.ts'
import type { Message } from './layout.ts'
import type { Moment } from './points.ts'
import type { RealHouse } from './realHouse.ts'
import { isEnded, type Row } from './records.ts'
import { callsTo, readSimulatorLog } from './simulatorLog.ts'

/** The press whose moment is awaited. */
export interface Watched {
  readonly house: RealHouse
  readonly gate: ChaosGate
  /** A time before the press, in milliseconds by the wall clock. */
  readonly sinceMs: number
  /** The length of the simulator's log before the press. */
  readonly fromByte: number
  readonly answered: () => boolean
}

function isRowThere(row: Row | undefined, when: 'accepted' | 'granted' | 'connected' | 'ended'): boolean {
  if (!row || when === 'accepted') return row !== undefined
  if (when === 'granted') return row.grantedAt !== null
  return isEnded(row) || (when === 'connected' && row.status === 'connected')
}

/** Entries of the journal. A report is stored in the form in which it is sent: JSON in JSON in JSON. */
const journalled = { intent: /"kind":"intent"/, verdict: /"kind":"report".*phase\W+ended/ } as const

/** Whether a moment that is not a message has come. */
async function hasCome(
  when: Moment,
  { answered, fromByte, gate, house, sinceMs }: Watched,
): Promise<boolean> {
  if ('answered' in when) return answered()
  if ('unpressedMs' in when) return true
  const [row] = 'row' in when || 'journal' in when ? await house.records.rowsOf(gate.id, sinceMs) : []
  if ('row' in when) return isRowThere(row, when.row)
  if ('journal' in when) {
    if (!row || !existsSync(house.journal)) return false
    const lines = readFileSync(house.journal, 'utf8').split('\n')
    return lines.some(line => journalled[when.journal].test(line) && line.includes(row.id))
  }
  const entries = readSimulatorLog(house.simulatorLog, fromByte)
  const calls = callsTo(entries, gate.phoneNumber)
  if ('call' in when)
    return calls.some(call => {
      if (when.call === 'relay') return call.relayFired
      return when.call === 'end' ? call.endedAtMs !== undefined : call.outcome === 'ringing'
    })
  if (!('wire' in when)) return false
  const dialled = entries.findIndex(
    entry => entry.kind === 'wire' && entry.line.text.startsWith(`ATD${gate.phoneNumber}`),
  )
  return (
    dialled >= 0 &&
    entries
      .slice(dialled)
      .some(
        entry =>
          entry.kind === 'wire' && entry.line.direction === when.wire && when.line.test(entry.line.text),
      )
  )
}

/** How long after the hint of a press its commit comes at the latest, in milliseconds. */
const committedWithinMs = 1_000

/** The gate of an opening. On Postgres the first hint, and even a claim, may come before the press is committed. */
async function recordedGate(records: RealHouse['records'], openingId: string): Promise<string | undefined> {
  const endMs = performance.now() + committedWithinMs
  for (;;) {
    const gateId = await records.gateOf(openingId)
    if (gateId !== undefined || performance.now() > endMs) return gateId
    await pause(5)
  }
}

/** Whether a message belongs to the press, and to the phase. An ack has the phase `ended` after the opening has ended. */
async function isMeant(
  { body, kind, openingId }: Message,
  phase: string | undefined,
  { gate, house: { records } }: Watched,
): Promise<boolean> {
  if (openingId === undefined || (await recordedGate(records, openingId)) !== gate.id) return false
  if (phase === undefined) return true
  return kind === 'ack' ? records.hasEnded(openingId) : text(body, 'phase') === phase
}

/**
 * Calls `strike` once, when the moment comes. For a moment before a message, the message is held until `strike` resolves.
 * For a moment after a message, `strike` comes up to 10 ms after it. `forget` stops waiting.
 */
export function atMoment(when: Moment, watched: Watched, strike: () => Promise<void>) {
  const { house } = watched
  let isOver = false
  let tell: (hit: boolean) => void = () => {}
  const hit = new Promise<boolean>(resolve => {
    tell = resolve
  })
  const strikeOnce = async () => {
    if (isOver) return
    isOver = true
    tell(true)
    await strike()
  }
  if ('message' in when)
    house.watch(async message => {
      if (isOver || message.kind !== when.message) return
      if (!(await isMeant(message, when.phase, watched))) return
      if (when.side === 'before') await strikeOnce()
      else void pause(Math.random() * 10).then(strikeOnce)
    })
  else
    void (async () => {
      while (!isOver) {
        if (await hasCome(when, watched)) await strikeOnce()
        else await pause(1)
      }
    })()
  return {
    hit,
    forget() {
      house.watch(undefined)
      isOver = true
      tell(false)
    },
  }
}
