// Event streams over HTTP: server-sent events (WHATWG HTML, 9.2), within limits, while the reader may have them.

import type { ServerResponse } from 'node:http'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Timer, World } from '@callgate/world/world'
import type { Context } from 'koa'
import { addressGroup } from '../core/connectionLimiter.ts'
import { type FullLimit, StreamLimiter, type StreamLimits } from '../core/streamLimiter.ts'
import type { Database } from '../database/database.ts'
import type { StreamPlaces } from '../limit/streamPlaces.ts'
import { createEventFeed, type EventFeed } from './eventFeed.ts'
import type { SpaceEvent } from './events.ts'

/** One event as it is sent. */
export interface Message {
  /** The number that a client sends back as `Last-Event-ID`. */
  readonly id: number
  readonly event: string
  readonly data: object
}

/** The first messages. Without messages and over, the answer is 204, and a browser does not reconnect. */
export interface Beginning {
  readonly messages: readonly Message[]
  readonly isOver: boolean
  /** The message for an event that was committed after `begin` was called, or shortly before. */
  next(event: SpaceEvent): { readonly message: Message; readonly isOver: boolean } | undefined
}

/** A stream of events of one Space. */
export interface EventStream {
  readonly spaceId: string
  /** Reads the first messages. No event after its call is missed. */
  begin(): Promise<Beginning>
}

export function isEventStream(answer: object): answer is EventStream {
  return 'begin' in answer
}

/** The reader of a stream. */
export interface StreamReader {
  /** Streams of one credential are counted together: `key <id>`, `link <member id>`. */
  readonly credential: string
  readonly most: number
  /** Whether the credential still allows the stream. It is checked every 3 s; the stream ends when the answer is no. */
  mayStill(): Promise<boolean>
}

export interface EventStreams {
  /** Answers with the stream; or returns the problem when there are too many, and answers nothing. */
  open(ctx: Context, reader: StreamReader, stream: EventStream): Promise<Problem | undefined>
  /** Ends every stream. Later ones end after their first messages. */
  stop(): void
}

/**
 * A response emits this when its stream begins. After that its connection may be closed to make room for a request, because its
 * client reconnects and continues after the last event.
 */
export const beginsStream = Symbol('beginsStream')

/** An address may be that of a whole mobile network, whose guests each have a stream for less than two minutes. */
export const usualLimits: StreamLimits = { perAddress: 2_000, total: 12_000 }

/** Less than the silence after which proxies and the server itself cut a connection. */
const commentEveryS = 15
/** A revocation thus ends a stream within 5 s, also where the machine is busy. */
const checkEveryS = 3
/** A living client reconnects within seconds. The limit is for one that went away and left its connection open. */
const longestS = 3_600
/** How many bytes a client may leave unread, beyond the buffers of the operating system. */
const mostUnread = 64 * 1024
const retryAfterS = 10
/** How long a browser waits before it reconnects, milliseconds. */
const comeBackAfterMs = 2_000
const checkedInTurn = 50

const fullLimits = {
  credential: 'This credential has as many event streams as it may have',
  address: 'Your address has as many event streams as one may have',
  total: 'There are as many event streams as there may be',
} as const satisfies Record<FullLimit, string>

function tooMany(limit: FullLimit): Problem {
  const message = `${fullLimits[limit]}. End one, or send the request again in ${retryAfterS} s.`
  return { problem: 'rate_limited', message, headers: { 'Retry-After': String(retryAfterS) } }
}

/** A cache of the texts of sent messages: one message may go to thousands. */
const textMemo = new WeakMap<Message, string>()

function textOf(message: Message): string {
  const known = textMemo.get(message)
  if (known !== undefined) return known
  const { data, event, id } = message
  const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
  textMemo.set(message, text)
  return text
}

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // For nginx, which otherwise buffers an answer.
  'X-Accel-Buffering': 'no',
} as const

/** One open stream. */
interface Open {
  readonly response: ServerResponse
  readonly reader: StreamReader
  /** The tick at which it was opened. Its comments and checks have their own ticks, so that they do not all come at once. */
  readonly sinceTick: number
}

/** Sends the text, unless the client has left too much unread: then the connection is cut. */
function send({ response }: Pick<Open, 'response'>, text: string): void {
  if (response.writableEnded || response.destroyed) return
  if (response.writableLength > mostUnread) response.destroy()
  else response.write(text)
}

/** Frees the data of a request: its stream may be open for an hour, and there may be thousands. */
function forgetRequest({ req }: Context): void {
  req.rawHeaders = []
  req.headers = {}
  req.headersDistinct = {}
}

