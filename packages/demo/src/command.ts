// Commands that run to their end: what one printed, or how it failed, in words for a person.

import { spawn } from 'node:child_process'
import { parseJson, text } from './json.ts'
import { done, failed, messageOf, type Result } from './result.ts'

const lastLineCount = 12
/** How much of a command's output is kept, in characters. */
const maxPrinted = 65_536

/** The last lines of a log, indented. */
export function lastLines(log: string, count = lastLineCount): string {
  const lines = log.trimEnd().split('\n').slice(-count)
  return lines.map(line => `    ${line.slice(0, 400)}`).join('\n')
}

/** The last warning or error in a log of JSON lines, without its end mark; else its last line. Undefined of an empty one. */
export function whyInLog(log: string): string | undefined {
  const lines = log.trimEnd().split('\n')
  const isBad = (line: string) => /"level":"(warn|error|fatal)"/.test(line)
  const line = lines.findLast(isBad) ?? lines.at(-1) ?? ''
  const said = text(parseJson(line), 'msg') ?? line
  return said.trim() === '' ? undefined : said.trim().slice(0, 400).replace(/\.$/, '')
}

/** How a process ended, as the end of a sentence. */
export function endingOf(code: number | null, signal: string | null): string {
  return code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
}

/** Runs Node with `args` in the folder `top` and answers what it prints. It is ended when `over` is aborted. */
export function runCommand(command: {
  readonly node: string
  readonly args: readonly string[]
  readonly top: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly over: AbortSignal
}): Promise<Result<string>> {
  const { args, environment, node, over, top } = command
  return new Promise(resolve => {
    const child = spawn(node, [...args], {
      cwd: top,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: over,
    })
    let printed = ''
    let complained = ''
    child.stdout.on('data', chunk => {
      printed = `${printed}${chunk}`.slice(-maxPrinted)
    })
    child.stderr.on('data', chunk => {
      complained = `${complained}${chunk}`.slice(-maxPrinted)
    })
    child.once('error', error => resolve(failed(messageOf(error))))
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(done(printed))
      const shown = lastLines(`${printed}\n${complained}`.trim())
      resolve(failed(`This command ${endingOf(code, signal)}: node ${args.join(' ')}\n${shown}`))
    })
  })
}
