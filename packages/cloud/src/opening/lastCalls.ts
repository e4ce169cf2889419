// The last call on each number, in memory: the rows date it only by the wall clock, which may be set at any time.

import type { OpeningRow } from '../core/opening.ts'
import type { OpeningClock } from './openingClock.ts'

type Called = Pick<OpeningRow, 'spaceId' | 'phoneNumber'>

const keyOf = ({ phoneNumber, spaceId }: Called) => `${spaceId} ${phoneNumber}`

export class LastCalls {
  readonly #clock: OpeningClock
  readonly #idByNumber = new Map<string, string>()

  constructor(clock: OpeningClock) {
    this.#clock = clock
  }

  /** Remembers a call that has ended until the clock forgets it; the gate has come to rest by then. */
  remember(row: Called & Pick<OpeningRow, 'id'>): void {
    const key = keyOf(row)
    const forget = () => {
      if (this.#idByNumber.get(key) === row.id) this.#idByNumber.delete(key)
    }
    if (this.#clock.onceForgotten(row.id, forget)) this.#idByNumber.set(key, row.id)
  }

  /** The id of the call that ended last on the number; undefined where this process remembers none. */
  find(number: Called): string | undefined {
    return this.#idByNumber.get(keyOf(number))
  }
}
