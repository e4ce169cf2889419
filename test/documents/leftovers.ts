// What a walk has on this machine besides its own process: a bridge, namespaces, folders, and systems that run. Each is named by
// the process of its walk, so that it can be removed when that process has been killed.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The bridge of a walk. The names of its namespaces begin so, too. */
export const bridgeOf = (pid: number) => `walk${pid}`

const top = realpathSync(tmpdir())
/** With this the names of its folders begin. */
const startOf = (pid: number) => `callgate-walk-${pid}-`

/** Makes a folder of this walk. */
export const makeFolder = (name: string): string => mkdtempSync(join(top, `${startOf(process.pid)}${name}-`))

const ip = (...args: string[]) => spawnSync('ip', args, { encoding: 'utf8' })
const linesOf = (...args: string[]) => (ip(...args).stdout ?? '').split('\n')

const namespacesOf = (pid: number) =>
  linesOf('netns', 'list')
    .map(line => line.split(' ')[0] ?? '')
    .filter(name => name.startsWith(`${bridgeOf(pid)}-`))

const foldersOf = (pid: number) =>
  readdirSync(top)
    .filter(name => name.startsWith(startOf(pid)))
    .map(name => join(top, name))

interface Running {
  readonly pid: number
  readonly parent: number
  readonly words: readonly string[]
}

/** The processes of this machine, with those in containers. */
function processes(): readonly Running[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]
        const words = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
        return [{ pid: Number(name), parent: Number(parent), words }]
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}

/** What a walk has started: the processes below its own, and those below the systems in its folders. */
function startedBy(pid: number): readonly number[] {
  const all = processes()
  const isSystem = ({ words: [program = '', ...words] }: Running) =>
    program.endsWith('systemd-nspawn') && words.some(word => word.startsWith(join(top, startOf(pid))))
  const found = new Set(all.filter(one => one.parent === pid || isSystem(one)).map(one => one.pid))
  for (const parent of found) for (const one of all) if (one.parent === parent) found.add(one.pid)
  return [...found]
}

const endsWithinMs = 10_000

function isZombie(pid: number): boolean {
  try {
    return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return true
  }
}

/** Kills what the walk has started, and waits until it has ended, which frees folders and namespaces. */
function killStartedBy(pid: number): void {
  const nobody = new Int32Array(new SharedArrayBuffer(4))
  for (const untilMs = Date.now() + endsWithinMs; Date.now() < untilMs; Atomics.wait(nobody, 0, 0, 50)) {
    const alive = startedBy(pid).filter(one => {
      try {
        return process.kill(one, 'SIGKILL')
      } catch {
        return false
      }
    })
    if (alive.every(isZombie)) return
  }
}

/** Removes what the walk with this process has on the machine. */
function removeWalk(pid: number): void {
  killStartedBy(pid)
  for (const namespace of namespacesOf(pid)) ip('netns', 'delete', namespace)
  ip('link', 'delete', bridgeOf(pid))
  for (const folder of foldersOf(pid)) spawnSync('rm', ['-rf', '--one-file-system', folder])
}

/** The walks that have left something, by their processes. */
function walksThere(): readonly number[] {
  const names = [
    ...linesOf('-brief', 'link', 'show', 'type', 'bridge').map(line => /^walk(\d+)\s/.exec(line)?.[1]),
    ...linesOf('netns', 'list').map(line => /^walk(\d+)-/.exec(line)?.[1]),
    ...readdirSync(top).map(name => /^callgate-walk-(\d+)-/.exec(name)?.[1]),
  ]
  return [...new Set(names.flatMap(pid => (pid === undefined ? [] : [Number(pid)])))]
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Removes what killed walks have left. */
export function removeEarlierWalks(): void {
  for (const pid of walksThere()) if (pid !== process.pid && !isAlive(pid)) removeWalk(pid)
}

/** Has everything of this walk removed at the end of this process, however it ends; only SIGKILL leaves it to the next walk. */
export function removeAtEnd(): void {
  process.once('exit', () => removeWalk(process.pid))
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)
    process.once(signal, () => process.exit(code))
}
