// `callgate-gateway modem`: a prompt at which a person sends commands to the modem and sees its unsolicited lines.

import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { consoleLines, readConsoleLine } from '@callgate/modem/core/consoleLine'
import type { World } from '@callgate/world/world'
import type { AtAnswer } from '../local/localMessages.ts'
import type { ModemAccess } from './modemAccess.ts'

export interface ConsoleTerminal {
  readonly world: World
  readonly input: Readable
  readonly output: Writable
  /** True where a person types; false where the input is a file or a pipe. */
  readonly isTerminal: boolean
}

const mostLetters = 200
const prompt = 'modem> '

/** The list of commands, in rows of a terminal's width. */
function rowsOf(lines: readonly string[]): string {
  const rows: string[] = []
  for (const line of lines) {
    const last = rows.at(-1)
    if (last === undefined || last.length + line.length > 98) rows.push(`  ${line}`)
    else rows[rows.length - 1] = `${last}  ${line}`
  }
  return rows.join('\n')
}

const isRange = (line: string) => line.endsWith('=?')

const help = [
  'Ask the modem what it is and how it is; nothing here calls or changes it. These are the commands:',
  rowsOf(consoleLines.filter(line => !isRange(line))),
  'Those with ? also with =? in its place, which lists what can be set; but not AT+COPS=?',
  'help shows this, quit or Ctrl-D ends. The arrow up brings back what was typed.',
].join('\n')

/** The lines of a stream. A line without an end is returned in parts, so that it cannot fill the memory. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let waiting = ''
  let isCut = false
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${waiting}${chunk}`.split('\n')
    waiting = lines.pop() ?? ''
    for (const line of lines) {
      if (!isCut) yield line
      isCut = false
    }
    if (waiting.length <= mostLetters) continue
    if (!isCut) yield waiting.slice(0, mostLetters + 1)
    isCut = true
    waiting = ''
  }
  if (waiting !== '' && !isCut) yield waiting
}

/** The local time of day to the millisecond. */
function timeOf(world: World): string {
  const now = new Date(world.nowMs())
  return `${now.toTimeString().slice(0, 8)}.${String(now.getMilliseconds()).padStart(3, '0')}`
}

/** The lines that are shown for an answer. An error is shown in the modem's own words. */
function answerText({ lines, result, why }: AtAnswer): readonly string[] {
  if (why === null) return [...lines, 'OK']
  if (result === 'error') return [...lines, why]
  const sentence = why.replace(/\.?$/, '.')
  return [...lines, result === 'refused' ? `Not sent: ${sentence}` : sentence]
}

/** Sends what was typed. A command that the console never sends is refused here. */
async function answerTo(typed: string, access: ModemAccess): Promise<AtAnswer> {
  if (typed.length > mostLetters)
    return { result: 'refused', lines: [], why: 'No command is as long as this' }
  const read = readConsoleLine(typed)
  return read.ok ? access.ask(read.command.text) : { result: 'refused', lines: [], why: read.why }
}

/** Serves the person until the end of the input, or until `quit`. */
export async function serveConsole(
  { input, isTerminal, output, world }: ConsoleTerminal,
  access: ModemAccess,
): Promise<void> {
  const reader = isTerminal ? createInterface({ input, output, prompt, terminal: true }) : undefined
  const show = (text: string) => void output.write(`${text}\n`)
  access.listen(text => {
    // The text that is being typed stays, below the line that came.
    if (isTerminal) output.write('\r\x1b[K')
    show(`${timeOf(world)}  unasked: ${text}`)
    reader?.prompt(true)
  })
  reader?.prompt()
  for await (const line of reader ?? linesOf(input)) {
    const typed = line.trim()
    if (/^(?:quit|exit)$/i.test(typed)) break
    if (/^(?:help|\?)$/i.test(typed)) show(help)
    else if (typed !== '') {
      if (!isTerminal) show(`${prompt}${typed.slice(0, mostLetters).replace(/[^\x20-\x7e]/g, '?')}`)
      for (const text of answerText(await answerTo(line, access))) show(`${timeOf(world)}  ${text}`)
    }
    reader?.prompt()
  }
  reader?.close()
}
