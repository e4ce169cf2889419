// A machine with a package and a store of versions in its own folder, for tests that play systemd and the daemon.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ReleaseManifest, releaseHeader } from '@callgate/contract/release/release'
import { signingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { fakeWorld } from '@callgate/world/fake'
import type { World } from '@callgate/world/world'
import type { Change } from '../core/updatePlan.ts'
import type { DaemonHealth } from '../local/localMessages.ts'
import type { Updated } from './updated.ts'
import { UpdateRun } from './updateRun.ts'
import { VersionStore } from './versionStore.ts'

export const releaseKey = signingKey(new Uint8Array(32).fill(5))
const otherKey = signingKey(new Uint8Array(32).fill(6))
const keys = [verifyingKey(otherKey.publicKey), verifyingKey(releaseKey.publicKey)].filter(
  key => key !== undefined,
)

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const architecture = 'amd64'
const journal = { reads: 1, writes: 1 }

/** The program of a version, which only prints that version. */
const programOf = (version: string) => `process.stdout.write('${version}\\n')\n`

/** A world whose time passes as soon as somebody waits for it. */
export function hastyWorld(): World {
  const world = fakeWorld()
  let now = 0
  return {
    ...world,
    monotonicMs: () => now,
    after(ms, then) {
      now += ms
      queueMicrotask(then)
      return { cancel() {} }
    },
  }
}

/** Thrown when the power is cut. */
class PowerCut extends Error {}

/** A store whose power is cut before a given change. */
class CutStore extends VersionStore {
  changesLeft = Number.POSITIVE_INFINITY

  override async make(change: Change): Promise<void> {
    if (this.changesLeft === 0) throw new PowerCut()
    this.changesLeft--
    await super.make(change)
  }
}

export interface PlayedMachine {
  /** Versions that are healthy while they run. */
  readonly works: readonly string[]
  /** Versions that systemd gives up. */
  readonly endsByItself?: readonly string[]
  /** The numbers of the checks at which the unit is down, because it is restarting. */
  readonly downAt?: readonly number[]
  /** How often the daemon answers that an opening waits or runs. */
  readonly busyFor?: number
  /** The same for versions that do not work, each time that they run. */
  readonly sickBusyFor?: number
  /** Whether systemd has the trial followed, too, as on a real machine; here the second program sees the end first. */
  readonly follows?: boolean
}

/** Differences from a correct release. */
interface ReleaseFaults extends Partial<ReleaseManifest> {
  readonly archive?: (bytes: Buffer) => Buffer
  readonly key?: typeof releaseKey
  readonly program?: string
}

export class Machine {
  readonly folder = mkdtempSync(join(tmpdir(), 'callgate-update-'))
  readonly store: CutStore
  /** The texts that were printed. */
  readonly said: string[] = []
  /** The versions with which the daemon was started. */
  readonly started: string[] = []
  readonly #startedMs: number[] = []
  /** The result of the program that follows the trial beside the update. */
  followed: Promise<Updated> | undefined
  readonly #played: PlayedMachine
  readonly #world = hastyWorld()
  readonly #nodeSha256: string
  #upSinceMs = 0
  #looks = 0
  #busyLeft: number

  constructor(played: PlayedMachine) {
    this.#played = played
    this.#busyLeft = played.busyFor ?? 0
    // A new version is run without rights once.
    chmodSync(this.folder, 0o755)
    for (const place of ['package', 'store']) mkdirSync(join(this.folder, place))
    // A small replacement for Node.
    const node = `#!/bin/sh\nexec ${process.execPath} "$@"\n`
    writeFileSync(join(this.folder, 'package/node'), node, { mode: 0o755 })
    this.#nodeSha256 = sha256(Buffer.from(node))
    this.store = new CutStore(join(this.folder, 'store'))
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Starts the daemon, as the unit and the launcher do. */
  async start(): Promise<void> {
    await this.update().beforeStart()
    const { current } = await this.store.read()
    this.started.push(current ?? '0.1.0')
    if (!this.#played.works.includes(this.#running())) this.#busyLeft = this.#played.sickBusyFor ?? 0
    this.#upSinceMs = this.#world.monotonicMs()
    this.#startedMs.push(this.#upSinceMs)
  }

  /** The time of the nth start of the daemon, monotonic milliseconds. */
  timeOf(start: number): number {
    return this.#startedMs[start] ?? Number.NaN
  }

  update(): UpdateRun {
    const { downAt = [], endsByItself = [] } = this.#played
    return new UpdateRun({
      world: this.#world,
      store: this.store,
      isRoot: process.getuid?.() === 0,
      print: text => this.said.push(text),
      packaged: { folder: join(this.folder, 'package'), version: '0.1.0', journal, architecture },
      keys,
      daemon: {
        health: async () => ({ ok: true, answer: this.#health() }),
        pause: async () => ({ ok: true, answer: { rests: --this.#busyLeft < 0 } }),
      },
      unit: {
        async follow() {},
        restart: async () => {
          await this.start()
          if (!this.#played.follows || this.followed !== undefined) return
          this.followed = this.update().carryOn()
          await this.followed
        },
        isGivenUp: async () => endsByItself.includes(this.#running()) || downAt.includes(++this.#looks),
      },
    })
  }

  /** Writes a release to a file. */
  release(
    version: string,
    {
      archive = bytes => bytes,
      key = releaseKey,
      program = programOf(version),
      ...other
    }: ReleaseFaults = {},
  ): string {
    const files = join(this.folder, `files-${version}`)
    mkdirSync(files, { recursive: true })
    writeFileSync(join(files, 'gateway.mjs'), program)
    if (other.hasNode) writeFileSync(join(files, 'node'), 'another Node')
    const bytes = execFileSync('tar', ['-cz', '-C', files, '.'])
    const manifest: ReleaseManifest = {
      product: 'callgate-gateway',
      version,
      architecture,
      archiveBytes: bytes.length,
      archiveSha256: sha256(bytes),
      unpackedBytes: program.length,
      nodeSha256: this.#nodeSha256,
      hasNode: false,
      journal,
      replaces: '0.1.0',
      ...other,
    }
    const path = join(this.folder, `${version}.release`)
    writeFileSync(path, Buffer.concat([Buffer.from(releaseHeader(key, manifest)), archive(bytes)]))
    return path
  }

  #running(): string {
    return this.started.at(-1) ?? 'none'
  }

  #health(): DaemonHealth {
    const version = this.#running()
    const upMs = Math.round(this.#world.monotonicMs() - this.#upSinceMs)
    return { version, upMs, isHealthy: this.#played.works.includes(version) }
  }
}

/** Whether an update ended because the power was cut. */
export async function isCut(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return false
  } catch (error) {
    if (error instanceof PowerCut) return true
    throw error
  }
}
