// The exchanges of a recording: each command with what answered it, and the lines that came by themselves.

import { cleanLine, readLine } from '@callgate/modem/core/lines'
import type { WireEvent } from '@callgate/modem/record/recording'

export interface TimedLine {
  /** Since the ATD, or since the set-up began. */
  readonly atMs: number
  /** Without its end. */
  readonly text: string
}

export interface Exchange {
  readonly atMs: number
  /** As it was written, with its end. */
  readonly command: string
  /** Empty: nothing answered. */
  readonly lines: readonly TimedLine[]
}

export interface Exchanges {
  readonly asked: readonly Exchange[]
  readonly unasked: readonly TimedLine[]
}

/** The name of a command's information: `+CLCC` of `AT+CLCC`. */
const nameOf = (command: string) => /^\x1b?AT([+^*&]?[A-Z]*)/i.exec(command)?.[1]?.toUpperCase() ?? ''

/** Lines that end an answer. A token of a call may be the end of another one. */
const isFinal = (text: string) => ['ok', 'error'].includes(readLine(text).kind)

function isOfAnswer(command: string, text: string): boolean {
  const name = nameOf(command)
  const { kind } = readLine(text)
  if (kind === 'urc') return /^[+^*]/.test(name) && text.toUpperCase().startsWith(name)
  return kind !== 'empty'
}

/** The lines of the modem, each with the time at which it was whole. */
function* linesOf(events: readonly WireEvent[]): Generator<TimedLine | WireEvent> {
  let begun = ''
  for (const event of events) {
    if (event.kind !== 'from') {
      yield event
      continue
    }
    const lines = (begun + event.text).split('\n')
    begun = lines.pop() ?? ''
    for (const line of lines) yield { atMs: event.atMs, text: cleanLine(line) }
  }
}

/** Takes the events apart. What comes between a command and its end, and is not its information, came by itself. */
export function exchangesOf(events: readonly WireEvent[]): Exchanges {
  const asked: { atMs: number; command: string; lines: TimedLine[] }[] = []
  const unasked: TimedLine[] = []
  let isOpen = false
  for (const one of linesOf(events)) {
    if ('kind' in one) {
      if (one.kind !== 'to') continue
      asked.push({ atMs: one.atMs, command: one.text, lines: [] })
      isOpen = true
      continue
    }
    const open = isOpen ? asked.at(-1) : undefined
    if (open && isOfAnswer(open.command, one.text)) open.lines.push(one)
    else if (one.text !== '') unasked.push(one)
    if (isFinal(one.text)) isOpen = false
  }
  return { asked, unasked }
}
