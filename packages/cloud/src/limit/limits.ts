// Limits: how often keys, users, guests and strangers may do something, in one cloud alone or over all its replicas.

import type { World } from '@callgate/world/world'
import { type Limit, type Limiter, type LimitStatus, limiter } from '../core/limiter.ts'

/** A limit by keys. A cloud alone answers at once; limits that replicas share return promises. */
export interface KeyLimiter {
  /** Counts one more for `key`, or refuses it. A refusal is not counted, so a retry after `nextMs` is accepted. */
  take(key: string): LimitStatus | Promise<LimitStatus>
  /** The status of `key`, without counting. */
  peek(key: string): LimitStatus | Promise<LimitStatus>
}

/** The result of `takeAll`. */
export type Taken =
  | {
      readonly ok: true /** Forgets all again: it was taken before anybody knew that it does not count. */
      giveBack(): void | Promise<void>
    }
  | { readonly ok: false /** Milliseconds until all are free. */; readonly againInMs: number }

/** Limits that are taken together or not at all. */
export interface LimitGroup<Name extends string> {
  /** Counts one for each key, or refuses and counts none. */
  takeAll(keys: Readonly<Partial<Record<Name, string>>>): Taken | Promise<Taken>
}

/** A count of a key from before this process began. */
export interface Earlier {
  readonly key: string
  readonly agoMs: number
}

export interface LimiterOptions {
  /** Above this number of keys, the least recently used ones are dropped. */
  readonly mostKeys?: number
  /** Reads the counts from before this process began, the oldest first, for limits that nothing else stores. */
  readonly earlier?: () => Promise<readonly Earlier[]>
}

export interface Limits {
  /** Whether other processes share the counts, and the next run of this one has them. */
  readonly isShared: boolean
  /** Makes a limit. Its name is the same in all replicas, and unique among the limits. */
  limiter(name: string, limit: Limit, options?: LimiterOptions): KeyLimiter
  /** Makes a check for keys that are valid once, for `validMs`. It resolves with whether this was the first use. */
  once(name: string, validMs: number): (key: string) => boolean | Promise<boolean>
  /** Makes limits that are taken together. Each name is the name of a limit, as above. */
  group<Name extends string>(limits: Readonly<Record<Name, Limit>>): LimitGroup<Name>
  /** Ends all background work. */
  stop(): void
}

/** Above this number of keys, a limit drops the least recently used ones. */
export const usualMostKeys = 100_000

const refused = (statuses: readonly LimitStatus[]) => statuses.filter(({ isTaken }) => !isTaken)

/** The refusal where some limits refuse; undefined where none does. */
export function refusalOf(statuses: readonly LimitStatus[]): Extract<Taken, { ok: false }> | undefined {
  const full = refused(statuses)
  return full.length === 0
    ? undefined
    : { ok: false, againInMs: Math.max(...full.map(({ nextMs }) => nextMs)) }
}

/**
 * A limit that begins with earlier counts. The first callers wait for them; where reading them fails, the next callers try again.
 */
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

/** Limits in the memory of this process, by its monotonic clock: for a cloud alone. A restart begins without counts. */
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
