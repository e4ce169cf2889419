import { createServer, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from './client.ts'
import type { Clock } from './types.ts'

const openingId = 'open_01kdj0v4t6w8y1a3c5e7g9j2m4'
type Plan = (response: ServerResponse) => void

let plans: Plan[]
let lastEventIds: (string | undefined)[]
let server: Server
let baseUrl: string
let limits: Map<() => void, number>
let pauses: number[]

const clock: Clock = {
  nowMs: () => pauses.reduce((sum, pause) => sum + pause, 0),
  async pause(delayMs) {
    pauses.push(delayMs)
  },
  limit(delayMs, then) {
    limits.set(then, delayMs)
    return () => limits.delete(then)
  },
  random: () => 0,
  newKey: () => 'key',
}

beforeEach(async () => {
  plans = []
  lastEventIds = []
  limits = new Map()
  pauses = []
  server = createServer((request, response) => {
    lastEventIds.push(request.headers['last-event-id']?.toString())
    const plan = plans.shift() ?? (() => response.writeHead(500).end('nothing was planned'))
    plan(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

const at = '2026-03-27T16:04:07.465Z'
const text = (id: number, step: string, event = 'step') =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify({ openingId, step, at })}\n\n`
const stream =
  (...texts: string[]): Plan =>
  response => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (const part of texts) response.write(part)
    response.end()
  }
const cutAfter =
  (part: string): Plan =>
  response => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(part, () => response.destroy())
  }
const problem =
  (status: number, code: string): Plan =>
  response =>
    response.writeHead(status).end(JSON.stringify({ error: { code, message: 'why' } }))

const client = () => createClient({ baseUrl, apiKey: 'svc_live_x', clock })

/** The items of the iterator: the steps, and the code of a failure. */
async function followed(options: Parameters<ReturnType<typeof client>['followOpening']>[1] = {}) {
  const told: string[] = []
  for await (const item of client().followOpening({ openingId }, options))
    told.push(item.ok ? `${item.hasMissed ? 'missed ' : ''}${item.step}` : item.code)
  return told
}

it('returns each step until the opening has ended, in whatever pieces the text arrives', async () => {
  const whole = `retry: 2000\n\n:\n\n${text(1, 'asked')}${text(2, 'calling')}${text(5, 'ended')}`
  for (let cut = 1; cut < whole.length; cut += 37) {
    plans = [stream(whole.slice(0, cut), whole.slice(cut))]
    expect(await followed()).toEqual(['asked', 'calling', 'ended'])
  }
  expect(limits.size).toBe(0)
})

it('reconnects when the connection is lost, and continues after the last event', async () => {
  plans = [cutAfter(text(3, 'asked')), problem(503, 'internal_error'), stream(text(9, 'ended', 'reset'))]
  expect(await followed()).toEqual(['asked', 'missed ended'])
  expect(lastEventIds).toEqual([undefined, '3', '3'])
  plans = [stream(text(4, 'asked')), response => response.writeHead(204).end()]
  expect(await followed({ lastEventId: '2' })).toEqual(['asked'])
  expect(lastEventIds.slice(3)).toEqual(['2', '4'])
})

it('ends with a failure that a retry does not help, or after the allowed number of tries', async () => {
  plans = [problem(404, 'not_found')]
  expect(await followed()).toEqual(['not_found'])
  plans = [1, 2, 3, 4].map(() => problem(500, 'internal_error'))
  expect(await followed()).toEqual(['internal_error'])
  expect(pauses.length).toBe(3)
  plans = [stream(`data: ${'x'.repeat(70_000)}`), problem(401, 'unauthorized')]
  expect(await followed()).toEqual(['unauthorized'])
  const wrong = await client().followOpening({ openingId: '../x' }).next()
  expect(wrong.value).toMatchObject({ ok: false, code: 'invalid_input' })
})

it('reconnects after 45 s of silence, and gives up at its deadline or when its caller aborts', async () => {
  const silent: Plan = response => {
    response.writeHead(200)
    response.write(text(1, 'asked'))
  }
  const steps = client().followOpening({ openingId })
  plans = [silent, stream(text(2, 'ended'))]
  expect(await steps.next()).toMatchObject({ value: { step: 'asked' } })
  expect([...limits.values()].sort()).toEqual([120_000, 45_000])
  const next = steps.next()
  for (const [then, ms] of [...limits]) if (ms === 45_000) then()
  expect(await next).toMatchObject({ value: { step: 'ended' } })
  expect(await steps.next()).toMatchObject({ done: true })

  plans = [silent]
  const late = client().followOpening({ openingId }, { deadlineMs: 100 })
  await late.next()
  const given = late.next()
  for (const [then, ms] of [...limits]) if (ms === 100) then()
  expect(await given).toMatchObject({ value: { code: 'deadline_exceeded' } })

  plans = [silent]
  const stop = new AbortController()
  const left = client().followOpening({ openingId }, { signal: stop.signal })
  await left.next()
  const aborted = left.next()
  stop.abort()
  expect(await aborted).toMatchObject({ value: { code: 'aborted' } })
  expect(limits.size).toBe(0)
})

const change = (sequence: number, type: string, event = 'change') => {
  const data = { type, timestamp: at, sequence, data: { targetId: openingId, gateId: null, memberId: null } }
  return `id: ${sequence}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}

it('follows a Space without an end and a deadline, over lost connections, until its caller stops', async () => {
  plans = [
    cutAfter(change(7, 'reset', 'reset')),
    problem(503, 'internal_error'),
    stream(change(8, 'opening.ended'), change(9, 'newer.type')),
    problem(401, 'unauthorized'),
  ]
  const told: unknown[] = []
  for await (const item of client().followSpace())
    told.push(item.ok ? [item.hasMissed, item.type, item.sequence, item.data.targetId] : item.code)
  expect(told).toEqual([
    [true, 'reset', 7, openingId],
    [false, 'opening.ended', 8, openingId],
    [false, 'newer.type', 9, openingId],
    'unauthorized',
  ])
  expect(lastEventIds).toEqual([undefined, '7', '7', '9'])
  expect(limits.size).toBe(0)

  plans = [
    response => {
      response.writeHead(200)
      response.write(change(3, 'gate.created'))
    },
  ]
  const left = client().followSpace({ lastEventId: '2' })
  expect(await left.next()).toMatchObject({ value: { type: 'gate.created' } })
  expect([...limits.values()]).toEqual([45_000])
  await left.return()
  expect(limits.size).toBe(0)
})

it('follows a Space in which nothing happens, over any number of lost connections', async () => {
  plans = [...Array.from({ length: 12 }, () => cutAfter(':\n\n')), problem(401, 'unauthorized')]
  const told: unknown[] = []
  for await (const item of client().followSpace()) told.push(item.ok ? item.type : item.code)
  expect(told).toEqual(['unauthorized'])
  plans = [...Array.from({ length: 12 }, () => problem(503, 'internal_error')), problem(401, 'unauthorized')]
  for await (const item of client().followSpace()) told.push(item.ok ? item.type : item.code)
  expect(told).toEqual(['unauthorized', 'unauthorized'])
})
