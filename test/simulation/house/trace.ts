// The results of a simulation's log: how often each fault had an effect, and the trace, one event per line.

import type { FakeWorld, LogLine } from '@callgate/world/fake'
import type { GatewaySide } from './gatewaySide.ts'
import type { House } from './house.ts'

/** The faults that had an effect, by a line of the log. */
const metIn = ({ fields: { met } }: LogLine): readonly string[] => (Array.isArray(met) ? met : [])

export function faultsIn({ lines }: FakeWorld): Record<string, number> {
  const times: Record<string, number> = {}
  for (const line of lines) for (const fault of metIn(line)) times[fault] = (times[fault] ?? 0) + 1
  return times
}

/** A line of the trace. Of lines of one millisecond, the lowest `rank` comes first. */
interface TraceLine {
  readonly atMs: number
  readonly rank: number
  readonly text: string
}

/** A word or a JSON message unchanged, anything else as JSON. */
const shown = (value: unknown) =>
  typeof value === 'string' && /^(?:[!-~]+|\{[ -~]+)$/.test(value) ? value : JSON.stringify(value)

function traceLine(line: LogLine): TraceLine {
  const { met: _, who, ...fields } = line.fields
  const met = metIn(line)
  const more = Object.entries(fields).map(([key, value]) => `${key}=${shown(value)}`)
  const marks = met.length > 0 ? [`[${met.join(', ')}]`] : []
  const text = [String(who ?? '').padEnd(10), line.message, ...marks, ...more].join(' ')
  return { atMs: line.atMs, rank: 1, text }
}

/** The output of a modem comes before its consequences. What a modem reads, and everything after that, comes after its cause. */
function modemLines({ simulator }: GatewaySide, place: number): TraceLine[] {
  let readAtMs = -1
  return simulator.wireLog().map(({ atMs, direction, text }) => {
    if (direction === 'toModem') readAtMs = atMs
    const arrow = direction === 'toModem' ? '<' : '>'
    const rank = readAtMs === atMs ? 2 : 0
    return { atMs, rank, text: `modem ${place + 1}    ${arrow} ${JSON.stringify(text)}` }
  })
}

export function storyOf({ gateways, world }: House): string[] {
  const lines = [...world.lines.map(traceLine), ...gateways.flatMap(modemLines)]
  return lines
    .sort((a, b) => a.atMs - b.atMs || a.rank - b.rank)
    .map(({ atMs, text }) => `${String(Math.floor(atMs)).padStart(7)} ${text}`)
}
