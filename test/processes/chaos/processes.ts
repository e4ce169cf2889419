// The parts of a house as processes that can be killed, stopped and started again. They end with the test process.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { lifeline } from '../../../packages/demo/src/lifeline.ts'

export const top = new URL('../../../', import.meta.url).pathname

/** A time in which a process did nothing; milliseconds by the wall clock. */
export interface Absence {
  readonly how: 'killed' | 'ended' | 'stopped'
  readonly fromMs: number
  /** Infinity while the absence lasts. */
  readonly untilMs: number
}

export interface PartProcess {
  start(): void
  /** SIGKILL, or the signal that replaces it. */
  kill(): void
  /** SIGTERM: the process ends by itself. */
  end(): void
  /** SIGSTOP. */
  pause(): void
  /** SIGCONT. */
  resume(): void
  /** Resolves when the process has ended; at once when it does not run. */
  ended(): Promise<void>
  /** Starts it again where it has ended by itself, as a supervisor does. */
  revive(): void
  /** How long it had run each time that it ended by itself, in milliseconds. */
  lives(): readonly number[]
  /** When it was stopped, or killed and not started again, oldest first. */
  absences(): readonly Absence[]
}

export interface Program {
  readonly args: readonly string[]
  /**
   * The program; undefined: Node. A program other than Node does not know our lifeline, and survives when the test process is
   * killed.
   */
  readonly program?: string
  /** The user of the process; undefined: that of the test. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** The signal of `kill`; undefined: SIGKILL. */
  readonly killedBy?: NodeJS.Signals
}

/** Records when a process went away and came back. */
function absenceLog() {
  const absences: Absence[] = []
  const comeBack = () => {
    const last = absences.at(-1)
    if (last?.untilMs === Number.POSITIVE_INFINITY)
      absences[absences.length - 1] = { ...last, untilMs: Date.now() }
  }
  return {
    absences,
    comeBack,
    goAway(how: Absence['how']) {
      comeBack()
      absences.push({ how, fromMs: Date.now(), untilMs: Number.POSITIVE_INFINITY })
    },
  }
}

/** One part. Everything that it prints is appended to `logPath`. */
export function partProcess(
  given: Program & {
    readonly environment: Readonly<Record<string, string | undefined>>
    readonly logPath: string
  },
): PartProcess {
  const { killedBy = 'SIGKILL', program, user } = given
  const args = program === undefined ? ['--import', lifeline, ...given.args] : given.args
  let child: ChildProcess | undefined
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const signal = (name: NodeJS.Signals) => {
    if (isRunning()) child?.kill(name)
  }
  const { absences, comeBack, goAway } = absenceLog()
  const lives: number[] = []
  let wasTold = false
  function start(): void {
    comeBack()
    wasTold = false
    const startedMs = Date.now()
    const log = openSync(given.logPath, 'a', 0o600)
    // Its own session, as in the demo: Ctrl-C reaches only the command, which then ends the parts.
    child = spawn(program ?? process.execPath, args, {
      cwd: program === undefined ? top : '/',
      ...user,
      env: { ...given.environment },
      stdio: ['pipe', log, log],
      detached: true,
    })
    child.once('exit', () => {
      if (!wasTold) lives.push(Date.now() - startedMs)
    })
    child.stdin?.on('error', () => {})
    closeSync(log)
  }
  return {
    start,
    kill() {
      wasTold = true
      goAway('killed')
      signal(killedBy)
    },
    end() {
      wasTold = true
      goAway('ended')
      signal('SIGTERM')
    },
    pause() {
      goAway('stopped')
      signal('SIGSTOP')
    },
    resume() {
      signal('SIGCONT')
      comeBack()
    },
    revive() {
      if (!wasTold && !isRunning()) start()
    },
    lives: () => lives,
    absences: () => absences,
    async ended() {
      if (child && isRunning()) await once(child, 'exit')
    },
  }
}
