// Whether the cloud has listened to the gateways without a gap that hides one of them.

import { beatEveryMs, offlineAfterMs } from '@callgate/contract/wire/timing'
import { ageMs, type Moment, moment, type World } from '@callgate/world/world'

/** How long what was known at the end of a listening holds: a gateway that beat just before counts as online for so long. */
const holdsForMs = offlineAfterMs - beatEveryMs

export class Listening {
  readonly #world: World
  /** Since when it listens; undefined while it does not. */
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

  /** A message came. */
  hear(): void {
    this.#heardAt = moment(this.#world)
  }

  /** The connection is lost. It may have been dead for a while, so what counts is when the last message came. */
  end(): void {
    const [since, heardAt] = [this.#since, this.#heardAt]
    if (since && heardAt && heardAt.monotonicMs - since.monotonicMs > beatEveryMs) this.#knewAt = heardAt
    this.#since = undefined
  }

  /** A message came of a gateway that is not known, and could not be read: all that was heard may be too little. */
  miss(): void {
    if (this.#since) this.#since = moment(this.#world)
    this.#heardAt = undefined
    this.#knewAt = undefined
  }

  /** Whether each gateway that is online is known: every one beats in `beatEveryMs`. */
  isWhole(): boolean {
    const isOlder = (than: Moment | undefined, ms: number) =>
      than === undefined || ageMs(this.#world, than) > ms
    if (!this.#since) return false
    return isOlder(this.#since, beatEveryMs) || !isOlder(this.#knewAt, holdsForMs)
  }
}
