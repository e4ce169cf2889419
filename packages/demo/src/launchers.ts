// Finds the launchers that started the demo (npx, pnpm and tsx), and watches them until one ends.

import { readFile } from 'node:fs/promises'
import { until } from './clock.ts'

export interface ProcessFacts {
  readonly parent: number
  /** Its program's short name, as `ps` shows it. */
  readonly name: string
  readonly commandLine: string
  /** A later process with the same id has another value. */
  readonly startedAt: string
}

export type ReadProcess = (pid: number) => Promise<ProcessFacts | undefined>

/** The data of /proc on a process (proc(5)); undefined when it has ended, or the system has no /proc. */
export const readProcess: ReadProcess = async pid => {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
  const [status, commandLine] = await Promise.all([read('stat'), read('cmdline')])
  const [, name = '', rest = ''] = /^\d+ \(([\s\S]*)\) (.*)/.exec(status) ?? []
  const fields = rest.split(' ')
  const [state, parent] = fields
  if (!parent || state === 'Z' || state === 'X') return undefined
  return {
    parent: Number(parent),
    name,
    commandLine: commandLine.replaceAll('\0', ' '),
    startedAt: fields[19] ?? '',
  }
}

const isShell = ({ name }: ProcessFacts) => /^(ba|da|z|k|fi|a)?sh$/.test(name)
const isLauncher = ({ commandLine }: ProcessFacts) => /\b(npx|npm|pnpm|tsx)\b/.test(commandLine)
const mostLaunchers = 16

export interface Launcher {
  readonly pid: number
  readonly startedAt: string
}

/**
 * The launchers from `pid` upwards. The shells between them are left out: a shell that started the demo in the background
 * may end.
 */
export async function launchersFrom(pid: number, read: ReadProcess): Promise<readonly Launcher[]> {
  const launchers: Launcher[] = []
  let next = pid
  for (let count = 0; count < mostLaunchers; count++) {
    const found = await read(next)
    if (!found || !(isShell(found) || isLauncher(found))) break
    if (!isShell(found)) launchers.push({ pid: next, startedAt: found.startedAt })
    next = found.parent
  }
  return launchers
}

/**
 * Resolves when one of the launchers has ended. A terminal sends Ctrl-C to all of them, but a signal to npx alone ends only npx
 * and a shell. Without this watch the demo would continue, and nothing would stop it.
 */
export async function oneEnds(
  launchers: readonly Launcher[],
  read: ReadProcess,
  signal: AbortSignal,
): Promise<void> {
  const isGone = async ({ pid, startedAt }: Launcher) => (await read(pid))?.startedAt !== startedAt
  const anyGone = async () => (await Promise.all(launchers.map(isGone))).includes(true) || undefined
  await until(anyGone, { withinMs: Number.POSITIVE_INFINITY, everyMs: 1_000, signal })
}
