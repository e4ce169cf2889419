// The command `update`: installs a release by hand, and is what systemd runs before each start of the daemon and after a power cut.

import { execFile } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ReleaseArchitecture } from '@callgate/contract/release/release'
import type { World } from '@callgate/world/world'
import { cloudUrlFault } from '../enrol/enrolmentCalls.ts'
import { systemCode } from '../journalDisk.ts'
import { journalVersion } from '../journalLines.ts'
import { askHealth, askRest } from '../local/askDaemon.ts'
import { lock } from '../lock.ts'
import { version } from '../version.ts'
import { fetchRelease, newestRelease } from './fetchRelease.ts'
import { readReleaseKeys } from './releaseFile.ts'
import { type DaemonUnit, type Updated, UpdateRun } from './updateRun.ts'
import { VersionStore } from './versionStore.ts'

/** Where a package keeps the versions, and where its launcher looks. */
export const usualStore = '/var/lib/callgate-updates'
/** What the package installs. */
export const usualPackage = '/usr/lib/callgate-gateway'

export interface UpdateOptions {
  readonly beforeStart?: boolean
  readonly ca?: string
  readonly carryOn?: boolean
  readonly cloud?: string
  readonly dataFolder: string
  readonly package: string
  readonly store: string
  readonly onOverlay?: boolean
}

export interface UpdateGiven {
  readonly world: World
  readonly print: (text: string) => void
  /** As Node names it: x64, arm64, arm. */
  readonly architecture: string
  readonly isRoot: boolean
}

const architectures: Readonly<Record<string, ReleaseArchitecture>> = {
  x64: 'amd64',
  arm64: 'arm64',
  arm: 'armhf',
}

const run = promisify(execFile)
const unitName = 'callgate-gateway.service'
/** Stopping takes 25 s at most, and the new start a minute until it is ready. */
const restartWithinMs = 180_000
const askWithinMs = 10_000

const systemdUnit: DaemonUnit = {
  async follow() {
    const unit = 'callgate-gateway-update.service'
    await run('systemctl', ['start', '--no-block', unit], { timeout: askWithinMs }).catch(() => {})
  },
  async restart() {
    // That it fails shows in the health of the daemon.
    await run('systemctl', ['restart', unitName], { timeout: restartWithinMs }).catch(() => {})
  },
  async isGivenUp() {
    const said = await run('systemctl', ['show', '--property=ActiveState', '--value', unitName]).catch(
      () => undefined,
    )
    return said !== undefined && /^(failed|inactive)$/.test(said.stdout.trim())
  },
}

/** What `update` knows of the journal; the manifest of a release says the same of that release. */
const journal = { reads: journalVersion, writes: journalVersion }

const fetchedName = (version: string) => `fetched-${version}`
const refused = (text: string): Updated => ({ outcome: 'refused', text })

interface Fetching extends Pick<UpdateGiven, 'print' | 'world' | 'architecture'> {
  readonly update: UpdateRun
  readonly folder: string
}

/** Removes what was fetched of any version but this one: nobody goes on with it, and the card is small. */
async function forgetOthers(folder: string, kept: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(fetchedName('')) && name !== kept) await rm(join(folder, name), { force: true })
}

/** Installs the newest release that the cloud offers for this machine. */
async function fromCloud(
  { architecture, folder, print, update, world }: Fetching,
  cloudUrl: string,
  caFile: string | undefined,
): Promise<Updated> {
  const fault = cloudUrlFault(cloudUrl)
  if (fault !== undefined) return refused(fault)
  const source = { cloudUrl, ca: caFile === undefined ? undefined : await readFile(caFile, 'utf8') }
  const version = await update.running()
  const found = await newestRelease(source, { version, architecture })
  if (!found.ok) return refused(found.message)
  const { release } = found
  if (!release) {
    print(`Version ${version} runs, and the cloud offers none that is newer.`)
    return { outcome: 'nothing_to_do' }
  }
  const name = fetchedName(release.version)
  await forgetOthers(folder, name)
  const path = join(folder, name)
  const there = (await stat(path).catch(() => undefined))?.size ?? 0
  print(
    `Version ${release.version}: ${((release.bytes - there) / 1_000_000).toFixed(1)} MB are to be fetched.`,
  )
  const fetched = await fetchRelease(world, source, release, path, () => update.judge(path))
  if (!fetched.ok && fetched.mayGoOn) return refused(fetched.message)
  try {
    return fetched.ok ? await update.install(path) : refused(fetched.message)
  } finally {
    await rm(path, { force: true })
  }
}

async function carryOut(
  { architecture, isRoot, print, world }: UpdateGiven,
  file: string | undefined,
  options: UpdateOptions,
): Promise<Updated> {
  const store = new VersionStore(options.store)
  const own = architectures[architecture] ?? architecture
  const update = new UpdateRun({
    world,
    print,
    store,
    unit: systemdUnit,
    isRoot,
    packaged: { folder: options.package, version, journal, architecture: own },
    keys: await readReleaseKeys(join(options.package, 'release-keys')),
    daemon: {
      health: () => askHealth(world, options.dataFolder),
      rest: () => askRest(world, options.dataFolder),
    },
  })
  if (options.beforeStart) {
    await update.beforeStart()
    return { outcome: 'nothing_to_do' }
  }
  // It may run beside the update that it follows: whatever ends the trial, both see it.
  if (options.carryOn) return update.carryOn()
  const locked = await lock([`update ${options.store}`])
  if (!locked.ok) return refused('another update runs: wait until it has ended')
  const { ca, cloud } = options
  if (file === undefined && cloud === undefined)
    return refused('name the file of a release, or the cloud: --cloud https://gates.example.com')
  if (!options.onOverlay && (await store.isForgetful()))
    return refused(
      `${options.store} is forgotten when the machine is switched off: it wants a partition of its own, as the guide says`,
    )
  if (file !== undefined || cloud === undefined) return update.install(file ?? '')
  return fromCloud({ print, world, update, architecture: own, folder: options.store }, cloud, ca)
}

/** What the system does not allow, for a person. */
function failed(error: unknown): Updated {
  const code = systemCode(error)
  if (code === undefined || !(error instanceof Error)) throw error
  const isRight = code === 'EACCES' || code === 'EPERM'
  return refused(isRight ? `this is for root: put sudo before it (${error.message})` : error.message)
}

/** The answer is whether all is well; what happened is printed. */
export async function updateCommand(
  given: UpdateGiven,
  file: string | undefined,
  options: UpdateOptions,
): Promise<boolean> {
  const updated = await carryOut(given, file, options).catch(failed)
  if (updated.outcome === 'nothing_to_do') return true
  const words = { installed: 'Installed', refused: 'Not installed', taken_back: 'Taken back' }
  given.print(`${words[updated.outcome]}: ${updated.text}.`)
  return updated.outcome === 'installed'
}
