// Follows an opening: reads its stream of events, and reconnects when the connection is lost.

import { eventTextReader, type TextEvent } from '@callgate/contract/eventText'
import { failureOf, problemOf, type Request, whyOf } from './exchange.ts'
import { isWorthAnotherTry, waitMs } from './retry.ts'
import type { Clock, Failure, Followed, FollowOptions } from './types.ts'

interface FollowParts {
  readonly clock: Clock
  readonly fetcher: typeof fetch
  readonly tries: number
  readonly deadlineMs: number
}

/** The service sends something every 15 s. After three times this silence the connection counts as lost. Milliseconds. */
const silentMs = 45_000
/** The step in an event. Throws where the text is not one. */
function toFollowed({ data, event, id }: TextEvent): Followed {
  const { at, step } = JSON.parse(data) as Followed
  return { ok: true, id, step, at, hasMissed: event === 'reset' }
}

/** The events in the text of a stream, as they arrive. Throws where the text is not a stream of events. */
async function* eventsOf(body: ReadableStream<Uint8Array>, onText: () => void): AsyncGenerator<Followed> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const read = eventTextReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onText()
    for (const event of read(decoder.decode(value, { stream: true }))) yield toFollowed(event)
  }
}

/** How one connection ended; undefined where the opening has ended. */
type Lost = Failure | undefined

/** Reads one connection to its end. `signal` ends it; the caller knows the reason. */
async function* readOnce(
  { clock, fetcher }: FollowParts,
  { headers, method, url }: Request,
  stop: AbortController,
): AsyncGenerator<Followed, Lost> {
  let cancel = clock.limit(silentMs, () => stop.abort())
  const heard = () => {
    cancel()
    cancel = clock.limit(silentMs, () => stop.abort())
  }
  try {
    const answer = await fetcher(url, { method, headers, signal: stop.signal, redirect: 'manual' })
    if (answer.status === 204) return undefined
    if (answer.status !== 200 || !answer.body) return problemOf(answer, await answer.text())
    for await (const event of eventsOf(answer.body, heard)) {
      yield event
      if (event.step === 'ended') return undefined
    }
    return failureOf('network_error', 'The connection was lost before the opening had ended.')
  } catch (error) {
    return failureOf('network_error', `The connection was lost: ${whyOf(error)}.`)
  } finally {
    cancel()
    stop.abort()
  }
}

/** The steps of an opening, until it has ended. A failure is the last item. */
export async function* followOpening(
  parts: FollowParts,
  request: Request,
  options: FollowOptions,
): AsyncGenerator<Followed | Failure, void, undefined> {
  const { clock, tries } = parts
  const { deadlineMs = parts.deadlineMs, signal } = options
  const endMs = clock.nowMs() + deadlineMs
  let { lastEventId } = options
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) return yield failureOf('aborted', 'The call was given up by its caller.')
    const stop = new AbortController()
    const giveUp = () => stop.abort()
    signal?.addEventListener('abort', giveUp, { once: true })
    const cancel = clock.limit(endMs - clock.nowMs(), giveUp)
    const headers = {
      ...request.headers,
      Accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    }
    let lost: Lost
    try {
      const events = readOnce(parts, { ...request, headers }, stop)
      for (;;) {
        const { done, value } = await events.next()
        if (done) {
          lost = value
          break
        }
        lastEventId = value.id
        attempt = 1
        yield value
      }
    } finally {
      giveUp()
      cancel()
      signal?.removeEventListener('abort', giveUp)
    }
    if (!lost) return
    if (signal?.aborted) continue
    const delayMs = waitMs(attempt, lost.retryAfterMs, clock.random())
    const isLate = clock.nowMs() + delayMs >= endMs
    if (isLate && lost.code === 'network_error')
      return yield failureOf('deadline_exceeded', 'The opening had not ended before the deadline.')
    if (isLate || !isWorthAnotherTry(lost) || attempt >= tries) return yield lost
    await clock.pause(delayMs, signal)
  }
}
