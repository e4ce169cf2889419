// Grants that a gateway reports and the data lacks: the data has gone back, and a call that it has lost may still run.

import { measured } from '@callgate/world/measures'
import type { World } from '@callgate/world/world'
import type { SaidGrant } from '../core/beatFacts.ts'
import type { Database, Db } from '../database/database.ts'
import type { BeatAnswer } from '../heartbeat/beats.ts'
import type { OpeningsAfterLoss, ToldGrant } from './afterLoss.ts'
import { numbersHeldMs } from './restores.ts'

/** An older grant has no bearing on what the Space's gateways may do now. */
const askedForMs = 24 * 60 * 60_000
/** The presses of a Space are held at most once in this time, so a stolen gateway cannot hold them for good. */
const heldOnceInMs = 60 * 60_000

type Current = Extract<BeatAnswer, { kind: 'current' | 'heard' }>

interface LostGrantsParts {
  readonly world: World
  readonly database: Database
  readonly openings: OpeningsAfterLoss
}

export class LostGrants {
  readonly #parts: LostGrantsParts
  /** For each gateway, the grant that was looked up last. */
  readonly #known = new Map<string, string>()
  /** When the presses of each Space were last held. */
  readonly #held = new Map<string, Hold>()

  constructor(parts: LostGrantsParts) {
    this.#parts = parts
  }

  /** Whether a call that the data has lost may still run in the Space, or its gate may still move. */
  isHeld(spaceId: string): boolean {
    return this.#heldAgoMs(spaceId) < numbersHeldMs
  }

  /** Checks a beat of a gateway's current boot. Each cloud checks for itself, and holds the presses that it takes. */
  async hear(gatewayId: string, { facts, kind, spaceId }: Current): Promise<void> {
    const said = facts?.lastGrant
    if (!said || said.agoMs > askedForMs || this.#known.get(gatewayId) === said.openingId) return
    const place = { spaceId, gatewayId, openingId: said.openingId }
    const { database, openings } = this.#parts
    if (!(await openings.isGranted(database.knex, place))) await this.#lost(place, said, kind === 'current')
    this.#known.set(gatewayId, said.openingId)
  }

  #heldAgoMs(spaceId: string): number {
    const { sinceMs = Number.NEGATIVE_INFINITY } = this.#held.get(spaceId) ?? {}
    return this.#parts.world.monotonicMs() - sinceMs
  }

  /** Holds the presses of a Space from now on, unless they were held within the hour. */
  #hold(spaceId: string): Hold {
    const former = this.#held.get(spaceId)
    if (former && this.#heldAgoMs(spaceId) < heldOnceInMs) return former
    const hold = { sinceMs: this.#parts.world.monotonicMs(), isMarked: false }
    this.#held.set(spaceId, hold)
    return hold
  }

  /** Handles a lost grant. `marks`: this cloud owns the gateway, so it writes down the consequences. */
  async #lost(place: ToldGrant, { agoMs }: SaidGrant, marks: boolean): Promise<void> {
    const { database, world } = this.#parts
    const { gatewayId, openingId, spaceId } = place
    // Before anything is written, so that no press from now on leads to a call.
    const hold = this.#hold(spaceId)
    if (!marks) return
    await database.write(tx => this.#mark(tx, place, hold), {
      spaceId,
      committed: afterCommits => {
        hold.isMarked = true
        for (const afterCommit of afterCommits) afterCommit()
      },
    })
    measured({ kind: 'stray_report' })
    world.log.error('a gateway was granted a call that the data does not know: has the data gone back?', {
      gatewayId,
      openingId,
      spaceId,
      agoMs,
      pressesAreHeld: this.isHeld(spaceId),
    })
  }

  /** Ends, once in a hold, every opening that may have got a grant; again where the database has not taken the ends. */
  async #mark(tx: Db, told: ToldGrant, { isMarked }: Hold): Promise<readonly (() => void)[]> {
    const { openings } = this.#parts
    const marked = isMarked ? undefined : await openings.markEnds(tx, told.spaceId)
    const afterDoubt = await openings.doubt(tx, told)
    return [() => marked?.afterCommit(), afterDoubt]
  }
}

interface Hold {
  /** Monotonic milliseconds: setting the wall clock does not end the hold. */
  readonly sinceMs: number
  /** Whether this cloud has written down the consequences. */
  isMarked: boolean
}
