// The spans of an opening, made from the hops of one process. The ids depend on the opening's id, so cloud and gateway write one
// trace although no trace data crosses between them.

import { createHash } from 'node:crypto'
import type { Hop } from './hops.ts'

/** A span of OpenTelemetry. Times are milliseconds of the monotonic clock. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** Undefined for the root. */
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly startMs: number
  readonly endMs: number
  readonly hasFailed: boolean
  readonly attributes: Readonly<Record<string, string>>
}

interface Shape {
  /** The point where the span begins; `since`: before the press, when the request came in. */
  readonly from: string
  readonly to: string
  /** Its parent span, which may belong to the other process. */
  readonly in?: string
}

const root = 'opening'

/** The spans of each program, by name. A point belongs to one program only. */
const shapes = {
  cloud: {
    opening: { from: 'since', to: 'ended' },
    request: { from: 'since', to: 'answered', in: root },
    press: { from: 'since', to: 'pressed', in: root },
    hint: { from: 'pressed', to: 'hinted', in: root },
    grant: { from: 'claim', to: 'granted', in: 'claim' },
    commit: { from: 'report', to: 'ended', in: 'report' },
    answer: { from: 'ended', to: 'answered', in: 'request' },
  },
  gateway: {
    reserve: { from: 'hint', to: 'claimed', in: root },
    claim: { from: 'claimed', to: 'grant', in: root },
    INTENT: { from: 'grant', to: 'intentKept', in: root },
    ATD: { from: 'intentKept', to: 'dialling', in: root },
    call: { from: 'dialling', to: 'callEnded', in: root },
    report: { from: 'callEnded', to: 'acknowledged', in: root },
  },
} as const satisfies Record<string, Record<string, Shape>>

export type Program = keyof typeof shapes

/** Points that repeat: a span begins at the last one before its end. At other points it begins at the first. */
const repeated: ReadonlySet<string> = new Set(['claim', 'report'])

/** How many openings are followed at once. Beyond this number, the oldest is dropped. */
const mostFollowed = 1_000

const digest = (text: string, bytes: number) =>
  createHash('sha256')
    .update(`callgate ${text}`)
    .digest('hex')
    .slice(0, bytes * 2)

/** The trace of an opening, 16 bytes as hex. */
export const traceIdOf = (openingId: string) => digest(`trace ${openingId}`, 16)
const spanIdOf = (openingId: string, name: string) => digest(`span ${name} ${openingId}`, 8)

interface Followed {
  readonly at: Map<string, number>
  /** The spans that were already made, since each is made once. */
  readonly made: Set<string>
}

/** Makes the spans of a program: `take` returns those that end at the hop. */
export function openingSpans(program: Program): { take(hop: Hop, atMs: number): Span[] } {
  const followed = new Map<string, Followed>()

  function follow(openingId: string): Followed {
    const known = followed.get(openingId)
    if (known) return known
    const fresh = { at: new Map<string, number>(), made: new Set<string>() }
    followed.set(openingId, fresh)
    const [oldest] = followed.keys()
    if (followed.size > mostFollowed && oldest !== undefined) followed.delete(oldest)
    return fresh
  }

  return {
    take({ openingId, outcome, point, reason, sinceMs }, atMs) {
      // A refused claim is followed by another one, or by the end.
      if (openingId === undefined || (point === 'granted' && outcome !== 'granted')) return []
      const { at, made } = follow(openingId)
      if (sinceMs !== undefined && !at.has('since')) at.set('since', sinceMs)
      if (repeated.has(point) || !at.has(point)) at.set(point, atMs)
      return Object.entries<Shape>(shapes[program]).flatMap(([name, { from, in: parent, to }]) => {
        const startMs = at.get(from)
        if (to !== point || startMs === undefined || made.has(name)) return []
        made.add(name)
        const isEnd = name === root
        const span: Span = {
          traceId: traceIdOf(openingId),
          spanId: spanIdOf(openingId, name),
          parentSpanId: parent && spanIdOf(openingId, parent),
          name,
          startMs,
          endMs: atMs,
          hasFailed: isEnd && outcome !== 'completed',
          attributes: {
            'callgate.opening_id': openingId,
            ...(isEnd && outcome !== undefined && { 'callgate.outcome': outcome }),
            ...(isEnd && reason !== undefined && { 'callgate.reason': reason }),
          },
        }
        return [span]
      })
    },
  }
}
