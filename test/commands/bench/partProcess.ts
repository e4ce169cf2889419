// A part of the benchmarks as a process of its own, which isolates its failure, its memory and its open handles.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Aim } from './aims.ts'

/** A part that needs longer hangs. */
const withinMs = 20 * 60_000

/** The messages of a part's process. */
export interface PartMessage {
  readonly aim: Aim
}

export function isPartMessage(message: unknown): message is PartMessage {
  return typeof message === 'object' && message !== null && 'aim' in message
}

/** Runs one part by the command of all parts; false where it fails, misses a limit or hangs. Its output is passed on. */
export async function runApart(
  command: URL,
  part: string,
  onMessage: (message: unknown) => void,
): Promise<boolean> {
  // In a group of processes, so that processes started by a hanging part end with it.
  const child = fork(fileURLToPath(command), [part], { detached: true, execArgv: ['--import', 'tsx'] })
  const end = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  const interrupt = () => {
    end()
    process.exit(130)
  }
  child.on('message', onMessage)
  process.once('SIGINT', interrupt)
  const timer = setTimeout(() => {
    process.stdout.write(`  FAILED: ${part} was not done after ${withinMs / 60_000} minutes\n`)
    end()
  }, withinMs)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code === 0
  } finally {
    clearTimeout(timer)
    process.removeListener('SIGINT', interrupt)
    end()
  }
}
