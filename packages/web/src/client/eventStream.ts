// The stream of a Space's events in the browser: one for all tabs, connected again when it is lost, and passed on to each tab.

import { appRoutes } from '@callgate/contract/app/appRoutes'
import type { SpaceEvent } from '@callgate/contract/app/spaceEvent'
import { eventTextReader } from '@callgate/contract/eventText'

/**
 * `lost`: no events arrive at the moment, and the connection is tried again. `ended`: this session may no longer follow the
 * Space.
 */
export type StreamState = 'connecting' | 'live' | 'lost' | 'ended'

export interface StreamListener {
  /** With the kind `reset`, events may be missing: everything that is shown has to be read again. */
  onEvent(event: SpaceEvent): void
  onState(state: StreamState): void
}

/** The messages between the tabs. */
type TabMessage =
  | { readonly is: 'event'; readonly id: string; readonly event: SpaceEvent }
  | { readonly is: 'state'; readonly state: StreamState }
  /** A new tab asks for the state. */
  | { readonly is: 'hello' }

/** The browser's functions that the stream needs. Tests have their own. */
export interface Surroundings {
  readonly fetch: typeof fetch
  after(ms: number, then: () => void): () => void
  /** From 0 up to, but not including, 1. */
  random(): number
  /** Whether the tab is visible. */
  isVisible(): boolean
  /** Calls `then` when the network is back, until the returned function is called. */
  onOnline(then: () => void): () => void
  /** Leads while it holds the lock of this name, which only one tab can hold; `mustSteal` takes it from a silent tab. */
  lead(name: string, mustSteal: boolean, signal: AbortSignal, run: () => Promise<void>): Promise<void>
  /** Sends to all other tabs. */
  openChannel(
    name: string,
    onTold: (told: TabMessage) => void,
  ): { tell(told: TabMessage): void; close(): void }
}

/** The cloud sends something every 15 s. After three times this interval without a byte the connection counts as lost. */
const silentMs = 45_000
/** A leading tab that is silent for this long is frozen. */
const frozenMs = 60_000
const firstPauseMs = 1_000
const longestPauseMs = 30_000

/** The end of one connection. `afterMs` is when the cloud accepts another one. */
type End = { readonly is: 'lost'; readonly afterMs: number } | { readonly is: 'ended' }

/** A controller that is aborted with another one. */
function within(outer: AbortSignal): AbortController {
  const inner = new AbortController()
  if (outer.aborted) inner.abort()
  else outer.addEventListener('abort', () => inner.abort(), { once: true, signal: inner.signal })
  return inner
}

class SpaceStream {
  readonly #address: string
  readonly #name: string
  readonly #listener: StreamListener
  readonly #around: Surroundings
  readonly #channel: ReturnType<Surroundings['openChannel']>
  readonly #stop = new AbortController()
  #state: StreamState = 'connecting'
  /** The last event that this tab knows of. */
  #lastId: string | undefined
  /** Ends the wait for the lead. */
  #seeking: AbortController
  /** Ends the lead; undefined while another tab leads. */
  #leading: AbortController | undefined
  #unwatch = () => {}

  constructor(
    spaceId: string,
    listener: StreamListener,
    around: Surroundings,
    lastEventId: number | undefined,
  ) {
    if (lastEventId !== undefined) this.#lastId = String(lastEventId)
    this.#address = appRoutes.followSpace.path.replace(':spaceId', encodeURIComponent(spaceId))
    this.#name = `callgate.events.${spaceId}`
    this.#listener = listener
    this.#around = around
    this.#channel = around.openChannel(this.#name, told => this.#hear(told))
    this.#channel.tell({ is: 'hello' })
    this.#seeking = within(this.#stop.signal)
    this.#seekLead(false)
  }

  stop(): void {
    this.#unwatch()
    this.#stop.abort()
    this.#channel.close()
  }

