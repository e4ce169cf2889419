// The queues of writes in this process: one for each Space, and a write of the whole database waits for all of them.

import { waitedTooLong } from './databaseError.ts'
import type { LockPatience } from './foreignLock.ts'
import type { Locked } from './transactions.ts'

function namesOf(locked: Locked): readonly string[] {
  return locked === 'all' ? [everything] : locked
}

/**
 * The limit on the writes of one Space at once, the running one included. Writes of no Space have no such limit: they are shared
 * by all tenants, and one tenant must not cause refusals for the others. On two cores 1,000 of the smallest writes of a Space
 * take 0.8 s, and most take longer: a write behind more of them would time out after its 2 s.
 */
const mostOfSpace = 1_000

/** Stands for a Space: the writes that lock everything. */
const everything = '*'

/**
 * Writes wait here before they take a connection, so one Space has one connection at a time, however much it writes. Writes run
 * in the order of arrival: a write of the whole database begins after all earlier ones, and before all later ones.
 */
export class SpaceQueues {
  readonly #patience: LockPatience | undefined
  /** The end of the last write of each Space, while it is pending. */
  readonly #ends = new Map<string, Promise<void>>()
  /** The end of the last write of the whole database. All ends above come after it. */
  #endOfAll: Promise<void> = Promise.resolve()
  /** How many writes of each Space are pending. */
  readonly #counts = new Map<string, number>()

  /** With `patience` a write that does not begin in time, or has too many before it, is refused with the trouble `busy`. */
  constructor(patience?: LockPatience) {
    this.#patience = patience
  }

  /** Runs `work` when its turn has come. */
  run<T>(locked: Locked, work: () => Promise<T>): Promise<T> {
    const names = namesOf(locked)
    const isFull = names.some(name => (this.#counts.get(name) ?? 0) >= mostOfSpace)
    if (isFull && this.#patience) return Promise.reject(waitedTooLong())
    const turn = Promise.all(this.#before(locked))
    const { promise, end } = this.#begun(turn, work)
    if (locked === 'all') {
      this.#endOfAll = end
      this.#ends.clear()
    } else for (const spaceId of locked) this.#append(spaceId, end)
    this.#count(names, 1)
    void end.then(() => this.#count(names, -1))
    return promise
  }

  #count(names: readonly string[], by: 1 | -1): void {
    for (const name of names) {
      const count = (this.#counts.get(name) ?? 0) + by
      if (count === 0) this.#counts.delete(name)
      else this.#counts.set(name, count)
    }
  }

  #before(locked: Locked): Promise<void>[] {
    const spaces = locked === 'all' ? this.#ends.values() : locked.map(spaceId => this.#ends.get(spaceId))
    return [this.#endOfAll, ...[...spaces].filter(end => end !== undefined)]
  }

  /** The result of `work`, and the end of its turn, which comes also after a refusal. */
  #begun<T>(turn: Promise<unknown>, work: () => Promise<T>): { promise: Promise<T>; end: Promise<void> } {
    let isRefused = false
    let refuse = () => {}
    const timer = this.#patience?.world.after(this.#patience.withinMs, () => refuse())
    const done = turn.then(() => {
      timer?.cancel()
      return isRefused ? undefined : work()
    })
    const ended = () => {}
    const promise = new Promise<T>((resolve, reject) => {
      refuse = () => {
        isRefused = true
        reject(waitedTooLong())
      }
      done.then(answer => resolve(answer as T), reject)
    })
    return { promise, end: done.then(ended, ended) }
  }

  #append(spaceId: string, end: Promise<void>): void {
    this.#ends.set(spaceId, end)
    void end.then(() => {
      if (this.#ends.get(spaceId) === end) this.#ends.delete(spaceId)
    })
  }
}
