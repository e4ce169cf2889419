// Limits: how often keys, users, guests and strangers may do something, for one cloud alone or over all its replicas.

import type { World } from '@callgate/world/world'
import { type Limit, type Limiter, type LimitStatus, limiter } from '../core/limiter.ts'

/** A limit by keys. In a cloud alone the answers come at once; where replicas share them they are promises. */
export interface KeyLimiter {
  /** Counts one more for `key`, or refuses it. What is refused does not count, so a retry after `nextMs` is taken. */
  take(key: string): LimitStatus | Promise<LimitStatus>
  /** Where `key` stands; counts nothing. */
  peek(key: string): LimitStatus | Promise<LimitStatus>
}

/** What `takeAll` has come to. */
export type Taken =
  | {
      readonly ok: true /** Forgets all again: it was taken before anybody knew that it does not count. */
      giveBack(): void | Promise<void>
    }
  | { readonly ok: false /** Milliseconds until all are free. */; readonly againInMs: number }

/** Limits of which one is taken only together with the others. */
export interface LimitGroup<Name extends string> {
  /** Counts one for each key, or refuses and counts none. */
  takeAll(keys: Readonly<Partial<Record<Name, string>>>): Taken | Promise<Taken>
}

/** One of a key that was taken before this process began. */
export interface Earlier {
  readonly key: string
  readonly agoMs: number
}

export interface LimiterOptions {
  /** Above so many keys, those that were quiet longest are forgotten. */
  readonly mostKeys?: number
  /** Reads what was taken before this process began, the oldest first. It is asked where nothing else knows that. */
  readonly earlier?: () => Promise<readonly Earlier[]>
}

export interface Limits {
  /** Other processes count with them, and so does the next run of this one. */
  readonly isShared: boolean
  /** A limit. Its name is the same in all replicas, and no other limit has it. */
  limiter(name: string, limit: Limit, options?: LimiterOptions): KeyLimiter
  /** Keys that are good for one time, for `validMs`. Resolves with whether this was the first time. */
  once(name: string, validMs: number): (key: string) => boolean | Promise<boolean>
  /** Limits that are taken together. Each name is that of a limit, as above. */
  group<Name extends string>(limits: Readonly<Record<Name, Limit>>): LimitGroup<Name>
  /** Ends what runs by itself. */
  stop(): void
}

/** Above so many keys a limit forgets those that were quiet longest. */
export const usualMostKeys = 100_000

const refused = (statuses: readonly LimitStatus[]) => statuses.filter(({ isTaken }) => !isTaken)

/** What is told where some are refused; undefined where none is. */
export function refusalOf(statuses: readonly LimitStatus[]): Extract<Taken, { ok: false }> | undefined {
  const full = refused(statuses)
  return full.length === 0
    ? undefined
    : { ok: false, againInMs: Math.max(...full.map(({ nextMs }) => nextMs)) }
}

/** A limit that begins with what was taken earlier. The first who ask wait for that; where it fails, the next try again. */
function restoredLimiter(
  world: Pick<World, 'monotonicMs'>,
  one: Limiter,
  earlier: () => Promise<readonly Earlier[]>,
): KeyLimiter {
  let isRestored = false
  let restoring: Promise<void> | undefined
  async function restore(): Promise<void> {
    for (const { agoMs, key } of await earlier()) one.take(key, world.monotonicMs() - agoMs)
    isRestored = true
  }
  function restored(): Promise<void> {
    restoring ??= restore().finally(() => {
      restoring = undefined
    })
    return restoring
  }
  const asking = (act: 'take' | 'peek') => (key: string) => {
    const ask = () => one[act](key, world.monotonicMs())
    return isRestored ? ask() : restored().then(ask)
  }
  return { take: asking('take'), peek: asking('peek') }
}

/** Limits in the memory of this process, by its monotonic clock: for a cloud alone. A restart begins with none taken. */
export function limitsInMemory(world: Pick<World, 'monotonicMs'>): Limits {
  return {
    isShared: false,
    limiter(_name, limit, { earlier, mostKeys = usualMostKeys } = {}) {
      const one = limiter(limit, mostKeys)
      if (earlier) return restoredLimiter(world, one, earlier)
      return {
        take: key => one.take(key, world.monotonicMs()),
        peek: key => one.peek(key, world.monotonicMs()),
      }
    },
    once(_name, validMs) {
      const spent = limiter({ most: 1, windowMs: validMs })
      return key => spent.take(key, world.monotonicMs()).isTaken
    },
    group: limits => groupInMemory(world, limits),
    stop() {},
  }
}

function groupInMemory<Name extends string>(
  world: Pick<World, 'monotonicMs'>,
  limits: Readonly<Record<Name, Limit>>,
): LimitGroup<Name> {
  const all = Object.entries<Limit>(limits).map(([name, limit]) => [name, limiter(limit)] as const)
  return {
    takeAll(keys: Readonly<Partial<Record<string, string>>>) {
      const nowMs = world.monotonicMs()
      const taken = all.flatMap(([name, one]) => {
        const key = keys[name]
        return key === undefined ? [] : [{ one, key }]
      })
      const refusal = refusalOf(taken.map(({ key, one }) => one.peek(key, nowMs)))
      if (refusal) return refusal
      for (const { key, one } of taken) one.take(key, nowMs)
      return {
        ok: true,
        giveBack() {
          for (const { key, one } of taken) one.giveBack(key)
        },
      }
    },
  }
}