  #seekLead(mustSteal: boolean): void {
    this.#seeking.abort()
    const seeking = within(this.#stop.signal)
    this.#seeking = seeking
    this.#watch()
    this.#around
      .lead(this.#name, mustSteal, seeking.signal, () => this.#lead())
      // Another tab has taken the lead, so this one waits for it again.
      .catch(() => {
        if (seeking.signal.aborted) return
        this.#leading?.abort()
        this.#leading = undefined
        this.#seekLead(false)
      })
  }

  /** Takes the lead from a silent tab, if this tab is visible. */
  #watch(): void {
    this.#unwatch()
    this.#unwatch = this.#around.after(frozenMs, () => {
      if (this.#leading || this.#stop.signal.aborted) return
      if (this.#around.isVisible()) this.#seekLead(true)
      else this.#watch()
    })
  }

  #hear(told: TabMessage): void {
    if (told.is === 'hello') {
      if (this.#leading) this.#channel.tell({ is: 'state', state: this.#state })
      return
    }
    this.#watch()
    if (told.is === 'event') {
      this.#lastId = told.id
      this.#listener.onEvent(told.event)
    } else this.#setState(told.state)
  }

  #setState(state: StreamState): void {
    if (this.#leading) this.#channel.tell({ is: 'state', state })
    if (state === this.#state) return
    this.#state = state
    this.#listener.onState(state)
  }

  /** Reads the stream until the tab is closed, another one leads, or the session has ended. */
  async #lead(): Promise<void> {
    const leading = within(this.#stop.signal)
    this.#leading = leading
    this.#unwatch()
    for (let lost = 0; !leading.signal.aborted; lost++) {
      const had = this.#lastId
      const end = await this.#readOnce(leading.signal)
      if (leading.signal.aborted) return
      this.#setState(end.is)
      if (end.is === 'ended') break
      if (this.#lastId !== had) lost = 0
      const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** lost) * (0.5 + this.#around.random() / 2)
      await this.#pause(Math.max(end.afterMs, pauseMs), leading.signal)
    }
    this.#leading = undefined
  }

  /** Resolves after the time, when the network is back, or when the lead ends. */
  #pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise(resolve => {
      const end = () => {
        cancel()
        unlisten()
        resolve()
      }
      const cancel = this.#around.after(ms, end)
      const unlisten = this.#around.onOnline(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }

  async #readOnce(lead: AbortSignal): Promise<End> {
    const connection = within(lead)
    let unwatch = () => {}
    const heard = () => {
      unwatch()
      unwatch = this.#around.after(silentMs, () => connection.abort())
    }
    heard()
    const headers = {
      Accept: 'text/event-stream',
      ...(this.#lastId !== undefined && { 'Last-Event-ID': this.#lastId }),
    }
    try {
      const { signal } = connection
      const answer = await this.#around.fetch(this.#address, { headers, signal, credentials: 'same-origin' })
      const afterMs = Number(answer.headers.get('Retry-After') ?? 0) * 1000
      if ([401, 403, 404].includes(answer.status)) return { is: 'ended' }
      if (answer.status !== 200 || !answer.body) return { is: 'lost', afterMs }
      this.#setState('live')
      await this.#readBody(answer.body, connection.signal, heard)
    } catch {
      // The connection was lost, or was silent for too long.
    } finally {
      unwatch()
      connection.abort()
    }
    return { is: 'lost', afterMs: 0 }
  }

  async #readBody(body: ReadableStream<Uint8Array>, signal: AbortSignal, heard: () => void): Promise<void> {
    const reader = body.getReader()
    const decoder = new TextDecoder()
    const read = eventTextReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) return
      heard()
      // Comments count too: they show the other tabs that this one is alive.
      this.#setState('live')
      for (const { data, id } of read(decoder.decode(value, { stream: true }))) {
        const event = JSON.parse(data) as SpaceEvent
        this.#lastId = id
        this.#channel.tell({ is: 'event', id, event })
        this.#listener.onEvent(event)
      }
    }
  }
}

/**
 * Follows a Space until the returned function is called. Of all tabs that follow it, one reads the stream and passes it on to the
 * others; when that tab is closed or silent, another one continues after the last event. `lastEventId` is an event that was known
 * before anything of the Space was read; without it the stream begins with a `reset`.
 */
export function followSpace(
  spaceId: string,
  listener: StreamListener,
  around: Surroundings,
  lastEventId?: number,
): () => void {
  const stream = new SpaceStream(spaceId, listener, around, lastEventId)
  return () => stream.stop()
}