interface StreamParts {
  readonly world: World
  readonly database: Database
  /** The streams of all replicas. Without replicas, those of this process are all. */
  readonly places?: StreamPlaces | undefined
  /** The reader of events, where this process has one already. */
  readonly feed?: EventFeed | undefined
}

class Streams implements EventStreams {
  readonly #world: World
  readonly #feed: EventFeed
  readonly #limits: StreamLimiter
  readonly #places: StreamPlaces | undefined
  readonly #open = new Set<Open>()
  #tick = 0
  #timer: Timer | undefined
  #isStopped = false

  constructor(parts: StreamParts, limits: StreamLimits) {
    this.#world = parts.world
    this.#feed = parts.feed ?? createEventFeed(parts)
    this.#limits = new StreamLimiter(limits)
    this.#places = parts.places
  }

  async open(ctx: Context, reader: StreamReader, stream: EventStream): Promise<Problem | undefined> {
    const { res: response } = ctx
    if (ctx.method === 'HEAD') {
      ctx.set(streamHeaders)
      ctx.body = ''
      return undefined
    }
    const place = { ...reader, address: addressGroup(ctx.ip) }
    const full = this.#limits.take(place)
    if (full) return tooMany(full)
    const leaving = [() => this.#limits.leave(place)]
    const leave = () => {
      for (const step of leaving.splice(0)) step()
    }
    try {
      const taken = await this.#places?.take(place)
      if (taken?.ok === false) {
        leave()
        return tooMany(taken.full)
      }
      if (taken) leaving.push(taken.leave)
      if (!(await this.#begin(ctx, { reader, stream, leaving }))) leave()
      else if (response.closed) leave()
      else response.once('close', leave)
    } catch (error) {
      leave()
      throw error
    }
    return undefined
  }

  /** Sends the first messages, and those that arrived meanwhile. False when the stream has ended with them. */
  async #begin(
    ctx: Context,
    given: { reader: StreamReader; stream: EventStream; leaving: (() => void)[] },
  ): Promise<boolean> {
    const { leaving, reader, stream } = given
    const { res: response } = ctx
    const early: SpaceEvent[] = []
    let take = (event: SpaceEvent) => void early.push(event)
    leaving.push(await this.#feed.follow(stream.spaceId, event => take(event)))
    const { isOver, messages, next } = await stream.begin()
    if (isOver && messages.length === 0) {
      ctx.status = 204
      return false
    }
    ctx.status = 200
    ctx.set(streamHeaders)
    // From here on this class writes the response, and not Koa.
    ctx.respond = false
    response.socket?.setNoDelay(true)
    // Sent before the first event: the text of the headers then takes a quarter of the memory while the stream is open.
    response.flushHeaders()
    forgetRequest(ctx)
    response.emit(beginsStream)
    const open: Open = { response, reader, sinceTick: this.#tick }
    send(open, `retry: ${comeBackAfterMs}\n\n${messages.map(textOf).join('')}`)
    take = event => {
      const told = next(event)
      if (!told) return
      send(open, textOf(told.message))
      if (told.isOver) response.end()
    }
    for (const event of early.splice(0)) take(event)
    if (isOver || this.#isStopped) response.end()
    if (response.writableEnded) return false
    this.#open.add(open)
    leaving.push(() => this.#open.delete(open))
    this.#timer ??= this.#tickLater()
    return true
  }

  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    for (const { response } of this.#open) response.end()
  }

  #tickLater(): Timer {
    return this.#world.after(1_000, () => {
      this.#tick += 1
      this.#comment()
      void this.#check().finally(() => {
        this.#timer = this.#open.size > 0 && !this.#isStopped ? this.#tickLater() : undefined
      })
    })
  }

  #comment(): void {
    for (const open of this.#open) {
      const forS = this.#tick - open.sinceTick
      if (forS >= longestS) open.response.end()
      else if (forS > 0 && forS % commentEveryS === 0) send(open, ':\n\n')
    }
  }

  /**
   * Ends the streams whose credential does not allow them any more. Each credential is checked once, however many streams it has.
   */
  async #check(): Promise<void> {
    const due = new Map<string, Open[]>()
    for (const open of this.#open) {
      if ((this.#tick - open.sinceTick) % checkEveryS !== 0) continue
      const streams = due.get(open.reader.credential)
      if (streams) streams.push(open)
      else due.set(open.reader.credential, [open])
    }
    let checked = 0
    for (const streams of due.values()) {
      if (++checked % checkedInTurn === 0) await this.#world.turn()
      const [first] = streams
      // In doubt the stream ends, and the client reconnects.
      const mayStill = await first?.reader.mayStill().catch(() => false)
      if (!mayStill) for (const { response } of streams) response.end()
    }
  }
}

export function createEventStreams(parts: StreamParts, limits = usualLimits): EventStreams {
  return new Streams(parts, limits)
}
