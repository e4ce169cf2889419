// Gateways with a call that failed by their own fault, in memory: others are asked before them for a while.

import { ageMs, type Moment, moment, type World } from '@callgate/world/world'
import { type FailedAt, isFaultOfGateway } from '../core/gateCallers.ts'
import type { OpeningRow } from '../core/opening.ts'

/**
 * How long they are asked last. A SIM card without credit fails at each call, and the gateway that is asked first gets each
 * grant. After this time a press tries it again, so nobody has to report a repair.
 */
export const askedLastForMs = 15 * 60_000

type Ended = Pick<OpeningRow, 'opened' | 'reason'>

interface Failing {
  /** When it last failed. */
  readonly at: Moment
  /** The gates at which it failed. */
  readonly gateIds: ReadonlySet<string>
}

/** Each cloud knows the calls of its own openings. A cloud that starts knows none, and learns from the next call. */
export class FailingGateways {
  readonly #world: World
  /** By their ids, the one that failed last at the end. */
  readonly #failing = new Map<string, Failing>()

  constructor(world: World) {
    this.#world = world
  }

  /** Notes an opening that has ended. A call that opened a gate shows that its gateway can call again. */
  note({ gateId, gatewayId }: Pick<OpeningRow, 'gateId' | 'gatewayId'>, { opened, reason }: Ended): void {
    if (gatewayId === null) return
    if (opened === 'yes' || opened === 'likely') this.#failing.delete(gatewayId)
    else if (isFaultOfGateway(reason)) {
      this.#forgetOld()
      const { gateIds = [] } = this.#failing.get(gatewayId) ?? {}
      this.#failing.delete(gatewayId)
      this.#failing.set(gatewayId, { at: moment(this.#world), gateIds: new Set([...gateIds, gateId]) })
    }
  }

  /** Where a gateway failed lately, for a press at `gateId`. */
  failedAt(gateId: string, gatewayId: string): FailedAt {
    const failing = this.#failing.get(gatewayId)
    if (!failing || this.#isOld(failing)) return undefined
    return failing.gateIds.has(gateId) ? 'here' : 'elsewhere'
  }

  #isOld({ at }: Failing): boolean {
    return ageMs(this.#world, at) >= askedLastForMs
  }

  #forgetOld(): void {
    for (const [gatewayId, failing] of this.#failing) {
      if (!this.#isOld(failing)) return
      this.#failing.delete(gatewayId)
    }
  }
}
