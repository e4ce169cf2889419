// The command `update`: installs a release by hand; systemd also runs it before each start of the daemon and after a power cut.

import { execFile } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { compareVersions } from '@callgate/contract/releaseWords'
import { trusted } from '@callgate/world/machineTrust'
import { version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import { cloudUrlFault } from '../cloudAddress.ts'
import { fault, fetchesWith } from '../core/updateDecision.ts'
import { trialOf } from '../core/updatePlan.ts'
import { isForgetful } from '../forgetful.ts'
import { systemCode } from '../journalDisk.ts'
import { journalVersion } from '../journalLines.ts'
import { askHealth, askPause } from '../local/askDaemon.ts'
import { lock, sayLockFault } from '../lock.ts'
import { fetchRelease, offeredRelease, type Source } from './fetchRelease.ts'
import { machineArchitecture } from './machineArchitecture.ts'
import { readReleaseKeys } from './releaseFile.ts'
import { onTrial, refused, refusedHere, type Updated } from './updated.ts'
import { type DaemonUnit, UpdateRun } from './updateRun.ts'
import { lockOfUpdates, VersionStore } from './versionStore.ts'
import { showCarryingOut, takeWish, type Wish } from './wish.ts'

/** Where a package keeps the versions, and where its launcher expects them. */
export const usualStore = '/var/lib/callgate-updates'
/** The folder that the package installs. */
export const usualPackage = '/usr/lib/callgate-gateway'

export interface UpdateOptions {
  readonly beforeStart?: boolean
  readonly ca?: string
  readonly carryOn?: boolean
  readonly cloud?: string
  readonly dataFolder: string
  /** The daemon has left a wish. */
  readonly offered?: boolean
  readonly package: string
  readonly store: string
  readonly onOverlay?: boolean
}

export interface UpdateGiven {
  readonly world: World
  readonly print: (text: string) => void
  /** Node's name: x64, arm64, arm. */
  readonly architecture: string
  readonly isRoot: boolean
}

const run = promisify(execFile)
const unitName = 'callgate-gateway.service'
/** A stop takes 25 s at most, and the daemon needs up to a minute until it is ready. */
const restartWithinMs = 180_000
const askWithinMs = 10_000

const systemdUnit: DaemonUnit = {
  async follow() {
    const unit = 'callgate-gateway-update.service'
    await run('systemctl', ['start', '--no-block', unit], { timeout: askWithinMs }).catch(() => {})
  },
  async restart() {
    // A failure shows in the health of the daemon.
    await run('systemctl', ['restart', unitName], { timeout: restartWithinMs }).catch(() => {})
  },
  async isGivenUp() {
    const said = await run('systemctl', ['show', '--property=ActiveState', '--value', unitName]).catch(
      () => undefined,
    )
    return said !== undefined && /^(failed|inactive)$/.test(said.stdout.trim())
  },
}

/** The journal versions of `update` itself; the manifest of a release states those of that release. */
const journal = { reads: journalVersion, writes: journalVersion }

const fetchedName = (version: string) => `fetched-${version}`

/** Why an update cannot begin. Where it can, no other update of these versions begins until this program ends. */
async function notAlone({ folder }: VersionStore): Promise<Updated | undefined> {
  const locked = await lock([lockOfUpdates(folder)])
  if (locked.ok) return undefined
  if (locked.code === 'held') return refusedHere('another update runs: wait until it has ended')
  return refusedHere(
    locked.code === 'EACCES' || locked.code === 'EPERM'
      ? 'this is for root: put sudo before it'
      : `it cannot be known whether another update runs: ${sayLockFault(locked)}`,
  )
}

/** Why nothing can be installed on a disk that loses its data. */
const forgetfulFault = async (store: VersionStore, onOverlay = false) =>
  !onOverlay && (await isForgetful(store.folder))
    ? refused(
        fault(
          'disk_forgets',
          `${store.folder} is forgotten when the machine is switched off: it wants a partition of its own, as the guide says`,
        ),
      )
    : undefined

interface Fetching extends Pick<UpdateGiven, 'print' | 'world' | 'architecture'> {
  readonly update: UpdateRun
  readonly store: VersionStore
}

/** Removes the fetched parts of other versions: no program continues them, and the card is small. */
async function forgetOthers(folder: string, kept: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(fetchedName('')) && name !== kept) await rm(join(folder, name), { force: true })
}

