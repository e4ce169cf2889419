// The feed: the one reader of events in this process. It reads those of Spaces with followers, and passes them on.

import type { Timer, World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { readEventsAfter, readNewestSeq, readNewestSeqs } from './eventRows.ts'
import type { SpaceEvent } from './events.ts'

export interface EventFeed {
  /**
   * Passes each event of the Space that is committed after the promise has resolved to `take`, once and in order, until the
   * returned function is called. Some events that were committed shortly before may come too.
   */
  follow(spaceId: string, take: (event: SpaceEvent) => void): Promise<() => void>
}

/** How often the followed Spaces are checked for events of other processes, and of commits without an answer. */
const checkEveryMs = 1_000
const mostAtOnce = 200
/** How many Spaces one query covers. */
const mostSpaces = 500
/** How many followers get their events in one turn of the event loop. */
const toldInTurn = 200

interface Followed {
  readonly followers: Set<(event: SpaceEvent) => void>
  /** The number of the last event that was read; undefined until the first read. */
  cursor: number | undefined
  readonly isReady: Promise<void>
  isReading: boolean
  isStale: boolean
}

class Feed implements EventFeed {
  readonly #parts: { readonly world: World; readonly database: Database }
  readonly #spaces = new Map<string, Followed>()
  #timer: Timer | undefined

  constructor(parts: { readonly world: World; readonly database: Database }) {
    this.#parts = parts
    parts.database.onEvents(spaceIds => {
      for (const spaceId of spaceIds) this.#wake(spaceId)
    })
  }

  async follow(spaceId: string, take: (event: SpaceEvent) => void): Promise<() => void> {
    const followed = this.#spaces.get(spaceId) ?? this.#begin(spaceId)
    followed.followers.add(take)
    const leave = () => {
      followed.followers.delete(take)
      if (followed.followers.size === 0 && this.#spaces.get(spaceId) === followed)
        this.#spaces.delete(spaceId)
    }
    try {
      await followed.isReady
    } catch (error) {
      leave()
      throw error
    }
    return leave
  }

  #begin(spaceId: string): Followed {
    const isReady = readNewestSeq(this.#parts.database.knex, spaceId).then(seq => {
      followed.cursor = seq
    })
    const followed: Followed = {
      followers: new Set(),
      cursor: undefined,
      isReady,
      isReading: false,
      isStale: false,
    }
    this.#spaces.set(spaceId, followed)
    this.#timer ??= this.#lookLater()
    return followed
  }

  #wake(spaceId: string): void {
    const followed = this.#spaces.get(spaceId)
    if (!followed) return
    followed.isStale = true
    if (!followed.isReading) void this.#read(spaceId, followed)
  }

  /** Reads until nothing is left. A failed read is repeated at the next check. */
  async #read(spaceId: string, followed: Followed): Promise<void> {
    const { database, world } = this.#parts
    followed.isReading = true
    try {
      await followed.isReady
      while (followed.isStale && followed.followers.size > 0) {
        followed.isStale = false
        const seq = followed.cursor ?? 0
        const events = await readEventsAfter(database.knex, { spaceId, seq, most: mostAtOnce })
        const last = events.at(-1)
        if (!last) continue
        followed.isStale ||= events.length === mostAtOnce
        // Before they are passed on: a new follower reads these events itself.
        followed.cursor = last.seq
        await this.#tell(followed, events)
      }
    } catch (error) {
      world.log.warn('events could not be read', { spaceId, why: String(error) })
    } finally {
      followed.isReading = false
    }
  }

  async #tell({ followers }: Followed, events: readonly SpaceEvent[]): Promise<void> {
    let told = 0
    for (const take of [...followers]) {
      if (++told % toldInTurn === 0) await this.#parts.world.turn()
      if (followers.has(take)) for (const event of events) take(event)
    }
  }

  #lookLater(): Timer {
    return this.#parts.world.after(checkEveryMs, () => {
      void this.#look().finally(() => {
        this.#timer = this.#spaces.size > 0 ? this.#lookLater() : undefined
      })
    })
  }

  async #look(): Promise<void> {
    const { database, world } = this.#parts
    const spaceIds = [...this.#spaces.keys()]
    try {
      for (let from = 0; from < spaceIds.length; from += mostSpaces) {
        const newest = await readNewestSeqs(database.knex, spaceIds.slice(from, from + mostSpaces))
        for (const [spaceId, seq] of newest)
          if ((this.#spaces.get(spaceId)?.cursor ?? seq) < seq) this.#wake(spaceId)
      }
    } catch (error) {
      world.log.warn('events could not be looked for', { why: String(error) })
    }
  }
}

export function createEventFeed(parts: { readonly world: World; readonly database: Database }): EventFeed {
  return new Feed(parts)
}
