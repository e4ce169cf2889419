// A reader of event streams for tests: what has arrived so far, and whether the stream has ended.

import { settle } from '@callgate/world/fake'

export interface ReadEvent {
  readonly id: number
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface ReadStream {
  readonly status: number
  readonly headers: Headers
  /** Everything that has arrived. */
  text(): string
  events(): readonly ReadEvent[]
  hasEnded(): boolean
  /** Resolves when the condition is true; it is tested once in each turn of the event loop. */
  until(fact: (stream: ReadStream) => boolean): Promise<void>
  leave(): void
}

function eventsOf(text: string): ReadEvent[] {
  return [...text.matchAll(/^id: (\d+)\nevent: (\w+)\ndata: (.*)\n\n/gm)].map(
    ([, id, event = '', data = '{}']) => ({ id: Number(id), event, data: JSON.parse(data) }),
  )
}

/** Opens a stream and reads it until it ends or is closed. */
export async function readStream(url: string, headers: Record<string, string>): Promise<ReadStream> {
  const leaving = new AbortController()
  const answer = await fetch(url, { headers, signal: leaving.signal })
  let text = ''
  let isOver = answer.body === null
  async function read() {
    const decoder = new TextDecoder()
    for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true })
  }
  read()
    .catch(() => {})
    .finally(() => {
      isOver = true
    })
  const stream: ReadStream = {
    status: answer.status,
    headers: answer.headers,
    text: () => text,
    events: () => eventsOf(text),
    hasEnded: () => isOver,
    async until(fact) {
      while (!fact(stream)) await settle(1)
    },
    leave: () => leaving.abort(),
  }
  return stream
}
