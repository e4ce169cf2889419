// One update, as root: checks a release, adds its version, switches to it between two calls, and rolls it back if it does not
// work.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type JournalVersions, ReleaseManifest } from '@callgate/contract/release/release'
import type { UpdateFault } from '@callgate/contract/releaseWords'
import { checker } from '@callgate/contract/validate'
import type { VerifyingKey } from '@callgate/contract/wire/signature'
import type { World } from '@callgate/world/world'
import { fault, refusalOf } from '../core/updateDecision.ts'
import {
  beforeStart,
  beginTrial,
  type Change,
  confirm,
  type Trial,
  takeBack,
  trialOf,
} from '../core/updatePlan.ts'
import { writeWhole } from '../enrol/syncedFile.ts'
import type { DaemonAnswer } from '../local/askDaemon.ts'
import type { DaemonHealth, DaemonPause } from '../local/localMessages.ts'
import { openRelease, type SignedRelease, sha256Of, unpackArchive, versionIn } from './releaseFile.ts'
import { endedElsewhere, onTrial, refused, type Updated, works } from './updated.ts'
import type { VersionStore } from './versionStore.ts'

/** Access to the running daemon through its local socket. */
export interface AskedDaemon {
  health(): Promise<DaemonAnswer<DaemonHealth>>
  pause(): Promise<DaemonAnswer<DaemonPause>>
}

/** The daemon as systemd sees it. */
export interface DaemonUnit {
  /** Starts a program that follows the trial to its end, in case this program ends before. */
  follow(): Promise<void>
  /** Stops the daemon and starts it again; resolves when that was tried. */
  restart(): Promise<void>
  /** Whether systemd has given the daemon up, so that it will not restart it. */
  isGivenUp(): Promise<boolean>
}

export interface UpdateParts {
  readonly world: World
  readonly store: VersionStore
  readonly unit: DaemonUnit
  /** Whether this is root, which runs a new version for the first time as a user without rights. */
  readonly isRoot: boolean
  /** The contents of the Debian package, which never change. */
  readonly packaged: {
    readonly folder: string
    readonly version: string
    readonly journal: JournalVersions
    readonly architecture: string
  }
  readonly keys: readonly VerifyingKey[]
  readonly daemon: AskedDaemon
  /** Prints a sentence for a person. */
  readonly print: (text: string) => void
}

/** How long a new version may take to reach broker and modem. */
const trialMs = 5 * 60_000
/** A new version works when it is healthy and has run for this time. */
const steadyMs = 30_000
const askEveryMs = 2_000
/** How long the update waits for a moment without an opening and without a task. */
const idleWithinMs = 15 * 60_000
/** How long a version that does not work may finish an opening that it serves nevertheless. One takes 90 s at most. */
const lastOpeningWithinMs = 120_000

const checkManifest = checker(ReleaseManifest, 'the manifest')

export class UpdateRun {
  readonly #parts: UpdateParts

  constructor(parts: UpdateParts) {
    this.#parts = parts
  }

  /** Before each start of the daemon: counts a trial's starts, and rolls back a version that does not start. */
  async beforeStart(): Promise<void> {
    const { print, store } = this.#parts
    const versions = await store.read()
    const changes = beforeStart(versions)
    for (const change of changes)
      if (change.type === 'noteFailed')
        print(`Version ${change.version} does not start: back to the one before.`)
    const problem = await this.#makeAll(changes)
    const { trial } = versions
    if (problem === undefined || !trial) return
    // Without a count of its starts, the trial could go on forever.
    print(`The disk does not keep a trial (${problem}): back to the version before.`)
    await this.#makeAll(takeBack(trial, fault('disk_failed', `the disk does not keep a trial: ${problem}`)))
  }

  /** Continues a trial that a power cut has interrupted. */
  async carryOn(): Promise<Updated> {
    const { store } = this.#parts
    const trial = trialOf(await store.read())
    return trial ? this.#watch(trial.version) : { outcome: 'nothing_to_do' }
  }

