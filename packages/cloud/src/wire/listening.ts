// Whether the cloud has listened to the gateways without a gap that could hide one of them.

import { beatEveryMs, offlineAfterMs } from '@callgate/contract/wire/timing'
import { ageMs, type Moment, moment, type World } from '@callgate/world/world'

/**
 * How long the knowledge at the end of a listening holds: a gateway that sent a beat just before counts as online for this time.
 */
const holdsForMs = offlineAfterMs - beatEveryMs

export class Listening {
  readonly #world: World
  /** When listening began; undefined while the cloud does not listen. */
  #since: Moment | undefined
  /** When the last message came. */
  #heardAt: Moment | undefined
  /** The last moment of an earlier listening that was long enough for a beat of each gateway. */
  #knewAt: Moment | undefined

  constructor(world: World) {
    this.#world = world
  }

  begin(): void {
    this.#since = moment(this.#world)
    this.#heardAt = undefined
  }

  /** Notes a message. */
  hear(): void {
    this.#heardAt = moment(this.#world)
  }

  /** The connection is lost. It may have been dead for a while, so listening ended with the last message. */
  end(): void {
    const [since, heardAt] = [this.#since, this.#heardAt]
    if (since && heardAt && heardAt.monotonicMs - since.monotonicMs > beatEveryMs) this.#knewAt = heardAt
    this.#since = undefined
  }

  /** Notes that a message of an unknown gateway could not be read: the gateways heard so far may not be all. */
  miss(): void {
    if (this.#since) this.#since = moment(this.#world)
    this.#heardAt = undefined
    this.#knewAt = undefined
  }

  /** Whether every gateway that is online is known: each sends a beat within `beatEveryMs`. */
  isWhole(): boolean {
    const isOlder = (than: Moment | undefined, ms: number) =>
      than === undefined || ageMs(this.#world, than) > ms
    if (!this.#since) return false
    return isOlder(this.#since, beatEveryMs) || !isOlder(this.#knewAt, holdsForMs)
  }
}
