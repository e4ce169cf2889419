// `GET /readyz`: whether every part that an opening needs is ready, with one finding for each, as 200 or 503.

import type { World } from '@callgate/world/world'
import type { Router } from '@koa/router'

/**
 * The result of a check. Strangers can read it, so it contains no secret, no path and no address. A working part may add details,
 * such as a version.
 */
export type Finding =
  | { readonly ok: true; readonly [fact: string]: unknown }
  /** `reason` is a sentence for the operator. */
  | { readonly ok: false; readonly reason: string }

/** The check of each part; the names are those in the answer. */
export type ReadinessChecks = Readonly<Record<string, () => Promise<Finding> | Finding>>

/** The answer of `/readyz`: `not_ready`, with the status 503, when a finding is not `ok`. */
interface Readiness {
  readonly status: 'ready' | 'not_ready'
  readonly checks: Readonly<Record<string, Finding>>
}

/** Longer than a write waits for another program's lock. */
const checkWithinMs = 3_000
/** How long an answer is reused: a check takes the lock of the database. */
const keptMs = 1_000

interface ReadinessParts {
  readonly world: World
  readonly checks: ReadinessChecks
}

/** The finding of one check; a check that fails or takes too long is a finding as well. */
async function find({ log, after }: World, name: string, look: ReadinessChecks[string]): Promise<Finding> {
  const failed = { ok: false, reason: 'The check failed; the log says why.' } as const
  const late = { ok: false, reason: `It has not answered within ${checkWithinMs / 1000} s.` } as const
  return new Promise<Finding>(resolve => {
    const timer = after(checkWithinMs, () => resolve(late))
    const found = Promise.resolve()
      .then(look)
      .catch((error: unknown): Finding => {
        log.error('a readiness check failed', { name, why: String(error) })
        return failed
      })
    void found.then(finding => {
      timer.cancel()
      resolve(finding)
    })
  })
}

/** Runs all checks at once. A request meanwhile, or within the second after, gets the same answer. */
export function readinessReader({ checks, world }: ReadinessParts): () => Promise<Readiness> {
  let asked: Promise<Readiness> | undefined
  let answeredMs = Number.POSITIVE_INFINITY

  async function ask(): Promise<Readiness> {
    const findings = Object.entries(checks).map(
      async ([name, look]) => [name, await find(world, name, look)] as const,
    )
    const results = Object.fromEntries(await Promise.all(findings))
    const isReady = Object.values(results).every(({ ok }) => ok)
    answeredMs = world.monotonicMs()
    return { status: isReady ? 'ready' : 'not_ready', checks: results }
  }

  return () => {
    if (asked && world.monotonicMs() - answeredMs < keptMs) return asked
    answeredMs = Number.POSITIVE_INFINITY
    asked = ask()
    return asked
  }
}

/** Adds `/readyz` to `router`. */
export function serveReadiness(router: Router, parts: ReadinessParts): void {
  const read = readinessReader(parts)
  router.get('/readyz', async ctx => {
    const readiness = await read()
    ctx.status = readiness.status === 'ready' ? 200 : 503
    ctx.body = readiness
  })
}
