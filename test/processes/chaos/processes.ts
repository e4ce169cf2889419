// The parts of a house as processes that can be killed, stopped and started again. They end with the test process.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { lifeline } from '../../../packages/demo/src/lifeline.ts'

export const top = new URL('../../../', import.meta.url).pathname

/** A time in which a process did nothing; wall clock, milliseconds. */
export interface Absence {
  readonly how: 'killed' | 'stopped'
  readonly fromMs: number
  /** Infinity while it lasts. */
  readonly untilMs: number
}

export interface PartProcess {
  start(): void
  /** SIGKILL. */
  kill(): void
  /** SIGSTOP. */
  pause(): void
  /** SIGCONT. */
  resume(): void
  /** Resolves when it has ended; at once when it does not run. */
  ended(): Promise<void>
  /** When it was stopped, or killed and not started again, oldest first. */
  absences(): readonly Absence[]
}

/** One part. All that it prints is appended to `logPath`. */
export function partProcess(given: {
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly logPath: string
}): PartProcess {
  let child: ChildProcess | undefined
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const signal = (name: NodeJS.Signals) => {
    if (isRunning()) child?.kill(name)
  }
  const absences: Absence[] = []
  const comeBack = () => {
    const last = absences.at(-1)
    if (last?.untilMs === Number.POSITIVE_INFINITY)
      absences[absences.length - 1] = { ...last, untilMs: Date.now() }
  }
  const goAway = (how: Absence['how']) => {
    comeBack()
    absences.push({ how, fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY })
  }
  return {
    start() {
      comeBack()
      const log = openSync(given.logPath, 'a', 0o600)
      // Its own session, as in the demo: Ctrl-C reaches only the command, which then ends the parts.
      child = spawn(process.execPath, ['--import', lifeline, ...given.args], {
        cwd: top,
        env: { ...given.environment },
        stdio: ['pipe', log, log],
        detached: true,
      })
      child.stdin?.on('error', () => {})
      closeSync(log)
    },
    kill() {
      goAway('killed')
      signal('SIGKILL')
    },
    pause() {
      goAway('stopped')
      signal('SIGSTOP')
    },
    resume() {
      signal('SIGCONT')
      comeBack()
    },
    absences: () => absences,
    async ended() {
      if (child && isRunning()) await once(child, 'exit')
    },
  }
}
