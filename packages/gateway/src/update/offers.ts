// Updates at the daemon: passes the cloud's requests to root as wishes, and reports how they have ended.

import { join } from 'node:path'
import type { UpdateOutcome } from '@callgate/contract/releaseWords'
import type { Beat } from '@callgate/contract/wire/messages'
import type { World } from '@callgate/world/world'
import { systemCode } from '../journalDisk.ts'
import type { TaskRunner } from '../taskRunners.ts'
import { machineArchitecture } from './machineArchitecture.ts'
import { readReleaseKeys } from './releaseFile.ts'
import { readOutcome } from './versionStore.ts'
import { canWish, dropWish, isCarriedOut, isUntaken, leaveWish } from './wish.ts'

interface OffersParts {
  readonly world: World
  /** The folder of the versions. */
  readonly store: string
  /** The folder of the package, which contains the pinned release keys. */
  readonly package: string
  /** Node's name: x64, arm64, arm. */
  readonly architecture: string
  readonly cloudUrl: string
  /** PEM of the authority of the cloud's certificate, where it has its own. */
  readonly ca: string | undefined
}

/**
 * systemd starts root's program at once, but a busy small Pi is slow to start it, and the program pauses for 10 s after it has
 * ended.
 */
const takenWithinMs = 60_000
const checkForTakingEveryMs = 250
/** The pause between two checks of how the last update has ended. */
const checkEveryMs = 30_000

export class Offers {
  readonly #parts: OffersParts
  #last: UpdateOutcome | undefined

  constructor(parts: OffersParts) {
    this.#parts = parts
  }

  /** Undefined where no request could be installed: no program waits for wishes, or no release key is pinned. */
  static async open(parts: OffersParts): Promise<Offers | undefined> {
    // Gates open without updates, so an unreadable file must not prevent the start.
    const keys = await readReleaseKeys(join(parts.package, 'release-keys')).catch((error: unknown) => {
      parts.world.log.warn('the release keys cannot be read: no update is taken', { why: String(error) })
      return []
    })
    if (keys.length === 0 || !(await canWish(parts.store))) return undefined
    const offers = new Offers(parts)
    await offers.#look()
    return offers
  }

  /** Checks from time to time how an update has ended; calls `onChange` when that has changed. */
  follow(onChange: () => void): void {
    this.#parts.world.after(checkEveryMs, () => {
      void this.#look().then(isNew => {
        if (isNew) onChange()
        this.follow(onChange)
      })
    })
  }

  /** Carries out the task `update`. It does not touch the modem. */
  readonly run: TaskRunner<'update'> = async ({ archives, taskId, version }) => {
    const { ca = null, cloudUrl, store, world } = this.#parts
    const refused = (detail: string) => ({ state: 'not_done', reason: 'refused', detail }) as const
    try {
      if (await isUntaken(store)) return { state: 'not_done', reason: 'busy' }
      await leaveWish(store, { taskId, version, archives, cloudUrl, ca })
      const beganMs = world.monotonicMs()
      while (await isUntaken(store)) {
        if (world.monotonicMs() - beganMs > takenWithinMs) {
          await dropWish(store)
          if (await isCarriedOut(store)) return { state: 'not_done', reason: 'busy' }
          return refused('callgate-gateway-offer.path does not run')
        }
        await new Promise<void>(resolve => void world.after(checkForTakingEveryMs, resolve))
      }
      return { state: 'done' }
    } catch (error) {
      const code = systemCode(error)
      if (code === undefined) throw error
      return refused(`the wish cannot be written: ${code}`)
    }
  }

  /** The state of updates for beats. */
  inBeat(): NonNullable<Beat['update']> {
    const architecture = machineArchitecture(this.#parts.architecture)
    return { architecture, ...(this.#last && { last: this.#last }) }
  }

  async #look(): Promise<boolean> {
    const before = JSON.stringify(this.#last)
    // While the disk cannot be read, the last state remains.
    this.#last = await readOutcome(this.#parts.store).catch(() => this.#last)
    return JSON.stringify(this.#last) !== before
  }
}
