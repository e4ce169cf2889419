// The scripted exchanges of exchanges.json, with this client. test/processes/deploy/python.test.ts holds the Python client against
// the same file.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkWebhook, createClient } from './client.ts'
import type { Clock, Failure } from './types.ts'

/** What a connection brings: text, the same text many times, or silence. */
type Piece = string | { readonly text: string; readonly times: number } | { readonly waitMs: number }

interface ScriptedAnswer {
  /** Nothing comes back. */
  readonly lost?: true
  /** The answer takes this long. */
  readonly afterMs?: number
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly text?: string
  readonly stream?: readonly Piece[]
  /** The connection is cut after the last piece. */
  readonly isCut?: true
}

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Exchange {
  readonly name: string
  readonly client?: { readonly baseUrl?: string; readonly tries?: number; readonly deadlineMs?: number }
  readonly call: {
    readonly operation?: string
    readonly each?: string
    readonly input?: object
    readonly query?: object
    readonly options?: object
    /** The caller stops after so many items. */
    readonly take?: number
  }
  readonly random?: readonly number[]
  readonly answers: readonly ScriptedAnswer[]
  readonly requests: readonly Sent[]
  readonly pauses: readonly number[]
  readonly items?: readonly object[]
  readonly success?: object
  readonly failure?: Partial<Failure>
}

interface Webhook {
  readonly name: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly secret: string | readonly string[]
  readonly nowS: number
  readonly toleranceS?: number
  readonly id?: string
  readonly code?: string
}

interface Script {
  readonly baseUrl: string
  readonly apiKey: string
  /** The headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  readonly exchanges: readonly Exchange[]
  readonly webhooks: readonly Webhook[]
}

const script = JSON.parse(readFileSync(new URL('../exchanges.json', import.meta.url), 'utf8')) as Script

/** A clock that stands still between the pauses and the waits of the script. */
class ScriptedClock implements Clock {
  readonly pauses: number[] = []
  readonly #limits = new Set<{ readonly atMs: number; readonly then: () => void }>()
  readonly #random: number[]
  #nowMs = 0

  constructor(random: readonly number[] = []) {
    this.#random = [...random]
  }

  nowMs = () => this.#nowMs
  newKey = () => 'key-1'
  random = () => this.#random.shift() ?? 0

  pause = async (delayMs: number) => {
    this.pauses.push(delayMs)
    this.#nowMs += delayMs
  }

  limit = (delayMs: number, then: () => void) => {
    const limit = { atMs: this.#nowMs + delayMs, then }
    this.#limits.add(limit)
    return () => this.#limits.delete(limit)
  }

  /** Lets time pass, until `signal` is aborted by a limit at the latest. */
  wait(ms: number, signal: AbortSignal): void {
    const endMs = this.#nowMs + ms
    for (const limit of [...this.#limits].sort((a, b) => a.atMs - b.atMs)) {
      if (limit.atMs > endMs || signal.aborted) break
      this.#nowMs = limit.atMs
      this.#limits.delete(limit)
      limit.then()
    }
    if (!signal.aborted) this.#nowMs = endMs
    signal.throwIfAborted()
  }

  /** How many limits have not been taken back. */
  left = () => this.#limits.size
}

function streamOf({ isCut, stream = [] }: ScriptedAnswer, clock: ScriptedClock, signal: AbortSignal) {
  const left = [...stream]
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    for (;;) {
      const piece = left.shift()
      if (typeof piece === 'object' && 'waitMs' in piece) clock.wait(piece.waitMs, signal)
      else if (piece !== undefined)
        return controller.enqueue(
          new TextEncoder().encode(typeof piece === 'string' ? piece : piece.text.repeat(piece.times)),
        )
      else if (isCut) throw new TypeError('terminated')
      else return controller.close()
    }
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

function scripted({ answers, random }: Exchange) {
  const clock = new ScriptedClock(random)
  const sent: Sent[] = []
  const left = [...answers]
  const fetch = async (url: string | URL | Request, init: RequestInit = {}) => {
    const { body, headers, method = '', redirect, signal } = init
    expect(redirect).toBe('manual')
    sent.push({
      method,
      url: String(url),
      headers: headers as Record<string, string>,
      ...(body && { body: String(body) }),
    })
    const answer = left.shift()
    if (!answer || !signal) throw new Error('nothing was planned')
    clock.wait(answer.afterMs ?? 0, signal)
    if (answer.lost) throw new TypeError('fetch failed')
    const text = answer.stream
      ? streamOf(answer, clock, signal)
      : (answer.text ?? JSON.stringify(answer.body))
    const status = answer.status ?? 0
    const isBare = status === 204 || status === 304
    return new Response(isBare ? null : text, { status, headers: answer.headers ?? {} })
  }
  return { clock, sent, fetch: fetch as typeof globalThis.fetch, left }
}

const noFailure = {
  ok: false,
  status: null,
  requestId: null,
  reason: null,
  openingId: null,
  safeToRetry: false,
  existingId: null,
  faults: [],
  retryAfterMs: null,
  idempotencyKey: null,
}

type Untyped = Readonly<Record<string, (...given: readonly unknown[]) => unknown>>

/** Makes the call, and returns its items and its last value. */
async function outcomeOf(client: Untyped, { call }: Exchange) {
  const { each, input = {}, operation = '', options = {}, query = {}, take } = call
  const began = () => {
    if (each) return client['each']?.(each, query, options)
    return operation === 'followSpace' ? client[operation]?.(options) : client[operation]?.(input, options)
  }
  const made = began()
  if (made instanceof Promise) return { items: undefined, last: (await made) as object }
  const items: object[] = []
  for await (const item of made as AsyncIterable<{ ok: boolean; row?: object }>) {
    if (!item.ok) return { items, last: item }
    const { ok: _, ...told } = item
    items.push(item.row ?? told)
    if (items.length === take) break
  }
  return { items, last: undefined }
}

describe('the client', () => {
  it.each(script.exchanges)('$name', async exchange => {
    const { clock, fetch, left, sent } = scripted(exchange)
    const { baseUrl = script.baseUrl, ...options } = exchange.client ?? {}
    const client = createClient({ baseUrl, apiKey: script.apiKey, clock, fetch, ...options })
    const { items, last } = await outcomeOf(client as unknown as Untyped, exchange)
    expect(sent).toEqual(
      exchange.requests.map(one => ({ ...one, headers: { ...script.headers, ...one.headers } })),
    )
    expect(clock.pauses).toEqual(exchange.pauses)
    expect(items).toEqual(exchange.items)
    const { failure, success } = exchange
    if (failure) expect(last).toEqual({ ...noFailure, message: expect.any(String), ...failure })
    else if (success)
      expect({
        body: null,
        ...last,
        ...(last && { body: (last as { body?: unknown }).body ?? null }),
      }).toEqual({ ok: true, etag: null, requestId: null, ...success })
    else expect(last).toBe(undefined)
    expect([left, clock.left()]).toEqual([[], 0])
  })
})

describe('a webhook', () => {
  it.each(script.webhooks)('$name', async ({ code, id, nowS, toleranceS, ...given }) => {
    const checked = await checkWebhook({
      ...given,
      nowMs: nowS * 1000,
      ...(toleranceS !== undefined && { toleranceS }),
    })
    expect(checked).toEqual(code ? { ok: false, code } : { ok: true, id, event: JSON.parse(given.body) })
  })
})
