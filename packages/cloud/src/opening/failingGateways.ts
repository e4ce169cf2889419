// Gateways whose last call failed by a fault of their own, in memory: they are asked last for a while.

import { ageMs, type Moment, moment, type World } from '@callgate/world/world'
import { isFaultOfGateway } from '../core/gateCallers.ts'
import type { OpeningRow } from '../core/opening.ts'

/**
 * For how long. A SIM card without credit fails at each call, and a gateway that is asked first gets the grant each time. After
 * this a press tries it again, so one that was mended needs nobody to say so.
 */
export const askedLastForMs = 15 * 60_000

type Ended = Pick<OpeningRow, 'opened' | 'reason'>

/** Each cloud knows the calls of its own openings. A cloud that starts knows none, and learns from the next call. */
export class FailingGateways {
  readonly #world: World
  readonly #failedAt = new Map<string, Moment>()

  constructor(world: World) {
    this.#world = world
  }

  /** An opening has ended. That a call opened a gate shows that its gateway can call again. */
  note({ gatewayId }: Pick<OpeningRow, 'gatewayId'>, { opened, reason }: Ended): void {
    if (gatewayId === null) return
    if (opened === 'yes' || opened === 'likely') this.#failedAt.delete(gatewayId)
    else if (isFaultOfGateway(reason)) this.#failedAt.set(gatewayId, moment(this.#world))
  }

  /** Those that are asked last now. */
  now(): ReadonlySet<string> {
    for (const [gatewayId, at] of this.#failedAt)
      if (ageMs(this.#world, at) >= askedLastForMs) this.#failedAt.delete(gatewayId)
    return new Set(this.#failedAt.keys())
  }
}
