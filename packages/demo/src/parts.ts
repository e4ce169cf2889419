// The parts as processes: started with a log file, watched, restarted, and stopped in order.

import { type ChildProcess, spawn } from 'node:child_process'
import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stopwatchMs, until, wait } from './clock.ts'
import { endingOf, lastLines, runCommand, whyInLog } from './command.ts'
import { lifeline } from './lifeline.ts'
import { done, failed, messageOf, type Result } from './result.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What an exit code means, as the rest of a sentence that begins with the name of the part. */
type Final = Readonly<Record<number, string>>

export interface PartsOptions {
  /** The Node that runs them. */
  readonly node: string
  /** The top of the repository, where they run. */
  readonly top: string
  readonly logFolder: string
  readonly environment: Environment
  /** Aborted when no part may be started or awaited any more. */
  readonly over: AbortSignal
  /** Called once for each part that has ended by itself and is not restarted. */
  readonly onLost: (message: string) => void
  /** Called when a part has ended and the others continue: it will be restarted, or must not be. */
  readonly onNotice: (message: string) => void
  readonly patience?: RestartPatience
  /** After this time of waiting, the reason is printed. */
  readonly sayAfterMs?: number
}

export interface RestartPatience {
  /** The delays before successive restarts of a part that ended by itself. After the last one, the part is lost. */
  readonly afterMs: readonly number[]
  /** After running for this time, a part has all its restarts again. */
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

/** By then a person begins to wonder. */
const usualSayAfterMs = 5_000

/** How often a log is read while a fact in it is awaited. */
const readLogEveryMs = 40

export class RunningParts {
  readonly #options: PartsOptions
  readonly #patience: RestartPatience
  readonly #running = new Map<string, Running>()
  /** How often a part was restarted since it last stayed up, by name. */
  readonly #restarts = new Map<string, number>()
  #isKept = false

  constructor(options: PartsOptions) {
    this.#options = options
    this.#patience = options.patience ?? usualPatience
  }

