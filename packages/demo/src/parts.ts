// The parts as processes of their own: started with a log file, watched, run to their end, stopped in order.

import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stopwatchMs, until, wait } from './clock.ts'
import { lifeline } from './lifeline.ts'
import { done, failed, messageOf, type Result } from './result.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What an exit code says, as the rest of a sentence that begins with its part. */
type Final = Readonly<Record<number, string>>

export interface Parts {
  /**
   * Starts a part that has to run until it is stopped; what it prints goes to its log. `final` are the exit codes after
   * which it must not be started again, and what each means.
   */
  start(
    name: string,
    args: readonly string[],
    environment?: Environment,
    final?: Final,
  ): Promise<Result<void>>
  /** From now on a part that ends by itself is started again, unless it does so too often. */
  keepAlive(): void
  /** Waits for a line in a part's log from which `read` takes a fact. */
  heard<T>(name: string, read: (line: string) => T | undefined, withinMs: number): Promise<Result<T>>
  /** Runs a command to its end and gives what it prints. */
  run(args: readonly string[], environment?: Environment): Promise<Result<string>>
  /** Stops what runs, one after the other in the order of `names`: SIGTERM, and SIGKILL after `graceMs`. */
  stop(names: readonly string[], graceMs: number): Promise<void>
  logPath(name: string): string
}

export interface PartsOptions {
  /** The Node that runs them. */
  readonly node: string
  /** The top of the repository, where they run. */
  readonly top: string
  readonly logFolder: string
  readonly environment: Environment
  /** Comes when nothing more is to be started or awaited. */
  readonly over: AbortSignal
  /** Told once for each part that ends without having been stopped, and is not started again. */
  readonly onLost: (message: string) => void
  /** Told of a part that ended while the others go on: it is about to be started again, or must not be. */
  readonly onNotice: (message: string) => void
  readonly patience?: RestartPatience
}

export interface RestartPatience {
  /** How long a part that ended stays away before it is started again, the first time and so on; then it is lost. */
  readonly afterMs: readonly number[]
  /** A part that has stayed up for so long begins anew with these. */
  readonly settledMs: number
}

interface Program {
  readonly name: string
  readonly args: readonly string[]
  readonly environment: Environment
  readonly final: Final
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<void>
  stopping: boolean
}

const usualPatience: RestartPatience = { afterMs: [500, 2_000, 5_000, 10_000, 20_000], settledMs: 60_000 }

const lastLineCount = 12
/** How much is kept of what a command prints, in characters. */
const maxPrinted = 65_536

/** The last lines of a log, indented. */
export function lastLines(log: string, count = lastLineCount): string {
  const lines = log.trimEnd().split('\n').slice(-count)
  return lines.map(line => `    ${line.slice(0, 400)}`).join('\n')
}

/** How a process ended, as the end of a sentence. */
function endingOf(code: number | null, signal: string | null): string {
  return code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
}

export function createParts(options: PartsOptions): Parts {
  const running = new Map<string, Running>()
  /** Since a part last stayed up. */
  const restartsOf = new Map<string, number>()
  const { afterMs: pauses, settledMs } = options.patience ?? usualPatience
  let isKept = false
  const logPath = (name: string) => join(options.logFolder, `${name}.log`)
  const readLog = (name: string) => readFile(logPath(name), 'utf8').catch(() => '')

  async function lose(name: string, how: string) {
    const log = await readLog(name)
    const shown = log.trim() === '' ? '' : ` Its last lines:\n${lastLines(log)}\n `
    options.onLost(`The ${name} ${how}.${shown} Its log: ${logPath(name)}`)
  }

  async function launch(program: Program, flags: 'w' | 'a'): Promise<Result<void>> {
    const { args, environment, name } = program
    const log = await open(logPath(name), flags, 0o600).catch(messageOf)
    if (typeof log === 'string') return failed(`The log of the ${name} cannot be written: ${log}`)
    if (options.over.aborted) {
      await log.close()
      return failed('stopped')
    }
    // A session of its own: the terminal's Ctrl-C reaches the demo alone, which then stops the parts in order.
    const child = spawn(options.node, ['--import', lifeline, ...args], {
      cwd: options.top,
      env: { ...options.environment, ...environment },
      stdio: ['pipe', log.fd, log.fd],
      detached: true,
    })
    const startedMs = stopwatchMs()
    await log.close()
    child.stdin?.on('error', () => {})
    const ended = new Promise<void>(resolve => {
      child.once('error', error => {
        void lose(name, `could not be started: ${messageOf(error)}`).finally(resolve)
      })
      child.once('exit', (code, signal) => {
        resolve()
        if (running.get(name)?.stopping) return
        if (stopwatchMs() - startedMs >= settledMs) restartsOf.delete(name)
        void replace(program, code, endingOf(code, signal))
      })
    })
    running.set(name, { child, ended, stopping: false })
    return done(undefined)
  }

  /** Starts a part that ended by itself again, or says that it is lost, or why it stays away. */
  async function replace(program: Program, code: number | null, how: string) {
    const { final, name } = program
    const restarts = restartsOf.get(name) ?? 0
    const afterMs = pauses[restarts]
    if (!isKept) return lose(name, how)
    const told = `Its log: ${logPath(name)}`
    const why = code === null ? undefined : final[code]
    if (why !== undefined) return options.onNotice(`The ${name} ${how}: ${why}. ${told}`)
    if (afterMs === undefined) return lose(name, `${how}, soon after it had been started again`)
    restartsOf.set(name, restarts + 1)
    options.onNotice(`The ${name} ${how}. It is started again in ${afterMs / 1000} s. ${told}`)
    await wait(afterMs, options.over)
    if (options.over.aborted) return
    const again = await launch(program, 'a')
    if (!again.ok && !options.over.aborted) options.onLost(again.message)
  }

  return {
    logPath,

    keepAlive() {
      isKept = true
    },

    start: (name, args, environment = {}, final = {}) => launch({ name, args, environment, final }, 'w'),

    async heard(name, read, withinMs) {
      const fact = async () => {
        for (const line of (await readLog(name)).split('\n')) {
          const found = read(line)
          if (found !== undefined) return found
        }
        return undefined
      }
      const found = await until(fact, { withinMs, everyMs: 40, signal: options.over })
      if (found !== undefined) return done(found)
      if (options.over.aborted) return failed('stopped')
      const lines = lastLines(await readLog(name))
      return failed(`The ${name} is not ready after ${withinMs / 1000} s. Its last lines:\n${lines}`)
    },

    run: (args, environment = {}) =>
      new Promise(resolve => {
        const child = spawn(options.node, [...args], {
          cwd: options.top,
          env: { ...options.environment, ...environment },
          stdio: ['ignore', 'pipe', 'pipe'],
          signal: options.over,
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
      }),

    async stop(names, graceMs) {
      for (const name of names) {
        const part = running.get(name)
        if (!part || part.child.exitCode !== null || part.child.signalCode !== null) continue
        part.stopping = true
        part.child.kill('SIGTERM')
        const grace = new AbortController()
        await Promise.race([part.ended, wait(graceMs, grace.signal)])
        grace.abort()
        // Of no effect on one that has ended.
        part.child.kill('SIGKILL')
        await part.ended
      }
    },
  }
}
