// How a request of a random sequence is sent, and what must come back: most are plain, the others test the edges.

import { expect } from 'vitest'
import type { Answer, Api, Sending } from '../api.ts'
import { told } from '../requests.ts'
import type { Book } from './book.ts'
import type { Asked } from './deeds.ts'

/** One sequence on its way. */
export interface Run {
  readonly api: Api
  readonly book: Book
  /** A key that may change nothing, of another Space: the scope is asked for before all else. */
  readonly weakKey: string
  /** How often each thing was answered: a test that meets no refusal shows nothing. */
  readonly met: Map<string, number>
}

type Sender = (run: Run, asked: Asked) => Promise<void>

/** For Idempotency-Keys that no two requests share. */
let keysGiven = 0

async function sendOnce({ api, book, met }: Run, asked: Asked, more: Sending = {}): Promise<Answer> {
  const { body, method, path } = asked
  // Answered at once: whether the gate opened is the openings' to say.
  const headers = { prefer: 'respond-async', ...more.headers }
  const { key } = book.space
  const answer = await api.send(method, `/api/v1${path}`, { key, ...(body && { body }), ...more, headers })
  const what = told(answer)
  met.set(what, (met.get(what) ?? 0) + 1)
  return answer
}

/** Whether something was done: an attempt to open that failed is one too. */
const isDone = ({ json, status }: Answer) => status < 300 || json.error.openingId !== undefined

async function plain(run: Run, asked: Asked): Promise<void> {
  const answer = await sendOnce(run, asked)
  if (asked.expected !== undefined) expect(told(answer)).toBe(asked.expected)
  if (isDone(answer)) asked.done(answer.json)
}

async function again(run: Run, asked: Asked): Promise<void> {
  if (asked.method === 'DELETE') return plain(run, asked)
  const headers = { 'idempotency-key': `once-${++keysGiven}` }
  const first = await sendOnce(run, asked, { headers })
  if (isDone(first)) asked.done(first.json)
  const second = await sendOnce(run, asked, { headers })
  expect(second.text).toBe(first.text)
  expect(second.headers['idempotency-replayed']).toBe(isDone(first) ? 'true' : undefined)
}

async function otherBody(run: Run, asked: Asked): Promise<void> {
  if (asked.method === 'DELETE') return plain(run, asked)
  const headers = { 'idempotency-key': `once-${++keysGiven}` }
  const first = await sendOnce(run, asked, { headers })
  if (!isDone(first)) return
  asked.done(first.json)
  const other = asked.path.includes('/accesses') ? { maxUsage: 7 } : { name: 'Other' }
  const second = await sendOnce(run, asked, { headers, body: { ...asked.body, ...other } })
  // Some operations have no other body, and a second access for a gate is a conflict before all else.
  expect(told(second)).toMatch(/^(400 v|409 c|422 i)/)
}

async function current(run: Run, asked: Asked): Promise<void> {
  const { api, book } = run
  const { headers } = await api.send('GET', `/api/v1${asked.path}`, { key: book.space.key })
  const answer = await sendOnce(run, asked, { headers: { 'if-match': headers.etag ?? '*' } })
  expect(answer.status).not.toBe(412)
  if (isDone(answer)) asked.done(answer.json)
}

/** Sends what must be refused; nothing is done. */
const refused =
  (to: string, how: (run: Run, asked: Asked) => { more?: Sending; path?: string } | undefined): Sender =>
  async (run, asked) => {
    const changed = how(run, asked)
    if (!changed) return plain(run, asked)
    const { more, path = asked.path } = changed
    expect(told(await sendOnce(run, { ...asked, path }, more))).toBe(to)
  }

/** With its weight: how many of each are drawn. */
export const manners = {
  plain: [8, plain],
  /** With an Idempotency-Key, twice. */
  again: [3, again],
  otherBody: [1, otherBody],
  /** With the ETag that the resource has. */
  current: [1, current],
  stale: [
    1,
    refused('412 precondition_failed', (_, { method }) =>
      method === 'POST' ? undefined : { more: { headers: { 'if-match': '"another"' } } },
    ),
  ],
  weakKey: [1, refused('403 insufficient_scope', ({ weakKey }) => ({ more: { key: weakKey } }))],
  unknownField: [
    1,
    refused('400 validation_error', (_, { body, method }) =>
      method === 'DELETE' ? undefined : { more: { body: { ...body, extra: 1 } } },
    ),
  ],
  nowhere: [
    1,
    refused('404 not_found', (_, asked) => {
      const path = asked.path.replace(/_[0-9a-z]{26}/, `_${'0'.repeat(26)}`)
      return path === asked.path ? undefined : { path }
    }),
  ],
} as const satisfies Readonly<Record<string, readonly [number, Sender]>>
export type Manner = keyof typeof manners
