// The parts as processes of their own: started with a log file, watched, run to their end, stopped in order.

import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until, wait } from './clock.ts'
import { lifeline } from './lifeline.ts'
import { done, failed, messageOf, type Result } from './result.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface Parts {
  /** Starts a part that has to run until it is stopped; what it prints goes to its log. */
  start(name: string, args: readonly string[], environment?: Environment): Promise<Result<void>>
  /** From now on a part that ends by itself is started again, some times. */
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
  /** Told each time that a part which ended is about to be started again. */
  readonly onRestart: (message: string) => void
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<void>
  stopping: boolean
}

/** How long a part that ended stays away before it is started again, the first time and so on; then it is lost. */
const restartAfterMs = [500, 2_000, 5_000, 10_000, 20_000]

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
  const restartsOf = new Map<string, number>()
  let isKept = false
  const logPath = (name: string) => join(options.logFolder, `${name}.log`)
  const readLog = (name: string) => readFile(logPath(name), 'utf8').catch(() => '')

  async function lose(name: string, how: string) {
    const log = await readLog(name)
    const shown = log.trim() === '' ? '' : ` Its last lines:\n${lastLines(log)}\n `
    options.onLost(`The ${name} ${how}.${shown} Its log: ${logPath(name)}`)
  }

  async function launch(
    name: string,
    args: readonly string[],
    environment: Environment,
    flags: 'w' | 'a',
  ): Promise<Result<void>> {
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
    await log.close()
    child.stdin?.on('error', () => {})
    const ended = new Promise<void>(resolve => {
      child.once('error', error => {
        void lose(name, `could not be started: ${messageOf(error)}`).finally(resolve)
      })
      child.once('exit', (code, signal) => {
        resolve()
        if (!running.get(name)?.stopping) void replace(name, args, environment, endingOf(code, signal))
      })
    })
    running.set(name, { child, ended, stopping: false })
    return done(undefined)
  }

  /** Starts a part that ended by itself again, or says that it is lost. */
  async function replace(name: string, args: readonly string[], environment: Environment, how: string) {
    const restarts = restartsOf.get(name) ?? 0
    const afterMs = restartAfterMs[restarts]
    if (!isKept || afterMs === undefined) return lose(name, how)
    restartsOf.set(name, restarts + 1)
    options.onRestart(
      `The ${name} ${how}. It is started again in ${afterMs / 1000} s. Its log: ${logPath(name)}`,
    )
    await wait(afterMs, options.over)
    if (options.over.aborted) return
    const again = await launch(name, args, environment, 'a')
    if (!again.ok && !options.over.aborted) options.onLost(again.message)
  }

  return {
    logPath,

    keepAlive() {
      isKept = true
    },

    start: (name, args, environment = {}) => launch(name, args, environment, 'w'),

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
