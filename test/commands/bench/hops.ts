// The hops of one opening: the time from each point to the next.

import { readFile } from 'node:fs/promises'
import { percentile } from './figures.ts'

/** A point that was passed, or the bytes that a process had written to the disk by then. */
interface Noted {
  readonly atMs: number
  readonly point?: string
  readonly pid?: number
  readonly writtenBytes?: number
}

/** The work up to each point, in the order of one opening. ATD and word come from the simulator's wire log. */
const ways = [
  ['received', 'receive: the request is in the cloud'],
  ['admitted', 'auth: key, rate, scope'],
  ['pressed', 'press: permit, decision, row, commit'],
  ['hint', 'hint: on the broker to the gateway'],
  ['reserved', 'reserve: the modem'],
  ['claim', 'claim: signed, sent, verified'],
  ['granted', 'grant: permit, decision, commit'],
  ['grant', 'grant: signed, sent, verified'],
  ['intentKept', 'INTENT: written and synced'],
  ['dialled', 'ATD: on the serial line'],
  ['word', 'the call itself'],
  ['callEnded', 'word: read and judged'],
  ['report', 'report: signed, sent, verified'],
  ['ended', 'commit: report, end, events'],
  ['answered', 'answer: to the client'],
] as const

export interface Round {
  readonly startMs: number
  readonly dialledMs: number
  readonly wordMs: number
  readonly endMs: number
}

/** The records in `file`. */
export async function readNoted(file: string): Promise<readonly Noted[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
  return lines.map(line => JSON.parse(line) as Noted)
}

/** The rounds in three consecutive stretches. */
export function thirdsOf(rounds: readonly Round[]): readonly (readonly Round[])[] {
  const each = Math.floor(rounds.length / 3)
  return each < 2 ? [rounds] : [0, 1, 2].map(third => rounds.slice(third * each, (third + 1) * each))
}

/** The bytes that all processes wrote to the disk per round, including their other work meanwhile. */
export function writtenPerRound(noted: readonly Noted[], rounds: readonly Round[]): number {
  const sinceMs = rounds[0]?.startMs ?? 0
  // Counts are taken within 200 ms of a point of the round.
  const untilMs = (rounds.at(-1)?.endMs ?? 0) + 300
  let bytes = 0
  for (const pid of new Set(noted.flatMap(({ pid }) => pid ?? []))) {
    const counts = noted.filter(one => one.pid === pid && one.atMs >= sinceMs && one.atMs <= untilMs)
    bytes += (counts.at(-1)?.writtenBytes ?? 0) - (counts[0]?.writtenBytes ?? 0)
  }
  // The first count is taken within the first round.
  return bytes / (rounds.length - 1)
}

/** Lines with the median of each hop. */
export function hopLines(passed: readonly Noted[], rounds: readonly Round[]): string[] {
  const took = new Map<string, number[]>(ways.map(([point]) => [point, []]))
  for (const { dialledMs, endMs, startMs, wordMs } of rounds) {
    const seen = [
      ...passed.filter(({ atMs }) => atMs >= startMs && atMs <= endMs),
      { point: 'dialled', atMs: dialledMs },
      { point: 'word', atMs: wordMs },
      { point: 'answered', atMs: endMs },
    ]
    let beforeMs = startMs
    for (const [point] of ways) {
      const at = seen.find(one => one.point === point && one.atMs >= beforeMs)?.atMs
      if (at === undefined) continue
      took.get(point)?.push(at - beforeMs)
      beforeMs = at
    }
  }
  return ways.map(
    ([point, what]) =>
      `    ${what.padEnd(40)} ${percentile(took.get(point) ?? [], 0.5)
        .toFixed(2)
        .padStart(7)} ms`,
  )
}
