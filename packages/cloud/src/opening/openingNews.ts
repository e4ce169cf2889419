// Follows openings that other replicas may change: reads their rows when the Space's events announce an end.

import type { World } from '@callgate/world/world'
import { isRunning, type OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import type { EventFeed } from '../event/eventFeed.ts'

/** An opening and its Space. */
export interface Named {
  readonly openingId: string
  readonly spaceId: string
}

interface Followed extends Named {
  readonly tell: (row: OpeningRow) => void
}

interface FollowedSpace {
  readonly spaceId: string
  readonly openings: Set<Followed>
  leave: (() => void) | undefined
  isReading: boolean
  isStale: boolean
}

interface OpeningNewsParts {
  readonly world: World
  readonly database: Database
  readonly feed: EventFeed
}

const againAfterMs = 1_000

export class OpeningNews {
  readonly #parts: OpeningNewsParts
  readonly #spaces = new Map<string, FollowedSpace>()

  constructor(parts: OpeningNewsParts) {
    this.#parts = parts
  }

  /**
   * Passes the row of the opening to `tell`, now and whenever an opening of its Space has ended, until the returned function is
   * called.
   */
  follow(opening: Named, tell: (row: OpeningRow) => void): () => void {
    const { spaceId } = opening
    const space = this.#spaces.get(spaceId) ?? this.#begin(spaceId)
    const followed = { ...opening, tell }
    space.openings.add(followed)
    if (space.leave) this.#read(space)
    return () => {
      space.openings.delete(followed)
      if (space.openings.size > 0 || this.#spaces.get(spaceId) !== space) return
      this.#spaces.delete(spaceId)
      space.leave?.()
    }
  }

  /** Resolves when the opening has ended, or after `withinMs`. */
  waitForEnd(opening: Named, withinMs: number): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        timer.cancel()
        unfollow()
        resolve()
      }
      const timer = this.#parts.world.after(withinMs, end)
      const unfollow = this.follow(opening, row => {
        if (!isRunning(row)) end()
      })
    })
  }

  /** Stops following all openings. */
  stop(): void {
    for (const space of this.#spaces.values()) {
      space.openings.clear()
      space.leave?.()
    }
    this.#spaces.clear()
  }

  #begin(spaceId: string): FollowedSpace {
    const space: FollowedSpace = {
      spaceId,
      openings: new Set(),
      leave: undefined,
      isReading: false,
      isStale: false,
    }
    this.#spaces.set(spaceId, space)
    this.#join(spaceId, space)
    return space
  }

  #join(spaceId: string, space: FollowedSpace): void {
    const { feed, world } = this.#parts
    const told = feed.follow(spaceId, ({ kind }) => {
      if (kind === 'opening.ended') this.#read(space)
    })
    told.then(
      leave => {
        if (this.#spaces.get(spaceId) !== space) return leave()
        space.leave = leave
        // Reads openings that ended before the feed began.
        this.#read(space)
      },
      (error: unknown) => {
        world.log.warn('events are not followed', { spaceId, why: String(error) })
        world.after(againAfterMs, () => {
          if (this.#spaces.get(spaceId) === space) this.#join(spaceId, space)
        })
      },
    )
  }

  #read(space: FollowedSpace): void {
    space.isStale = true
    if (!space.isReading) void this.#readRows(space)
  }

  /**
   * Reads until nothing is stale. The check and the note that reading is over are one synchronous step, so no end between them is
   * missed.
   */
  async #readRows(space: FollowedSpace): Promise<void> {
    const { database, world } = this.#parts
    space.isReading = true
    try {
      while (space.isStale && space.openings.size > 0) {
        space.isStale = false
        const ids = new Set([...space.openings].map(({ openingId }) => openingId))
        const rows: OpeningRow[] = await database
          .knex('openings')
          .where({ spaceId: space.spaceId })
          .whereIn('id', [...ids])
        for (const row of rows)
          for (const { openingId, tell } of [...space.openings]) if (openingId === row.id) tell(row)
      }
    } catch (error) {
      world.log.warn('openings of other clouds could not be read', { why: String(error) })
      world.after(againAfterMs, () => this.#read(space))
    } finally {
      space.isReading = false
    }
  }
}
