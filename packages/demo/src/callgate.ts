// The cloud as the demo uses it: the operator's command line and the REST API.

import { until, within } from './clock.ts'
import { member, parseJson, text } from './json.ts'
import type { RunningParts } from './parts.ts'
import { done, failed, messageOf, type Result } from './result.ts'

export interface Callgate {
  /** Runs one `pnpm callgate …` with `--json`, and returns the object that it prints. */
  command(...args: readonly string[]): Promise<Result<unknown>>
  /** One call of the REST API; its body when it succeeds. */
  request(
    apiKey: string,
    method: 'GET' | 'POST' | 'PATCH',
    path: string,
    body?: unknown,
  ): Promise<Result<unknown>>
  /** Waits until the server answers. */
  answers(): Promise<Result<void>>
  /** Waits until keys are accepted, which may take long after a restore from a backup, and reports the reason. */
  takesKeys(say: (line: string) => void): Promise<Result<void>>
}

/** Long, for a slow machine; a server that ends is noticed at once anyway. */
const readyWithinMs = 150_000
const answerWithinMs = 30_000

/** Why the cloud refuses keys since a restore from a backup; undefined when it takes them. */
async function whyShut(baseUrl: string, over: AbortSignal): Promise<string | undefined> {
  const answer = await fetch(`${baseUrl}/readyz`, { signal: within(answerWithinMs, over) })
  return text(member(member(parseJson(await answer.text()), 'checks'), 'restore'), 'reason')
}

export function createCallgate(options: {
  readonly baseUrl: string
  /** The path of the cloud's bundle. */
  readonly bundle: string
  readonly environment: Readonly<Record<string, string>>
  readonly parts: RunningParts
  readonly over: AbortSignal
}): Callgate {
  const { baseUrl, over, parts } = options
  return {
    async command(...args) {
      const printed = await parts.run([options.bundle, ...args, '--json'], options.environment)
      if (!printed.ok) return printed
      const object = parseJson(printed.value)
      return object === undefined
        ? failed(`callgate ${args.join(' ')} printed no JSON: ${printed.value.slice(0, 200)}`)
        : done(object)
    },

    async request(apiKey, method, path, body) {
      try {
        const answer = await fetch(`${baseUrl}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${apiKey}`,
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
          signal: within(answerWithinMs, over),
        })
        const received = parseJson(await answer.text())
        if (answer.ok) return done(received)
        const message = text(member(received, 'error'), 'message') ?? ''
        return failed(`${method} ${path} was answered with ${answer.status}. ${message}`)
      } catch (error) {
        return failed(over.aborted ? 'stopped' : `${method} ${path} failed: ${messageOf(error)}`)
      }
    },

    async answers() {
      const isUp = async () => {
        const answer = await fetch(`${baseUrl}/healthz`, { signal: within(2_000, over) }).catch(
          () => undefined,
        )
        return answer?.ok ? true : undefined
      }
      const isUpSoon = until(isUp, { withinMs: readyWithinMs, everyMs: 50, signal: over })
      const up = await parts.sayWhy('cloud', isUpSoon)
      if (up) return done(undefined)
      return failed(
        over.aborted ? 'stopped' : `The cloud does not answer at ${baseUrl}; see ${parts.logPath('cloud')}`,
      )
    },

    async takesKeys(say) {
      const said = new Set<string>()
      const isOpen = async () => {
        const why = await whyShut(baseUrl, over).catch(() => undefined)
        // The remaining seconds are reported once.
        const words = why?.replaceAll(/\d+/g, '')
        if (why !== undefined && words !== undefined && !said.has(words)) say(why)
        if (words !== undefined) said.add(words)
        return words === undefined || undefined
      }
      await until(isOpen, { withinMs: Number.POSITIVE_INFINITY, everyMs: 1_000, signal: over })
      return over.aborted ? failed('stopped') : done(undefined)
    },
  }
}
