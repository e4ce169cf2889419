// A browser with several tabs, for tests of the stream: their lock, their channel, their timers, and the cloud's answers.

import type { Surroundings } from './eventStream.ts'

/** One request for the stream. */
export interface Connection {
  readonly url: string
  readonly lastEventId: string | undefined
  send(text: string): void
  lose(): void
  isOver(): boolean
}

/** Lets promises and streams settle. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve()
}

/** Timers of all tabs; those of a frozen tab do not fire. */
function fakeTimers() {
  const timers = new Set<{ readonly atMs: number; readonly tab: number; readonly then: () => void }>()
  const frozen = new Set<number>()
  let nowMs = 0
  return {
    freeze: (tab: number) => void frozen.add(tab),
    of: (tab: number) => (ms: number, then: () => void) => {
      const timer = { atMs: nowMs + ms, tab, then }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async pass(ms: number) {
      const endMs = nowMs + ms
      for (;;) {
        const [due] = [...timers].filter(({ atMs }) => atMs <= endMs).sort((a, b) => a.atMs - b.atMs)
        if (!due) break
        timers.delete(due)
        nowMs = Math.max(nowMs, due.atMs)
        if (!frozen.has(due.tab)) due.then()
        await settled()
      }
      nowMs = endMs
    },
  }
}

interface Holder {
  readonly run: () => Promise<void>
  readonly resolve: () => void
  readonly reject: (why: Error) => void
}

/** One lock, as the browser's lock manager has it. */
function fakeLock(): Surroundings['lead'] {
  let queue: Holder[] = []
  let holder: Holder | undefined
  function grant(): void {
    const next = queue.shift()
    holder = next
    next?.run().then(
      () => {
        next.resolve()
        if (holder === next) grant()
      },
      (error: Error) => next.reject(error),
    )
  }
  return (_, mustSteal, signal, run) =>
    new Promise((resolve, reject) => {
      const asked: Holder = { run, resolve, reject }
      signal.addEventListener('abort', () => {
        queue = queue.filter(one => one !== asked)
        if (holder !== asked) reject(new Error('aborted'))
      })
      if (mustSteal) holder?.reject(new Error('stolen'))
      if (mustSteal) queue.unshift(asked)
      else queue.push(asked)
      if (mustSteal || !holder) grant()
    })
}

/** Answers with the planned answers, and after them with streams that a test sends. */
function fakeCloud(answers: Response[], connections: Connection[]): typeof fetch {
  return async (url, init) => {
    let body: ReadableStreamDefaultController<Uint8Array> | undefined
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        body = controller
      },
    })
    const headers = (init?.headers ?? {}) as Record<string, string>
    let isOver = false
    const lose = () => {
      if (!isOver) body?.error(new Error('lost'))
      isOver = true
    }
    init?.signal?.addEventListener('abort', lose)
    connections.push({
      url: String(url),
      lastEventId: headers['Last-Event-ID'],
      send: text => body?.enqueue(new TextEncoder().encode(text)),
      lose,
      isOver: () => isOver,
    })
    return answers.shift() ?? new Response(stream)
  }
}

export type FakeBrowser = ReturnType<typeof fakeBrowser>

export function fakeBrowser() {
  const connections: Connection[] = []
  const answers: Response[] = []
  const online = new Set<() => void>()
  const ears = new Map<number, (told: never) => void>()
  const timers = fakeTimers()
  const lead = fakeLock()
  let tabs = 0

  /** The browser's functions for the next tab. */
  function openTab(isVisible = () => true): Surroundings {
    const tab = ++tabs
    return {
      isVisible,
      lead,
      random: () => 0,
      after: timers.of(tab),
      fetch: fakeCloud(answers, connections),
      onOnline(then) {
        online.add(then)
        return () => online.delete(then)
      },
      openChannel(_, onTold) {
        ears.set(tab, onTold as never)
        return {
          tell(told) {
            for (const [other, hear] of ears) if (other !== tab) hear(told as never)
          },
          close: () => ears.delete(tab),
        }
      },
    }
  }

  return {
    connections,
    answers,
    openTab,
    /** Stops the timers of a tab, counted from 1. */
    freeze: timers.freeze,
    goOnline: () => [...online].map(then => then()),
    /** Fires the timers of the given delay, in their order. */
    pass: timers.pass,
  }
}
