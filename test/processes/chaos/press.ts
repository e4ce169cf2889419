// Presses a gate over HTTP, like a client that repeats its request until it gets an answer.

import { setTimeout as pause } from 'node:timers/promises'
import { member, parseJson, text } from '../../../packages/demo/src/json.ts'
import type { ChaosActor, ChaosGate } from './furnish.ts'
import type { Answer } from './trialChecker.ts'

const answersWithinMs = 120_000

/** The outcome in an HTTP answer, or the pause in milliseconds before the request is repeated. */
function readAnswer(status: number, body: unknown): Answer | number {
  const error = member(body, 'error')
  if (status === 200) {
    const outcome = member(body, 'opened') === true ? 'opened' : 'running'
    return { openingId: text(body, 'openingId'), outcome }
  }
  if (status === 502) return { openingId: text(error, 'openingId'), outcome: text(error, 'reason') }
  if (status === 429) return 2_000
  if (status < 500 && status !== 409) throw new Error(`${status} ${text(error, 'message')}`)
  return 100
}

/** The address of a press. */
export interface Desk {
  /** The first address, and after a failure the next. */
  readonly baseUrls: readonly string[]
  /** How long the client waits for the answer to its first request, in milliseconds; undefined: as long as usual. */
  readonly firstWithinMs?: number
  /** The pause of a client that hung up before it repeats its request, in milliseconds; undefined: almost none. */
  readonly awayMs?: number | undefined
  /** Called before each request is sent. */
  readonly onSend?: () => void
  /** Called with the reason why a request had no answer about the opening. */
  readonly onFailure?: (why: string) => void
}

/** Presses with the same Idempotency-Key until there is an outcome. Throws when there is none within two minutes. */
export async function press(
  { awayMs = 100, baseUrls, firstWithinMs = 60_000, onFailure, onSend }: Desk,
  gate: ChaosGate,
  actor: ChaosActor,
  key: string,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${actor.apiKey}`, 'idempotency-key': key }
  const endMs = performance.now() + answersWithinMs
  for (let tries = 0; performance.now() < endMs; tries++) {
    let waitMs = 100
    try {
      const signal = AbortSignal.timeout(tries === 0 ? firstWithinMs : 60_000)
      const url = `${baseUrls[tries % baseUrls.length]}/api/v1/gates/${gate.id}/open`
      onSend?.()
      const answer = await fetch(url, { method: 'POST', headers, signal })
      const text = await answer.text()
      const read = readAnswer(answer.status, parseJson(text))
      if (typeof read !== 'number') return read
      if (answer.status >= 500) onFailure?.(`${answer.status} ${text}`)
      waitMs = read
    } catch (error) {
      // The connection to the cloud was lost. Any other error is a defect of the test.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
      if (error instanceof TypeError) onFailure?.('the connection was lost')
      else waitMs = awayMs
    }
    await pause(waitMs)
  }
  throw new Error('the press was never answered')
}
