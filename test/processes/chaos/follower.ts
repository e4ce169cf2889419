// Follows the events of a Space at one cloud over every fault, as the dashboard does.

import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@callgate/cloud/database/database'
import { type ReadEvent, readStream } from '@callgate/cloud/event/eventStream.kit'
import { newUser } from '@callgate/cloud/user/user.kit'
import { realWorld } from '@callgate/world/real'

export interface Follower {
  readonly at: string
  /** All events, in the order in which they came. */
  told(): readonly ReadEvent[]
  stop(): void
}

/** The pause before it asks for a stream again, in milliseconds; a stream may be asked for 60 times a minute. */
const againAfterMs = 1_500

function follow(at: string, url: string, headers: Readonly<Record<string, string>>): Follower {
  const told: ReadEvent[] = []
  const over = new AbortController()
  const isOver = () => over.signal.aborted

  async function followOnce(): Promise<void> {
    const last = told.at(-1)
    const after = last && { 'Last-Event-ID': String(last.id) }
    const stream = await readStream(url, { ...headers, ...after })
    over.signal.addEventListener('abort', stream.leave, { once: true })
    let taken = 0
    let length = 0
    const take = () => {
      if (stream.text().length === length) return
      length = stream.text().length
      const events = stream.events()
      told.push(...events.slice(taken))
      taken = events.length
    }
    while (!stream.hasEnded()) {
      take()
      await pause(20)
    }
    take()
  }

  async function followAlways(): Promise<void> {
    while (!isOver()) {
      await followOnce().catch(() => {})
      if (!isOver()) await pause(againAfterMs)
    }
  }
  void followAlways()
  return { at, told: () => told, stop: () => over.abort() }
}

/** A signed-in user for each cloud, who follows the Space there from now on. */
export async function followersOf(
  database: Database,
  spaceId: string,
  baseUrls: readonly string[],
): Promise<readonly Follower[]> {
  const world = realWorld({ logLevel: 'silent' })
  const followers: Follower[] = []
  for (const [place, baseUrl] of baseUrls.entries()) {
    const user = await newUser({ database, world }, { email: `follower${place}@example.com`, spaceId })
    followers.push(follow(baseUrl, `${baseUrl}/app/v1/spaces/${spaceId}/events`, user.headers))
  }
  return followers
}
