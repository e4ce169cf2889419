// Presses a gate over HTTP, as a client that repeats its request until it is answered.

import { setTimeout as pause } from 'node:timers/promises'
import { member, parseJson, text } from '../../../packages/demo/src/json.ts'
import type { Answer } from './judge.ts'
import type { ChaosActor, ChaosGate, RealHouse } from './realHouse.ts'

const answersWithinMs = 120_000

/** The outcome in an HTTP answer; or the time to wait before the request is repeated, milliseconds. */
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

/** Presses with the same Idempotency-Key until there is an outcome. Throws when there is none in two minutes. */
export async function press(
  { baseUrl }: RealHouse,
  gate: ChaosGate,
  actor: ChaosActor,
  key: string,
): Promise<Answer> {
  const headers = { authorization: `Bearer ${actor.apiKey}`, 'idempotency-key': key }
  const endMs = performance.now() + answersWithinMs
  while (performance.now() < endMs) {
    let waitMs = 100
    try {
      const signal = AbortSignal.timeout(60_000)
      const url = `${baseUrl}/api/v1/gates/${gate.id}/open`
      const answer = await fetch(url, { method: 'POST', headers, signal })
      const read = readAnswer(answer.status, parseJson(await answer.text()))
      if (typeof read !== 'number') return read
      waitMs = read
    } catch (error) {
      // The connection to the cloud was lost. Any other error is a bug of the test.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error
    }
    await pause(waitMs)
  }
  throw new Error('the press was never answered')
}
