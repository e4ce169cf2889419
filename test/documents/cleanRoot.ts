// A clean Debian in a folder, started by systemd-nspawn, with the network of this machine.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fail } from '../commandLine.ts'

const mirror = 'http://deb.debian.org'
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
const limitMs = 900_000
/** After its first process is killed, systemd-nspawn mostly ends at once, but once stayed for minutes. */
const endsWithinMs = 10_000

export interface Ran {
  readonly status: number | null
  readonly output: string
}

export interface CleanRoot {
  /** Its folder on this machine. */
  readonly folder: string
  /** Runs a text in its shell as root. Questions are answered with yes. */
  run(text: string): Ran
  remove(): Promise<void>
}

const kept = join(tmpdir(), 'callgate-debian')

/** The folder with what debootstrap has made before; undefined where it has not. */
export function keptBase(release: string): string | undefined {
  const base = join(kept, release)
  return existsSync(base) ? base : undefined
}

/** The result of debootstrap is stored in the folder for temporary files, and copied for each walk. */
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
  for (let tried = 0; tried < 120 && container.exitCode === null; tried++) {
    await new Promise(resolve => setTimeout(resolve, 500))
    const leader = leaderOf(container)
    if (leader !== undefined && settled(leader)) return leader
  }
  return fail('systemd-nspawn does not start a system on this machine, and the steps need systemd.')
}

export function startCleanRoot(release: string): Promise<CleanRoot> {
  const base = baseOf(release)
  const folder = mkdtempSync(join(tmpdir(), `callgate-docs-${release}-`))
  execFileSync('cp', ['--archive', '--reflink=auto', `${base}/.`, folder])
  return startRoot(folder, () => rmSync(folder, { recursive: true, force: true }))
}

/** Starts the system in a folder. `forget` is called after its end. */
export async function startRoot(folder: string, forget: () => void): Promise<CleanRoot> {
  const container = spawn(
    'systemd-nspawn',
    ['--quiet', '--register=no', '--keep-unit', '--boot', '--resolv-conf=copy-host', '-D', folder],
    { stdio: 'ignore', env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' } },
  )
  const ended = new Promise(resolve => container.once('exit', resolve))
  const leader = await untilStarted(container)
  return {
    folder,
    run(text) {
      const { status, stdout } = spawnSync(
        'nsenter',
        ['-t', leader, '-a', 'env', '-i', 'HOME=/root', `PATH=${path}`, 'LANG=C.UTF-8', 'TERM=dumb'].concat([
          'bash',
          '-c',
          `exec 2>&1\n${text}`,
        ]),
        { encoding: 'utf8', input: 'y\n'.repeat(20), timeout: limitMs, maxBuffer: 64 << 20 },
      )
      return { status, output: stdout }
    },
    async remove() {
      // Without its first process, all others end as well.
      process.kill(Number(leader), 'SIGKILL')
      const late = setTimeout(() => container.kill('SIGKILL'), endsWithinMs)
      await ended
      clearTimeout(late)
      forget()
    },
  }
}
