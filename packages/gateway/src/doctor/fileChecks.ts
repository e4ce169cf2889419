// Checks the gateway's own files: the data folder, leftovers in it, its disk, and who may read the files.

import { chmod, open, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { World } from '@callgate/world/world'
import { isForgetful } from '../forgetful.ts'
import { systemCode } from '../journalDisk.ts'
import { readYaml } from '../yamlFile.ts'
import { type Found, fail, ok, unknown, warn } from './check.ts'

const tryName = 'doctor.tmp'
/** Files that stay behind when the power fails while they are written. No program reads them again. */
const leftOvers = ['journal.new', tryName]

const mebibyte = 1024 * 1024
/** The journal and its reserve need 2 MiB; a system with less free space has other problems first. */
const leastFreeBytes = 20 * mebibyte
const fewFreeBytes = 200 * mebibyte
/** The time that a worn card takes for one small write. */
const slowMs = 500

const remedies: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space',
  EROFS: 'Mount it for writing; a card that has worn out becomes read-only: replace it',
  EACCES: "Give the folder to the daemon's user, or run doctor as that user or with sudo",
  EIO: 'The card fails: replace it',
}

/** The time until a small write survives a power cut, milliseconds. */
async function writeMs(world: World, folder: string): Promise<number> {
  const path = join(folder, tryName)
  const startMs = world.monotonicMs()
  const file = await open(path, 'w', 0o600)
  try {
    await file.appendFile('a line of the doctor\n')
    await file.sync()
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
  return world.monotonicMs() - startMs
}

/** Checks free space and a small synced write, and whether the data survives switching off the machine. */
export async function checkDisk(world: World, folder: string): Promise<Found> {
  try {
    const { bavail, bsize } = await statfs(folder)
    const free = bavail * bsize
    const size = `${Math.round(free / mebibyte)} MiB free in ${folder}`
    if (free < leastFreeBytes) return fail(size, 'Free some space: without it nothing is dialled')
    const tookMs = Math.round(await writeMs(world, folder))
    const told = `${size}; a synced write takes ${tookMs} ms`
    // Without its journal, a gateway cannot know what it dialled before a power cut.
    if (await isForgetful(folder))
      return warn(
        `${told}; what is there is forgotten when the machine is switched off, the journal too`,
        'Give it a partition of its own that stays writable, as the guide says',
      )
    if (tookMs > slowMs)
      return warn(told, 'The card is slow or wears out: each opening waits for one such write. Replace it')
    return free < fewFreeBytes ? warn(told, 'Free some space') : ok(told)
  } catch (error) {
    const code = systemCode(error) ?? String(error)
    if (code === 'ENOENT') return ok(`${folder} is made at the first start`)
    return fail(`${folder} cannot be written: ${code}`, remedies[code] ?? 'Look at the folder')
  }
}

/** Checks for files of earlier runs. Removes only files that no program reads, and only while no daemon runs. */
export async function checkLeftOvers(
  folder: string,
  { isDaemon, mayFix }: { readonly isDaemon: boolean; readonly mayFix: boolean },
): Promise<Found> {
  const names = await readdir(folder).catch((): string[] => [])
  const left = isDaemon ? [] : leftOvers.filter(name => names.includes(name))
  if (left.length > 0 && mayFix) {
    for (const name of left) await rm(join(folder, name), { force: true })
    return ok(`Removed ${left.join(' and ')}, left over from an earlier run`)
  }
  if (left.length > 0)
    return warn(`${left.join(' and ')} is left over from an earlier run`, 'Run doctor --fix')
  if (names.includes('journal.bad'))
    return warn(
      'A damaged journal was put aside as journal.bad: a card that fails, or a copy by hand',
      'Look at the disk; when all openings on the dashboard have ended, delete the file',
    )
  return ok('Nothing is left over from an earlier run')
}

/** The rights of other users. */
const othersMode = 0o007

/** Checks that other users cannot read files with a secret, nor the data folder. */
export async function checkRights(paths: readonly string[], mayFix: boolean): Promise<Found> {
  const [wide, fixed]: [string[], string[]] = [[], []]
  for (const path of paths) {
    const about = await stat(path).catch(() => undefined)
    if (!about || (about.mode & othersMode) === 0) continue
    if (mayFix) {
      try {
        await chmod(path, about.mode & 0o7770)
        fixed.push(path)
        continue
      } catch {
        // The file belongs to another user; the advice is given below.
      }
    }
    wide.push(path)
  }
  if (wide.length > 0)
    return fail(
      `Everybody on this machine may read ${wide.join(', ')}`,
      mayFix ? `sudo chmod o-rwx ${wide.join(' ')}` : 'Run doctor --fix',
    )
  return ok(
    fixed.length > 0
      ? `Took the rights of everybody off ${fixed.join(', ')}`
      : 'Only the owner and its group may read the secrets',
  )
}

/** The file of the private key, by a configuration that may otherwise be unusable. */
export function keyFileOf(configFile: string, text: string): string | undefined {
  const read = readYaml(text)
  const fields = read.ok && typeof read.value === 'object' && read.value !== null ? read.value : {}
  return 'privateKeyFile' in fields && typeof fields.privateKeyFile === 'string'
    ? resolve(dirname(resolve(configFile)), fields.privateKeyFile)
    : undefined
}

/** Checks the hardware watchdog by the kernel's information. */
export async function checkWatchdog(readText: (path: string) => Promise<string | undefined>): Promise<Found> {
  const state = (await readText('/sys/class/watchdog/watchdog0/state'))?.trim()
  if (state === undefined) return unknown('This machine has none that the kernel knows')
  return state === 'active'
    ? ok('The hardware watchdog restarts the machine when it hangs')
    : warn(
        'The hardware watchdog is off',
        'Set RuntimeWatchdogSec=15 in /etc/systemd/system.conf.d/watchdog.conf, and reboot',
      )
}
