// A part of the benchmarks as a process of its own: its failure, its memory and what it leaves open stay with it.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Aim } from './aims.ts'

/** A part that needs longer hangs. */
const withinMs = 20 * 60_000

/** What the process of a part sends. */
export interface PartMessage {
  readonly aim: Aim
}

export function isPartMessage(message: unknown): message is PartMessage {
  return typeof message === 'object' && message !== null && 'aim' in message
}

/** Runs one part by the command of all parts; false where it fails, misses a limit or hangs. Its output goes to ours. */
export async function runApart(
  command: URL,
  part: string,
  onMessage: (message: unknown) => void,
): Promise<boolean> {
  // In a group of processes, so that what a part that hangs has started ends with it.
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
