// Grants that a gateway has had and the data lacks: the data has gone back, and a call that it has lost may still run.

import { measured } from '@callgate/world/measures'
import type { World } from '@callgate/world/world'
import type { SaidGrant } from '../core/beatFacts.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import type { BeatAnswer } from '../heartbeat/beats.ts'
import type { OpeningEnds } from './openingEnds.ts'
import { findOpening } from './openingRows.ts'
import { doubt, markEnds, numbersHeldMs } from './restores.ts'

/** A grant that is older says nothing of what the Space's gateways may do now. */
const askedForMs = 24 * 60 * 60_000
/** The presses of a Space are held once in this time at most: a gateway that was stolen cannot hold them for good. */
const heldOnceInMs = 60 * 60_000

type Current = Extract<BeatAnswer, { kind: 'current' | 'heard' }>

interface Parts {
  readonly world: World
  readonly database: Database
  readonly ends: Pick<OpeningEnds, 'afterEnd'>
}

export class LostGrants {
  readonly #parts: Parts
  /** The grant that was looked up last, of each gateway. */
  readonly #known = new Map<string, string>()
  /** When the presses of each Space were held last. */
  readonly #held = new Map<string, Hold>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** Whether a call that the data has lost may still run in the Space, or its gate may still move. */
  isHeld(spaceId: string): boolean {
    return this.#heldAgoMs(spaceId) < numbersHeldMs
  }

  /** What a beat of a gateway's current boot says. Each cloud looks for itself, and holds the presses that it takes. */
  async hear(gatewayId: string, { facts, kind, spaceId }: Current): Promise<void> {
    const said = facts?.lastGrant
    if (!said || said.agoMs > askedForMs || this.#known.get(gatewayId) === said.openingId) return
    const place = { spaceId, gatewayId, openingId: said.openingId }
    const found = await findOpening(this.#parts.database.knex, said.openingId)
    if (!isGranted(found, place)) await this.#lost(place, said, kind === 'current')
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

  /** `marks`: this cloud takes care of the gateway, so it writes down what follows. */
  async #lost(place: Place, { agoMs }: SaidGrant, marks: boolean): Promise<void> {
    const { database, ends, world } = this.#parts
    const { gatewayId, openingId, spaceId } = place
    // Before anything is written: what is pressed from now on is not called.
    const hold = this.#hold(spaceId)
    if (!marks) return
    await database.write(tx => this.#mark(tx, place, hold), {
      spaceId,
      committed: ended => {
        hold.isMarked = true
        for (const one of ended) ends.afterEnd(one)
      },
    })
    measured({ kind: 'stray_report' })
    world.log.error('a gateway was granted a call that the data does not know: has the data gone back?', {
      ...{ gatewayId, openingId, spaceId, agoMs },
      pressesAreHeld: this.isHeld(spaceId),
    })
  }

  /** The first time in a hold, all that may have got a grant ends. It is done again where the database has not taken it. */
  async #mark(tx: Db, { openingId, spaceId }: Place, { isMarked }: Hold) {
    const { world } = this.#parts
    const ended = isMarked ? [] : [...(await markEnds(tx, world, spaceId))]
    const row = await findOpening(tx, openingId)
    const doubted = row?.spaceId === spaceId ? await doubt(tx, world, row) : undefined
    return doubted ? [...ended, doubted] : ended
  }
}

interface Hold {
  /** Monotonic milliseconds: no wall clock that is set ends it. */
  readonly sinceMs: number
  /** Whether this cloud has written down what follows. */
  isMarked: boolean
}

interface Place {
  readonly spaceId: string
  readonly gatewayId: string
  readonly openingId: string
}

const isGranted = (row: OpeningRow | undefined, { gatewayId, spaceId }: Place) =>
  row?.spaceId === spaceId && row.gatewayId === gatewayId
