// Follows an opening or a Space: reads a stream of events, and reconnects when the connection is lost.

import { eventTextReader, type TextEvent } from '@callgate/contract/eventText'
import { failureOf, problemOf, type Request, whyOf } from './exchange.ts'
import { isWorthAnotherTry, waitMs } from './retry.ts'
import type { Clock, Failure, Followed, FollowedChange, FollowOptions } from './types.ts'

interface FollowParts {
  readonly clock: Clock
  readonly fetcher: typeof fetch
  readonly tries: number
  readonly deadlineMs: number
}

/** The service sends something every 15 s. After three times this silence the connection counts as lost. Milliseconds. */
const silentMs = 45_000
interface Item {
  readonly ok: true
  readonly id: string
}

/** How a stream is read. */
interface Reading<Told extends Item> {
  /** What an event tells. Throws where the text is not one. */
  readonly read: (event: TextEvent) => Told
  /** Whether nothing comes after it. */
  readonly isLast: (told: Told) => boolean
  /** What the stream has not reached when its connection is lost. */
  readonly end: string
  /** Whether it goes on for ever, so that no number of lost connections ends it. */
  readonly isEndless: boolean
}

/** The steps of an opening. */
export const steps: Reading<Followed> = {
  read({ data, event, id }) {
    const { at, step } = JSON.parse(data) as Followed
    return { ok: true, id, step, at, hasMissed: event === 'reset' }
  },
  isLast: ({ step }) => step === 'ended',
  end: 'the opening had ended',
  isEndless: false,
}

/** The changes of a Space, which have no end. */
export const changes: Reading<FollowedChange> = {
  read({ data, event, id }) {
    const { sequence, timestamp, type, data: about } = JSON.parse(data) as FollowedChange
    return { ok: true, id, type, timestamp, sequence, data: about, hasMissed: event === 'reset' }
  },
  isLast: () => false,
  end: 'the caller ended it',
  isEndless: true,
}

/** The events in the text of a stream, as they arrive. Throws where the text is not a stream of events. */
async function* eventsOf(body: ReadableStream<Uint8Array>, onText: () => void): AsyncGenerator<TextEvent> {
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const read = eventTextReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onText()
    yield* read(decoder.decode(value, { stream: true }))
  }
}

/** How one connection ended; undefined where the stream has ended. */
type Lost = Failure | undefined

/** Reads one connection to its end. `signal` ends it; the caller knows the reason. */
async function* readOnce<Told extends Item>(
  { clock, fetcher }: FollowParts,
  { end, isLast, read }: Reading<Told>,
  { headers, method, url }: Request,
  stop: AbortController,
  onText: () => void,
): AsyncGenerator<Told, Lost> {
  let cancel = clock.limit(silentMs, () => stop.abort())
  const heard = () => {
    onText()
    cancel()
    cancel = clock.limit(silentMs, () => stop.abort())
  }
  try {
    const answer = await fetcher(url, { method, headers, signal: stop.signal, redirect: 'manual' })
    if (answer.status === 204) return undefined
    if (answer.status !== 200 || !answer.body) return problemOf(answer, await answer.text())
    for await (const event of eventsOf(answer.body, heard)) {
      const told = read(event)
      yield told
      if (isLast(told)) return undefined
    }
    return failureOf('network_error', `The connection was lost before ${end}.`)
  } catch (error) {
    return failureOf('network_error', `The connection was lost: ${whyOf(error)}.`)
  } finally {
    cancel()
    stop.abort()
  }
}

/** The items of a stream until its end. A failure is the last item. */
export async function* follow<Told extends Item>(
  parts: FollowParts,
  reading: Reading<Told>,
  request: Request,
  options: FollowOptions,
): AsyncGenerator<Told | Failure, void, undefined> {
  const { clock, tries } = parts
  const { deadlineMs = parts.deadlineMs, signal } = options
  const endMs = clock.nowMs() + deadlineMs
  let { lastEventId } = options
  for (let attempt = 1; ; attempt++) {
    if (signal?.aborted) return yield failureOf('aborted', 'The call was given up by its caller.')
    const stop = new AbortController()
    const giveUp = () => stop.abort()
    signal?.addEventListener('abort', giveUp, { once: true })
    // A timer of the platform with no end would fire at once.
    const cancel = Number.isFinite(endMs) ? clock.limit(endMs - clock.nowMs(), giveUp) : () => {}
    const headers = {
      ...request.headers,
      Accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }),
    }
    let lost: Lost
    // A connection that has carried anything has worked, also where nothing happened meanwhile.
    const worked = () => {
      attempt = 1
    }
    const events = readOnce(parts, reading, { ...request, headers }, stop, worked)
    try {
      for (;;) {
        const { done, value } = await events.next()
        if (done) {
          lost = value
          break
        }
        lastEventId = value.id
        yield value
      }
    } finally {
      giveUp()
      cancel()
      signal?.removeEventListener('abort', giveUp)
      // Its caller may have stopped in the middle.
      await events.return(undefined)
    }
    if (!lost) return
    if (signal?.aborted) continue
    const delayMs = waitMs(attempt, lost.retryAfterMs, clock.random())
    const isLate = clock.nowMs() + delayMs >= endMs
    if (isLate && lost.code === 'network_error')
      return yield failureOf('deadline_exceeded', `The deadline came before ${reading.end}.`)
    const isOver = attempt >= tries && !reading.isEndless
    if (isLate || !isWorthAnotherTry(lost) || isOver) return yield lost
    await clock.pause(delayMs, signal)
  }
}
