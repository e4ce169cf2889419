// Traces of openings, sent to a collector by OTLP/HTTP in its JSON form (OTLP 1.0). Written by hand, because it is one POST of
// one JSON: the libraries of OpenTelemetry have ids, clocks and timers of their own, and are larger than the whole daemon.

import { followHops } from './hops.ts'
import { limitedLog } from './limitedLog.ts'
import { openingSpans, type Program, type Span } from './openingSpans.ts'
import type { TraceTarget } from './traceTarget.ts'
import type { Timer, World } from './world.ts'

/** How long spans wait for others, milliseconds, and how many wait at most: more are dropped. */
const waitsMs = 2_000
const mostWaiting = 2_000
/** How long the collector may take. Unaccepted spans are dropped, because a trace is not worth a retry. */
const sendWithinMs = 5_000

export interface Traces {
  /** Sends the waiting spans, for at most 2 s, and ends. */
  stop(): Promise<void>
}

/** Nanoseconds since the epoch as a text, which is how JSON carries 64 bits in OTLP. */
const unixNano = (epochMs: number) => String(BigInt(Math.round(epochMs * 1_000)) * 1_000n)
const texts = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }))

/** The request of OTLP. `offsetMs` is the wall clock minus the monotonic one. */
function requestOf(
  resource: Readonly<Record<string, string>>,
  spans: readonly Span[],
  offsetMs: number,
): string {
  const written = spans.map(
    ({ attributes, endMs, hasFailed, name, parentSpanId, spanId, startMs, traceId }) => ({
      traceId,
      spanId,
      ...(parentSpanId !== undefined && { parentSpanId }),
      name,
      kind: 1,
      startTimeUnixNano: unixNano(startMs + offsetMs),
      endTimeUnixNano: unixNano(endMs + offsetMs),
      attributes: texts(attributes),
      status: hasFailed ? { code: 2 } : {},
    }),
  )
  const scopeSpans = [{ scope: { name: 'callgate' }, spans: written }]
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: texts(resource) }, scopeSpans }] })
}

class Sending implements Traces {
  readonly #world: World
  readonly #target: TraceTarget
  readonly #resource: Readonly<Record<string, string>>
  readonly #complain: ReturnType<typeof limitedLog>
  readonly #unfollow: () => void
  #waiting: Span[] = []
  #timer: Timer | undefined
  #sending: Promise<void> | undefined

  constructor(
    world: World,
    target: TraceTarget,
    about: { readonly program: Program; readonly version: string },
  ) {
    this.#world = world
    this.#target = target
    this.#resource = { 'service.name': `callgate-${about.program}`, 'service.version': about.version }
    this.#complain = limitedLog(world)
    const spans = openingSpans(about.program)
    this.#unfollow = followHops(hop => this.#add(spans.take(hop, world.monotonicMs())))
  }

  async stop(): Promise<void> {
    this.#unfollow()
    this.#timer?.cancel()
    const limit = new Promise<void>(resolve => this.#world.after(waitsMs, resolve))
    await Promise.race([this.#flush(), limit])
  }

  #add(spans: readonly Span[]): void {
    this.#waiting.push(...spans)
    if (this.#waiting.length > mostWaiting) this.#waiting = this.#waiting.slice(-mostWaiting)
    if (this.#waiting.length > 0) this.#timer ??= this.#world.after(waitsMs, () => void this.#flush())
  }

  /** One request at a time: while a collector is slow, spans wait. */
  async #flush(): Promise<void> {
    await this.#sending
    this.#timer = undefined
    const spans = this.#waiting
    this.#waiting = []
    if (spans.length === 0) return
    this.#sending = this.#send(spans)
    await this.#sending
  }

  async #send(spans: readonly Span[]): Promise<void> {
    const { headers, url } = this.#target
    const abort = new AbortController()
    const limit = this.#world.after(sendWithinMs, () => abort.abort())
    const offsetMs = this.#world.nowMs() - this.#world.monotonicMs()
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: requestOf(this.#resource, spans, offsetMs),
        redirect: 'error',
        signal: abort.signal,
      })
      await answer.body?.cancel()
      if (!answer.ok) this.#complain('traces were refused', { status: answer.status, spans: spans.length })
    } catch (error) {
      const cause =
        error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      this.#complain('traces were not sent', { why: cause, spans: spans.length })
    } finally {
      limit.cancel()
    }
  }
}

/** Sends the spans of this process's openings from now on. A collector that does not answer delays nothing. */
export function startTraces(
  world: World,
  target: TraceTarget,
  about: { readonly program: Program; readonly version: string },
): Traces {
  return new Sending(world, target, about)
}
