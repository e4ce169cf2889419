// The command `pnpm hunt`: looks for unknown failures with new seeds, for the given time.

import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { fail, readOptions } from '../../commandLine.ts'
import { nextTurn } from './schedule.ts'
import { searches } from './searches.ts'

const names = searches.map(({ name }) => name).join(', ')
const help = `Usage: pnpm hunt [--minutes <number>] [--only <name>]

Looks for what no test looks for yet: new seeds of the simulation, generated requests, random sequences, points of chaos, calls
and bytes. Two portions run at a time, each in a process of its own, and the searches share the time. A finding is printed
at once, with the command that replays it.

  --minutes <number>  how long to look (60); no portion begins that would end later
  --only <name>       only this search; may be repeated: ${names}
  --help              prints this

Exit codes: 0 nothing was found; 1 something was, or the command line is wrong.
`
const workers = 2
const shownLines = 30

const options = readOptions(help, {
  minutes: { type: 'string', default: '60' },
  only: { type: 'string', multiple: true, default: [] },
})
const minutes = Number(options.minutes)
if (!(minutes > 0 && minutes <= 10_000)) fail('--minutes must be a number above 0, at most 10000.')
const unknown = options.only.find(only => !searches.some(({ name }) => name === only))
if (unknown !== undefined) fail(`--only must be one of ${names}, not ${unknown}.`)

const turns = searches
  .filter(({ name }) => options.only.length === 0 || options.only.includes(name))
  .map(search => ({ ...search, usedMs: 0, lastMs: 0, portions: 0, findings: 0 }))
type Running = (typeof turns)[number]

const say = (text: string) => void process.stdout.write(`${text}\n`)
const startMs = performance.now()
const endMs = startMs + minutes * 60_000

/** Runs a process to its end; returns its output and its exit code. */
function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return new Promise<{ code: number | null; output: string }>(resolve => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-100_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', error => resolve({ code: null, output: error.message }))
    child.once('close', code => resolve({ code, output }))
  })
}

async function runPortion(turn: Running): Promise<void> {
  const { args, environment, replay } = turn.portion(randomInt(1, 100_000_000))
  const beganMs = performance.now()
  const { code, output } = await run(args, environment)
  turn.lastMs = performance.now() - beganMs
  turn.usedMs += turn.lastMs
  turn.portions++
  if (code === 0) return
  turn.findings++
  const shown = output.trimEnd().split('\n').slice(-shownLines).join('\n  ')
  say(`FOUND by ${turn.name} (exit code ${code})\n  ${shown}\n  Replay: ${replay}`)
}

async function work(): Promise<void> {
  for (;;) {
    const turn = nextTurn(turns, endMs - performance.now())
    if (!turn) return
    // Counted at once, so that the other worker takes another search.
    turn.usedMs += 1
    await runPortion(turn)
    const minute = ((performance.now() - startMs) / 60_000).toFixed(1)
    say(`${minute} min: ${turns.map(({ name, portions }) => `${name} ${portions}`).join(', ')}`)
  }
}

await Promise.all(Array.from({ length: workers }, work))
const findings = turns.reduce((sum, turn) => sum + turn.findings, 0)
say(`${findings} findings in ${turns.reduce((sum, turn) => sum + turn.portions, 0)} portions`)
if (findings > 0) process.exitCode = 1
