// Gateways whose modem has not answered since a call that they have reported: the modem may still hold the command to dial, and
// execute it. The number of that call stays locked until the modem answers.

import type { Beat } from '@callgate/contract/wire/messages'
import { coolDownOf } from '../core/opening.ts'
import type { Ended } from './endOpening.ts'
import type { OpeningClock } from './openingClock.ts'

/** The position of a message among those of its boot. */
interface Sent {
  readonly bootId: string
  readonly seq: number
}

/** A beat of the current boot of its gateway. */
export interface HeardBeat extends Sent {
  readonly gatewayId: string
  readonly isOnline: boolean
  readonly body: string
}

/** The states of a modem that has answered since it was set up, so that it holds no command of an earlier call. */
const answering: readonly string[] = ['ready', 'no_network', 'sim_error'] satisfies Beat['modem']['state'][]

export class UnheardModems {
  readonly #clock: OpeningClock
  readonly #free: (row: Ended['row']) => void
  readonly #byGateway = new Map<string, { readonly row: Ended['row']; readonly reported: Sent }>()

  /** `free` frees the number of an opening. */
  constructor(clock: OpeningClock, free: (row: Ended['row']) => void) {
    this.#clock = clock
    this.#free = free
  }

  /** Handles a report that has ended an opening. The longest time of a lock counts from now on. */
  reported({ isUnheard, row }: Ended, reported: Sent): void {
    const { gatewayId } = row
    if (!isUnheard || gatewayId === null) return
    this.#clock.holdAnew(row.id)
    const entry = { row, reported }
    const forget = () => {
      if (this.#byGateway.get(gatewayId) === entry) this.#byGateway.delete(gatewayId)
    }
    if (this.#clock.onceForgotten(row.id, forget)) this.#byGateway.set(gatewayId, entry)
  }

  /**
   * Ends the lock when the modem answers, since the call is over. The gate may have moved until now, so the cool-down runs first.
   */
  heard({ bootId, body, gatewayId, isOnline, seq }: HeardBeat): void {
    const { reported, row } = this.#byGateway.get(gatewayId) ?? {}
    if (!reported || !row || !isOnline) return
    // The beat may be older than the report. A later boot has set its modem up again.
    if (bootId === reported.bootId && seq <= reported.seq) return
    const { modem } = JSON.parse(body) as Partial<Beat>
    if (!modem || !answering.includes(modem.state)) return
    this.#byGateway.delete(gatewayId)
    this.#clock.holdAnew(row.id)
    this.#clock.onceHeld(row.id, coolDownOf(row), () => this.#free(row))
  }
}
