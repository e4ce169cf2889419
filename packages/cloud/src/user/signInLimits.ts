// Sign-in limits: how many wrong passwords are taken, counted so that a stranger can lock nobody out.

import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import { type Limiter, limiter, type Standing } from '../core/limits.ts'

const quarterMs = 15 * 60_000
const dayMs = 24 * 60 * 60_000

/** Somebody who wants to sign in. */
export interface Attempt {
  readonly email: string
  readonly addressGroup: string
  /** The browser, where this very account was signed in to on it before; else undefined. */
  readonly deviceId: string | undefined
}

export type Begun =
  | { readonly ok: true /** The password was right, or was not looked at. */; forgive(): void }
  | { readonly ok: false; readonly againInMs: number }

export interface SignInLimits {
  /** Counts an attempt before its password is looked at, so that many at once are counted too. */
  begin(attempt: Attempt): Begun
}

/** What is answered instead of looking at the password. */
export function tooMany(againInMs: number): Problem {
  const afterS = Math.ceil(againInMs / 1000)
  return {
    problem: 'rate_limited',
    message: `There were too many wrong passwords. Another is taken in ${afterS} s. A browser on which you have signed in before is not affected.`,
    headers: { 'Retry-After': String(afterS) },
  }
}

/**
 * Limits of wrong passwords, in the memory of this process. A browser on which the account was signed in to before is
 * counted alone, so no stranger can shut it out. All other browsers are counted together: by account and network, by
 * network, and by account, which stops guesses from many networks at once (NIST SP 800-63B: at most 100 in a row).
 */
export function createSignInLimits(world: World): SignInLimits {
  const byDevice = limiter({ most: 10, windowMs: quarterMs })
  const byAccountAndNetwork = limiter({ most: 10, windowMs: quarterMs })
  const byNetwork = limiter({ most: 50, windowMs: quarterMs })
  const byAccount = limiter({ most: 100, windowMs: dayMs })

  function countersOf({ addressGroup, deviceId, email }: Attempt): readonly (readonly [Limiter, string])[] {
    if (deviceId !== undefined) return [[byDevice, deviceId]]
    return [
      [byAccountAndNetwork, `${addressGroup} ${email}`],
      [byNetwork, addressGroup],
      [byAccount, email],
    ]
  }

  return {
    begin(attempt) {
      const nowMs = world.monotonicMs()
      const counters = countersOf(attempt)
      const standings = counters.map(([counter, key]): Standing => counter.peek(key, nowMs))
      const full = standings.filter(({ isTaken }) => !isTaken)
      if (full.length > 0) return { ok: false, againInMs: Math.max(...full.map(({ nextMs }) => nextMs)) }
      for (const [counter, key] of counters) counter.take(key, nowMs)
      return {
        ok: true,
        forgive() {
          for (const [counter, key] of counters) counter.giveBack(key)
        },
      }
    },
  }
}
