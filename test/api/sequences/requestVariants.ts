// Variants of sending a request of a random sequence, with the answer that each must get; most requests are sent plainly.

import { expect } from 'vitest'
import type { Answer, Api, Sending } from '../apiServer.ts'
import { statusAndCode } from '../validRequests.ts'
import type { PlannedRequest } from './commands.ts'
import type { SpaceModel } from './spaceModel.ts'

/** The state of a running sequence. */
export interface Run {
  readonly api: Api
  readonly model: SpaceModel
  /** A key without the right to change, of another Space: the scope is checked before anything else. */
  readonly weakKey: string
  /** The count of each status and code. */
  readonly met: Map<string, number>
}

type Sender = (run: Run, planned: PlannedRequest) => Promise<void>

/** Makes each Idempotency-Key unique. */
let keysGiven = 0

async function sendOnce(
  { api, model, met }: Run,
  planned: PlannedRequest,
  more: Sending = {},
): Promise<Answer> {
  const { body, method, path } = planned
  // The answer does not wait for the call.
  const headers = { prefer: 'respond-async', ...more.headers }
  const { key } = model.space
  const answer = await api.send(method, `/api/v1${path}`, { key, ...(body && { body }), ...more, headers })
  const what = statusAndCode(answer)
  met.set(what, (met.get(what) ?? 0) + 1)
  return answer
}

/** Whether the request changed something. A failed opening is recorded too. */
const isDone = ({ json, status }: Answer) => status < 300 || json.error.openingId !== undefined

async function plain(run: Run, planned: PlannedRequest): Promise<void> {
  const answer = await sendOnce(run, planned)
  if (planned.expected !== undefined) expect(statusAndCode(answer)).toBe(planned.expected)
  if (isDone(answer)) planned.done(answer.json)
}

async function again(run: Run, planned: PlannedRequest): Promise<void> {
  if (planned.method === 'DELETE') return plain(run, planned)
  const headers = { 'idempotency-key': `once-${++keysGiven}` }
  const first = await sendOnce(run, planned, { headers })
  if (isDone(first)) planned.done(first.json)
  const second = await sendOnce(run, planned, { headers })
  expect(second.text).toBe(first.text)
  expect(second.headers['idempotency-replayed']).toBe(isDone(first) ? 'true' : undefined)
}

async function otherBody(run: Run, planned: PlannedRequest): Promise<void> {
  if (planned.method === 'DELETE') return plain(run, planned)
  const headers = { 'idempotency-key': `once-${++keysGiven}` }
  const first = await sendOnce(run, planned, { headers })
  if (!isDone(first)) return
  planned.done(first.json)
  const other = planned.path.includes('/accesses') ? { maxUsage: 7 } : { name: 'Other' }
  const second = await sendOnce(run, planned, { headers, body: { ...planned.body, ...other } })
  // Some operations take no other body. A second access to the same gate is a conflict, which is checked first.
  expect(statusAndCode(second)).toMatch(/^(400 v|409 c|422 i)/)
}

async function current(run: Run, planned: PlannedRequest): Promise<void> {
  const { api, model } = run
  const { headers } = await api.send('GET', `/api/v1${planned.path}`, { key: model.space.key })
  const answer = await sendOnce(run, planned, { headers: { 'if-match': headers.etag ?? '*' } })
  expect(answer.status).not.toBe(412)
  if (isDone(answer)) planned.done(answer.json)
}

/** Sends a request that must be refused, and changes nothing in the model. */
const refused =
  (
    to: string,
    how: (run: Run, planned: PlannedRequest) => { more?: Sending; path?: string } | undefined,
  ): Sender =>
  async (run, planned) => {
    const changed = how(run, planned)
    if (!changed) return plain(run, planned)
    const { more, path = planned.path } = changed
    expect(statusAndCode(await sendOnce(run, { ...planned, path }, more))).toBe(to)
  }

/** The variants with their weights in the draw. */
export const variants = {
  plain: [8, plain],
  /** With an Idempotency-Key, twice. */
  again: [3, again],
  otherBody: [1, otherBody],
  /** With the current ETag of the resource. */
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
    refused('404 not_found', (_, planned) => {
      const path = planned.path.replace(/_[0-9a-z]{26}/, `_${'0'.repeat(26)}`)
      return path === planned.path ? undefined : { path }
    }),
  ],
} as const satisfies Readonly<Record<string, readonly [number, Sender]>>
export type Variant = keyof typeof variants
