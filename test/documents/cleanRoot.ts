// A clean Debian in a folder, started by systemd-nspawn with its systemd.

import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { fail } from '../commandLine.ts'
import { makeFolder } from './leftovers.ts'

const mirror = 'http://deb.debian.org'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const limitMs = 900_000
/** After its first process is killed, systemd-nspawn mostly ends at once, but once stayed for minutes. */
const endsWithinMs = 10_000

/** The releases of Debian by their numbers. */
export const releases: Readonly<Record<string, string>> = { 12: 'bookworm', 13: 'trixie' }

export interface Ran {
  readonly status: number | null
  readonly output: string
}

export interface CleanRoot {
  /** Its folder on this machine. */
  readonly folder: string
  /** Runs a text in its shell as root, with these lines as the standard input. */
  run(text: string, input?: string): Promise<Ran>
  remove(): Promise<void>
}

const kept = join(tmpdir(), 'callgate-debian')

/** The folder with what debootstrap has made before; undefined where it has not. */
export function keptBase(release: string): string | undefined {
  const base = join(kept, release)
  return existsSync(base) ? base : undefined
}

/** The result of debootstrap is stored in the folder for temporary files, and copied for each machine. */
function baseOf(release: string): string {
  const base = join(kept, release)
  if (existsSync(base)) return base
  mkdirSync(kept, { recursive: true })
  const made = mkdtempSync(`${base}-`)
  execFileSync(
    'debootstrap',
    ['--include=ca-certificates,dbus,systemd-sysv', release, made, `${mirror}/debian`],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  writeFileSync(
    join(made, 'etc/apt/sources.list'),
    [
      `deb ${mirror}/debian ${release} main`,
      `deb ${mirror}/debian ${release}-updates main`,
      `deb ${mirror}/debian-security ${release}-security main`,
      '',
    ].join('\n'),
  )
  execFileSync('chmod', ['755', made])
  execFileSync('chroot', [made, 'apt-get', 'update', '--quiet=2'], { stdio: ['ignore', 'ignore', 'inherit'] })
  renameSync(made, base)
  return base
}

/** Copies the clean Debian of a release to a new folder. */
export function copyDebian(release: string): string {
  const base = baseOf(release)
  const folder = makeFolder(release)
  execFileSync('cp', ['--archive', '--reflink=auto', `${base}/.`, folder])
  return folder
}

/** The first process of the container, by its id on this machine. */
function leaderOf(container: ChildProcess): string | undefined {
  try {
    const children = (pid: string | number | undefined) =>
      readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return children(container.pid).find(pid => readFileSync(`/proc/${pid}/comm`, 'utf8') === 'systemd\n')
  } catch {
    return undefined
  }
}

const settled = (pid: string) => {
  const { stdout } = spawnSync('nsenter', ['-t', pid, '-a', 'systemctl', 'is-system-running'], {
    encoding: 'utf8',
  })
  return /^(running|degraded)/.test(stdout ?? '')
}

async function untilStarted(container: ChildProcess): Promise<string> {
  for (let tried = 0; tried < 240 && container.exitCode === null; tried++) {
    await new Promise(resolve => setTimeout(resolve, 500))
    const leader = leaderOf(container)
    if (leader !== undefined && settled(leader)) return leader
  }
  return fail('systemd-nspawn does not start a system on this machine, and the steps need systemd.')
}

export interface Surrounding {
  /** Its network namespace. */
  readonly namespace: string
  readonly hostname: string
  /** Folders of this machine that it sees, as FROM:TO. */
  readonly binds: readonly string[]
}

/** The network of this machine, which a system shares that has no other. */
const shared = ['--resolv-conf=copy-host']

const placed = ({ binds, hostname, namespace }: Surrounding) => [
  '--resolv-conf=off',
  `--hostname=${hostname}`,
  `--network-namespace-path=/run/netns/${namespace}`,
  ...binds.map(bind => `--bind=${bind}`),
]

/** Starts the system in a folder, with a place in a network or in that of this machine. `forget` is called after its end. */
export async function startRoot(
  folder: string,
  forget: () => unknown,
  around?: Surrounding,
): Promise<CleanRoot> {
  const machine = `--machine=${basename(folder).replaceAll(/[^a-zA-Z0-9]/g, '-')}`
  const more = around === undefined ? shared : placed(around)
  const container = spawn(
    'systemd-nspawn',
    ['--quiet', '--register=no', '--keep-unit', '--boot', machine, ...more, '-D', folder],
    { stdio: 'ignore', env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' } },
  )
  const ended = new Promise(resolve => container.once('exit', resolve))
  const leader = await untilStarted(container)
  return {
    folder,
    run(text, input = '') {
      const command = ['-t', leader, '-a', 'env', '-i', 'HOME=/root', `PATH=${path}`, 'LANG=C.UTF-8']
      const child = spawn('nsenter', [...command, 'TERM=dumb', 'bash', '-c', `exec 2>&1\n${text}`], {
        stdio: ['pipe', 'pipe', 'inherit'],
        timeout: limitMs,
      })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', chunk => {
        output += chunk
      })
      // A command that ends before it has read its input is no fault.
      child.stdin.on('error', () => {}).end(input)
      return new Promise(resolve => child.once('close', status => resolve({ status, output })))
    },
    async remove() {
      // Without its first process, all others end as well.
      process.kill(Number(leader), 'SIGKILL')
      const late = setTimeout(() => container.kill('SIGKILL'), endsWithinMs)
      await ended
      clearTimeout(late)
      await forget()
    },
  }
}

/** Starts the system in a folder of `copyDebian`, which is removed after its end. */
export const startCleanRoot = (folder: string, around: Surrounding): Promise<CleanRoot> =>
  startRoot(folder, () => promisify(execFile)('rm', ['-rf', '--one-file-system', folder]), around)