  /** Installs the release in a file. */
  async install(path: string): Promise<Updated> {
    const { keys, print, store } = this.#parts
    if (trialOf(await store.read())) return onTrial
    const opened = await openRelease(path, keys)
    if (!opened.ok) return refused(opened.fault)
    const { manifest } = opened.release
    try {
      const refusal = await this.#refusal(manifest)
      if (refusal) return refused(refusal)
      print(`Version ${manifest.version} is signed by a release key, and fits this machine.`)
      const broken = await this.#add(opened.release)
      if (broken) return refused(broken)
    } finally {
      await opened.release.close()
    }
    print('It is unpacked. It is switched to when no opening and no task waits or runs.')
    const busy = await this.#waitForRest()
    if (busy) return refused(busy)
    for (const change of beginTrial(await store.read(), manifest.version)) await store.make(change)
    const { unit } = this.#parts
    await unit.follow()
    await unit.restart()
    return this.#watch(manifest.version)
  }

  /**
   * Why the release at the beginning of this file cannot be installed; undefined where it may be. The rest of the file need not
   * be there. With `sha256`, its archive must have that checksum.
   */
  async check(path: string, sha256?: string): Promise<UpdateFault | undefined> {
    const opened = await openRelease(path, this.#parts.keys)
    if (!opened.ok) return opened.fault
    await opened.release.close()
    const { manifest } = opened.release
    if (sha256 !== undefined && manifest.archiveSha256 !== sha256)
      return fault('not_signed', 'it is another file than the one that was asked for')
    return this.#refusal(manifest)
  }

  /** The version with which the daemon starts. */
  async running(): Promise<string> {
    const { packaged, store } = this.#parts
    return (await store.read()).current ?? packaged.version
  }

  get #packagedNode(): string {
    return join(this.#parts.packaged.folder, 'node')
  }

  async #refusal(manifest: ReleaseManifest): Promise<UpdateFault | undefined> {
    return refusalOf(manifest, await this.#installed(await sha256Of(this.#packagedNode)))
  }

  /** Makes each of the changes that the disk allows; returns the first problem. */
  async #makeAll(changes: readonly Change[]): Promise<string | undefined> {
    let problem: string | undefined
    for (const change of changes)
      try {
        await this.#parts.store.make(change)
      } catch (error) {
        problem ??= sentenceOf(error)
      }
    return problem
  }

