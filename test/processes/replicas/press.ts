// A press by a key, sent like a client of the API: again, at another cloud, until it is answered.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clouds } from './clouds.ts'

/** The final answer to a request, with the number of tries. */
export interface Answered {
  readonly status: number
  readonly openingId: string | undefined
  /** The reason where nothing was opened. */
  readonly why: string
  /** Its first answers, where it was repeated. */
  readonly failures: readonly string[]
}

const answersWithinMs = 120_000

/** The pause of a client of the API before it repeats a request, in milliseconds. */
const againAfterMs = 1_000

const failureOf = (status: number | undefined, text: string | undefined) =>
  status === undefined ? 'lost' : `${status} ${/"code":"(\w+)"/.exec(text ?? '')?.[1] ?? ''}`.trim()

/**
 * Sends a request until it is answered: 503 and a lost connection are no answers, and 409 means that its first copy still runs.
 */
export async function answered(send: (tries: number) => Promise<Response>): Promise<Answered> {
  const endMs = performance.now() + answersWithinMs
  const failures: string[] = []
  for (let tries = 0; performance.now() < endMs; tries++) {
    const answer = await send(tries).catch(() => undefined)
    const text = await answer?.text().catch(() => undefined)
    const status = text === undefined ? undefined : answer?.status
    if (status !== undefined && text !== undefined && (status === 502 || (status < 500 && status !== 409))) {
      const body = JSON.parse(text) as { openingId?: string; error?: { openingId?: string; reason?: string } }
      const openingId = body.openingId ?? body.error?.openingId
      return { status, openingId, why: body.error?.reason ?? '', failures }
    }
    if (status !== 409) failures.push(failureOf(status, text))
    await pause(againAfterMs)
  }
  return { status: 0, openingId: undefined, why: 'no answer', failures }
}

/** Presses at one cloud, and at the next when it is not answered, with one Idempotency-Key. */
export function press(
  { baseUrls }: Clouds,
  given: { readonly at: number; readonly gateId: string; readonly key: string; readonly once?: string },
): Promise<Answered> {
  const headers = { authorization: `Bearer ${given.key}`, 'idempotency-key': given.once ?? randomUUID() }
  return answered(tries => {
    const url = `${baseUrls[(given.at + tries) % baseUrls.length]}/api/v1/gates/${given.gateId}/open`
    return fetch(url, { method: 'POST', headers })
  })
}