  logPath(name: string): string {
    return join(this.#options.logFolder, `${name}.log`)
  }

  /** From now on, restarts parts that end by themselves, unless they do so too often. */
  keepAlive(): void {
    this.#isKept = true
  }

  /**
   * Starts a part that must run until it is stopped; its output goes to its log. `final` are the exit codes after which it must
   * not be restarted, with their meanings.
   */
  start(
    name: string,
    args: readonly string[],
    environment: Environment = {},
    final: Final = {},
  ): Promise<Result<void>> {
    return this.#launch({ name, args, environment, final }, 'w')
  }

  /** Waits for a line in a part's log in which `read` finds a fact. */
  async waitForLine<T>(
    name: string,
    read: (line: string) => T | undefined,
    withinMs: number,
  ): Promise<Result<T>> {
    const { over } = this.#options
    const fact = async () => {
      for (const line of (await this.#readLog(name)).split('\n')) {
        const found = read(line)
        if (found !== undefined) return found
      }
      return undefined
    }
    const found = await this.sayWhy(name, until(fact, { withinMs, everyMs: readLogEveryMs, signal: over }))
    if (found !== undefined) return done(found)
    if (over.aborted) return failed('stopped')
    const lines = lastLines(await this.#readLog(name))
    return failed(`The ${name} is not ready after ${withinMs / 1000} s. Its last lines:\n${lines}`)
  }

  /**
   * Returns the result of `awaited`. Where that takes long, it prints once which part it waits for, with the log line that says
   * why.
   */
  async sayWhy<T>(name: string, awaited: Promise<T>): Promise<T> {
    const { onNotice, over, sayAfterMs = usualSayAfterMs } = this.#options
    const here = new AbortController()
    const signal = AbortSignal.any([over, here.signal])
    const said = wait(sayAfterMs, signal).then(async () => {
      if (signal.aborted) return
      const why = whyInLog(await this.#readLog(name))
      onNotice(
        `Still waiting for the ${name}${why === undefined ? '' : `: ${why}`}. Its log: ${this.logPath(name)}`,
      )
    })
    try {
      return await awaited
    } finally {
      here.abort()
      await said
    }
  }

  /** Runs a command to its end and returns its output. */
  run(args: readonly string[], environment: Environment = {}): Promise<Result<string>> {
    const { environment: own, node, over, top } = this.#options
    return runCommand({ node, args, top, environment: { ...own, ...environment }, over })
  }

  /** Stops the running parts one by one in the order of `names`: SIGTERM, and SIGKILL after `graceMs`. */
  async stop(names: readonly string[], graceMs: number): Promise<void> {
    for (const name of names) {
      const part = this.#running.get(name)
      if (!part || part.child.exitCode !== null || part.child.signalCode !== null) continue
      part.stopping = true
      part.child.kill('SIGTERM')
      const grace = new AbortController()
      await Promise.race([part.ended, wait(graceMs, grace.signal)])
      grace.abort()
      // Has no effect on one that has ended.
      part.child.kill('SIGKILL')
      await part.ended
    }
  }

  #readLog(name: string): Promise<string> {
    return readFile(this.logPath(name), 'utf8').catch(() => '')
  }

  async #launch(program: Program, flags: 'w' | 'a'): Promise<Result<void>> {
    const { name } = program
    const log = await open(this.logPath(name), flags, 0o600).catch(messageOf)
    if (typeof log === 'string') return failed(`The log of the ${name} cannot be written: ${log}`)
    if (this.#options.over.aborted) {
      await log.close()
      return failed('stopped')
    }
    const child = this.#spawn(program, log.fd)
    const startedMs = stopwatchMs()
    child.stdin?.on('error', () => {})
    const ended = new Promise<void>(resolve => {
      child.once('error', error => {
        void this.#lose(name, `could not be started: ${messageOf(error)}`).finally(resolve)
      })
      child.once('exit', (code, signal) => {
        resolve()
        if (this.#running.get(name)?.stopping) return
        if (stopwatchMs() - startedMs >= this.#patience.settledMs) this.#restarts.delete(name)
        void this.#replace(program, code, endingOf(code, signal))
      })
    })
    this.#running.set(name, { child, ended, stopping: false })
    // After the listeners are set: otherwise the end of a short-lived part would be missed.
    await log.close()
    return done(undefined)
  }

  #spawn({ args, environment }: Program, logFd: number): ChildProcess {
    const { environment: own, node, top } = this.#options
    // Its own session: the terminal's Ctrl-C reaches only the demo, which then stops the parts in order.
    return spawn(node, ['--import', lifeline, ...args], {
      cwd: top,
      env: { ...own, ...environment },
      stdio: ['pipe', logFd, logFd],
      detached: true,
    })
  }

  /** Restarts a part that ended by itself, or reports that it is lost, or why it stays stopped. */
  async #replace(program: Program, code: number | null, how: string): Promise<void> {
    const { onLost, onNotice, over } = this.#options
    const { final, name } = program
    if (!this.#isKept) return this.#lose(name, how)
    const log = `Its log: ${this.logPath(name)}`
    const why = code === null ? undefined : final[code]
    if (why !== undefined) return onNotice(`The ${name} ${how}: ${why}. ${log}`)
    const restarts = this.#restarts.get(name) ?? 0
    const afterMs = this.#patience.afterMs[restarts]
    if (afterMs === undefined) return this.#lose(name, `${how}, soon after it had been started again`)
    this.#restarts.set(name, restarts + 1)
    onNotice(`The ${name} ${how}. It is started again in ${afterMs / 1000} s. ${log}`)
    await wait(afterMs, over)
    if (over.aborted) return
    const again = await this.#launch(program, 'a')
    if (!again.ok && !over.aborted) onLost(again.message)
  }

  async #lose(name: string, how: string): Promise<void> {
    const log = await this.#readLog(name)
    const shown = log.trim() === '' ? '' : ` Its last lines:\n${lastLines(log)}\n `
    this.#options.onLost(`The ${name} ${how}.${shown} Its log: ${this.logPath(name)}`)
  }
}