  /** The installed versions. A version without its own manifest is that of the package. */
  async #installed(nodeSha256: string) {
    const { packaged, store } = this.#parts
    const { current, failed } = await store.read()
    const own = current === undefined ? undefined : await store.manifestOf(current)
    const checked = own === undefined ? undefined : checkManifest(own)
    const running = checked?.ok ? checked.value : packaged
    const { architecture, version } = packaged
    const freeBytes = await store.freeBytes()
    return { architecture, running, packaged: version, nodeSha256, failed, freeBytes }
  }

  /** Adds the version to the store; returns the fault where it cannot. */
  async #add(release: SignedRelease): Promise<UpdateFault | undefined> {
    const { isRoot, store } = this.#parts
    const { manifest } = release
    const copy = join(store.folder, 'archive')
    await rm(copy, { force: true })
    try {
      if (!(await release.copyArchive(copy))) return altered('archive')
      const broken = await store.add(manifest.version, async folder => {
        await unpackArchive(copy, folder)
        await writeWhole(join(folder, 'manifest.json'), `${JSON.stringify(manifest)}\n`, 0o644)
        return faultIn({ folder, isRoot, packagedNode: this.#packagedNode }, manifest)
      })
      if (broken) await store.make({ type: 'noteFailed', version: manifest.version })
      return broken
    } catch (error) {
      return fault('disk_failed', `it cannot be unpacked: ${sentenceOf(error)}`)
    } finally {
      await rm(copy, { force: true })
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise(resolve => void this.#parts.world.after(ms, resolve))
  }

  /** Waits until the daemon works and pauses; returns the fault where it cannot be switched now. */
  async #waitForRest(): Promise<UpdateFault | undefined> {
    const health = await this.#parts.daemon.health()
    if (!health.ok) return unasked(health.why)
    // Otherwise a version that does not work would look like a missing modem.
    if (!health.answer.isHealthy)
      return fault(
        'gateway_not_ready',
        'the daemon that runs has no broker or no modem, so nobody could tell whether the new version works: see callgate-gateway doctor',
      )
    return this.#rested(idleWithinMs)
  }

  /** Asks the daemon to pause until it does; returns the fault where it does not. */
  async #rested(withinMs: number): Promise<UpdateFault | undefined> {
    const { daemon, world } = this.#parts
    const beganMs = world.monotonicMs()
    for (;;) {
      const pause = await daemon.pause()
      if (!pause.ok) return unasked(pause.why)
      if (pause.answer.rests) return undefined
      if (world.monotonicMs() - beganMs > withinMs)
        return fault('no_pause', 'there was no moment without an opening or a task')
      await this.#wait(askEveryMs)
    }
  }

  /** Follows a trial to its end. */
  async #watch(version: string): Promise<Updated> {
    const { daemon, print, store, unit, world } = this.#parts
    print(`Version ${version} has 5 minutes to reach the broker and the modem.`)
    const beganMs = world.monotonicMs()
    for (let wasDown = false; ; ) {
      const health = await daemon.health()
      const isDown = await unit.isGivenUp()
      // Read after the slow questions, because another program may have ended the trial meanwhile.
      const versions = await store.read()
      const trial = trialOf(versions)
      if (trial?.version !== version) return endedElsewhere(versions, version)
      const { isHealthy, upMs, version: running } = health.ok ? health.answer : noHealth
      if (running === version && isHealthy && upMs >= steadyMs) {
        await this.#makeAll(confirm(trial))
        return works(version)
      }
      // A restart passes through the same state, so one check is not enough.
      if (isDown && wasDown) return this.#takeBack(trial, fault('ended', 'it ended by itself'))
      wasDown = isDown
      if (world.monotonicMs() - beganMs > trialMs)
        return this.#takeBack(trial, fault('not_connected', 'it did not reach broker and modem'))
      await this.#wait(askEveryMs)
    }
  }

  async #takeBack(trial: Trial, why: UpdateFault): Promise<Updated> {
    await this.#rested(lastOpeningWithinMs)
    // Another program may have ended the trial meanwhile.
    const versions = await this.#parts.store.read()
    if (trialOf(versions)?.version !== trial.version) return endedElsewhere(versions, trial.version)
    await this.#makeAll(takeBack(trial, why))
    await this.#parts.unit.restart()
    return {
      outcome: 'taken_back',
      text: `version ${trial.version} was taken back: ${why.text}`,
      cause: why.cause,
    }
  }
}

const noHealth = { isHealthy: false, upMs: 0, version: '' }
const sentenceOf = (error: unknown) =>
  error instanceof Error ? (error.message.split('\n').at(-1) ?? '').slice(0, 300) : String(error)
const altered = (part: string) => fault('not_signed', `its ${part} is not the one that was signed`)
const unasked = (why: string) => fault('gateway_not_ready', `the daemon that runs cannot be asked: ${why}`)

/** Why the unpacked files cannot be used; undefined where they can. */
async function faultIn(
  { folder, isRoot, packagedNode }: { folder: string; isRoot: boolean; packagedNode: string },
  manifest: ReleaseManifest,
): Promise<UpdateFault | undefined> {
  const { hasNode, nodeSha256, version } = manifest
  const node = hasNode ? join(folder, 'node') : packagedNode
  if (hasNode && (await sha256Of(node)) !== nodeSha256) return altered('Node')
  return (await versionIn(folder, node, isRoot)) === version
    ? undefined
    : fault('does_not_start', `version ${version} does not start on this machine`)
}