/** Installs the newest release that the cloud offers for this machine, or the wanted one. */
async function fromCloud(
  { architecture, print, store, update, world }: Fetching,
  source: Source,
  wanted?: { readonly version: string; readonly sha256: string },
): Promise<Updated> {
  const wrongUrl = cloudUrlFault(source.cloudUrl)
  if (wrongUrl !== undefined) return refused(fault('not_fetched', wrongUrl))
  const version = await update.running()
  const found = await offeredRelease(source, { version, architecture }, wanted?.version)
  if (!found.ok) return refused(found.fault)
  const { release } = found
  if (!release) {
    print(`Version ${version} runs, and the cloud offers none that is newer.`)
    return { outcome: 'nothing_to_do' }
  }
  const name = fetchedName(release.version)
  await forgetOthers(store.folder, name)
  const path = join(store.folder, name)
  const there = (await stat(path).catch(() => undefined))?.size ?? 0
  if (wanted) {
    const fetches = fetchesWith(await store.fetches(), world.nowMs())
    if (!fetches)
      return refused(
        fault(
          'fetched_too_often',
          'six fetches for the cloud came to nothing within a day: it can ask for another one tomorrow',
        ),
      )
    await store.noteFetches(fetches)
  }
  print(
    `Version ${release.version}: ${((release.bytes - there) / 1_000_000).toFixed(1)} MB are to be fetched.`,
  )
  const fetched = await fetchRelease(world, source, release, path, () => update.check(path, wanted?.sha256))
  if (!fetched.ok && fetched.mayGoOn) return refused(fetched.fault)
  try {
    const ended = fetched.ok ? await update.install(path) : refused(fetched.fault)
    // A successful fetch does not count, and the next fetch is for a newer version.
    if (wanted && ended.outcome === 'installed') await store.noteFetches([])
    return ended
  } finally {
    await rm(path, { force: true })
  }
}

/** Carries out a wish that root has taken. */
async function fromWish(fetching: Fetching, { archives, ca, cloudUrl, version }: Wish): Promise<Updated> {
  const { architecture, update } = fetching
  const running = await update.running()
  if (running === version) return { outcome: 'installed', text: `version ${version} runs already` }
  if (compareVersions(version, running) < 0)
    return refused(fault('not_newer', `${version} is not newer than ${running}, which is installed`))
  const archive = archives.find(one => one.architecture === architecture)
  if (!archive) return refused(fault('wrong_machine', `there is no version ${version} for ${architecture}`))
  const wanted = { version, sha256: archive.sha256 }
  // The authority is that of the broker. The cloud may have the same one, or one that machines know.
  const either = ca === null ? undefined : [...trusted(), ca].join('\n')
  const ended = await fromCloud(fetching, { cloudUrl, ca: either }, wanted)
  return ended.outcome === 'nothing_to_do'
    ? refused(fault('not_offered', `the cloud does not offer ${version} any more`))
    : ended
}

/**
 * Carries out a wish that the daemon has left for the cloud. The wish names the version and the address of the cloud; everything
 * else is checked as usual. The result is recorded for the daemon, which reports it. While another update runs or a version is on
 * trial, nothing is recorded: the end of that update would be reported as the answer to this wish, or this answer would come too
 * early. The cloud asks again.
 */
async function carryOutWish(fetching: Fetching, onOverlay = false): Promise<Updated> {
  const { store } = fetching
  const wish = await takeWish(store.folder)
  if (!wish) return refusedHere('there is no wish of the daemon that can be read')
  const { version } = wish
  fetching.print(`The cloud asks for version ${version}.`)
  const other = await notAlone(store)
  if (other) return other
  await showCarryingOut(store.folder)
  if (trialOf(await store.read())) return onTrial
  await store.noteAsked(wish)
  const ended = (await forgetfulFault(store, onOverlay)) ?? (await fromWish(fetching, wish).catch(failed))
  if (ended.outcome === 'nothing_to_do') return ended
  const cause = ended.outcome === 'installed' ? null : ended.cause
  await store.make({ type: 'noteEnd', ended: { version, state: ended.outcome, why: ended.text, cause } })
  return ended
}

async function carryOut(
  { architecture, isRoot, print, world }: UpdateGiven,
  file: string | undefined,
  options: UpdateOptions,
): Promise<Updated> {
  const store = new VersionStore(options.store)
  const own = machineArchitecture(architecture)
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
      pause: () => askPause(world, options.dataFolder),
    },
  })
  if (options.beforeStart) {
    await update.beforeStart()
    return { outcome: 'nothing_to_do' }
  }
  // This may run beside the update that it follows: both see the end of the trial.
  if (options.carryOn) return update.carryOn()
  const fetching = { print, world, update, architecture: own, store }
  if (options.offered) return carryOutWish(fetching, options.onOverlay)
  const other = await notAlone(store)
  if (other) return other
  const { ca, cloud: cloudUrl } = options
  if (file === undefined && cloudUrl === undefined)
    return refusedHere('name the file of a release, or the cloud: --cloud https://gates.example.com')
  const forgetful = await forgetfulFault(store, options.onOverlay)
  if (forgetful) return forgetful
  if (file !== undefined || cloudUrl === undefined) return update.install(file ?? '')
  return fromCloud(fetching, { cloudUrl, ca: ca === undefined ? undefined : await readFile(ca, 'utf8') })
}

/** Words a system error for a person. */
function failed(error: unknown): Updated {
  const code = systemCode(error)
  if (code === undefined || !(error instanceof Error)) throw error
  const isRight = code === 'EACCES' || code === 'EPERM'
  return refused(
    fault('disk_failed', isRight ? `this is for root: put sudo before it (${error.message})` : error.message),
  )
}

/** Runs the command and prints what happened. Returns whether all is well. */
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
