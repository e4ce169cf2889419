// The request log: one line for each request, without anything that the request contained.

import { connect } from 'node:net'
import { newUser } from '@callgate/cloud/user/user.kit'
import { settle } from '@callgate/world/fake'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, serveWholeApi } from './apiServer.ts'
import { guestOf } from './guest.ts'
import { numbers } from './scriptedGateway.ts'

let api: Api

beforeAll(async () => {
  api = await serveWholeApi()
})
afterAll(() => api.stop())

/** The lines since the log had `from` lines, once the answers are sent. */
async function linesSince(from: number) {
  await settle()
  return api.world.lines.slice(from).filter(({ message }) => message === 'request')
}

async function fieldsOf(ask: () => Promise<unknown>) {
  const from = api.world.lines.length
  await ask()
  return (await linesSince(from)).map(({ fields }) => fields)
}

it('logs for each request its operation, result, duration and key', async () => {
  const { apiKeyId, key } = await api.home.addKey()
  const headers = { 'x-request-id': 'order-17' }
  const missing = '/api/v1/gates/gate_unknown?a=b'
  const line = { requestId: 'order-17', method: 'GET', durationMs: 0 }
  // The address is logged only for a refused request, because the operator may have to block it.
  const address = '127.0.0.1'
  expect(await fieldsOf(() => api.send('GET', '/api/v1/gates', { key, headers }))).toEqual([
    { ...line, route: '/api/v1/gates', status: 200, apiKeyId },
  ])
  expect(await fieldsOf(() => api.send('GET', missing, { key, headers }))).toEqual([
    { ...line, route: '/api/v1/gates/:gateId', status: 400, apiKeyId, address },
  ])
  expect(await fieldsOf(() => api.send('PUT', '/api/v1/gates', { key, headers }))).toEqual([
    { ...line, method: 'PUT', route: '/api/v1/gates', status: 405, apiKeyId: undefined, address },
  ])
  expect(await fieldsOf(() => api.send('GET', '/nowhere', { key, headers }))).toEqual([
    { ...line, route: 'none', status: 404, apiKeyId: undefined, address },
  ])
})

async function newSlowGate(): Promise<string> {
  const body = { name: 'Slow', phoneNumber: numbers.neverReports }
  return (await api.send('POST', '/api/v1/gates', { body })).json.gate.id
}

it('counts the time that an opening took', async () => {
  const path = `/api/v1/gates/${await newSlowGate()}/open`
  const [line] = await fieldsOf(() => api.outlast(api.send('POST', path)))
  expect(line).toMatchObject({ route: '/api/v1/gates/:gateId/open', status: 200 })
  expect(line?.['durationMs']).toBeGreaterThanOrEqual(50_000)
})

/** Sends `text` unchanged; the client goes away once `until` holds, or with the server's answer. */
async function sendRaw(text: string, until: () => boolean = () => false): Promise<void> {
  const socket = connect(Number(new URL(api.base).port), '127.0.0.1', () => socket.write(text))
  let isClosed = false
  socket.resume().on('close', () => {
    isClosed = true
  })
  for (; !isClosed; await settle()) if (until()) socket.destroy()
}

it('logs bytes that are not HTTP, and an opening whose client has gone', async () => {
  expect(await fieldsOf(() => sendRaw('canary\r\n\r\n'))).toMatchObject([
    { route: 'none', status: 400, address: '127.0.0.1' },
  ])
  await api.nextMinute()
  const head = `POST /api/v1/gates/${await newSlowGate()}/open HTTP/1.1\r\nHost: x\r\nContent-Length: 0`
  const calls = api.gateway.calls.length
  const openAndLeave = async () => {
    await sendRaw(`${head}\r\nX-Api-Key: ${api.home.key}\r\n\r\n`, () => api.gateway.calls.length > calls)
    await api.world.advance(51_000)
  }
  expect(await fieldsOf(openAndLeave)).toMatchObject([{ route: '/api/v1/gates/:gateId/open', status: 200 }])
})

it('logs which user sent a request of the dashboard, and contains none of their secrets', async () => {
  const { spaceId } = api.home
  const person = await newUser(api, { email: 'canary@example.com', spaceId })
  const { headers, userId } = person
  const from = api.world.lines.length
  const gates = `/app/v1/spaces/${spaceId}/gates`
  expect(await fieldsOf(() => api.send('GET', gates, { key: null, headers }))).toMatchObject([
    { route: '/app/v1/spaces/:spaceId/gates', status: 200, apiKeyId: undefined, userId },
  ])
  const secret = 'canary4yN3mS1mGrxXo5Wc0dLQJc1ilqBkqX3F4yN3m'
  const ownScript = { 'Sec-Fetch-Site': 'same-origin' }
  const send = (path: string, body: object) =>
    api.send('POST', `/app/v1${path}`, {
      key: null,
      headers: { ...ownScript, cookie: `sid=${secret}` },
      body,
    })
  await send('/session', { email: 'canary@example.com', password: secret })
  await send('/invitation', { token: secret })
  await send('/invitation/accept', { token: secret, name: 'canary', password: secret })
  await send('/password-reset', { email: 'canary@example.com' })
  await send('/password-reset/confirm', { token: secret, password: secret })
  await send('/session/code', { ticket: secret, code: secret.slice(0, 32) })
  expect(await linesSince(from)).toHaveLength(7)
  const text = JSON.stringify(api.world.lines)
  for (const part of ['canary', person.token, headers['X-CSRF-Token'] ?? 'none'])
    expect(text).not.toContain(part)
})

it('contains no secret, no token and nothing that was sent', async () => {
  const canary = 'canary4yN3mS1mGrxXo5Wc0dLQJc1ilq'
  const from = api.world.lines.length
  const gate = await api.send('POST', '/api/v1/gates', {
    body: { name: canary, phoneNumber: numbers.opens, location: canary },
    headers: { 'idempotency-key': canary, 'user-agent': canary, cookie: `guest=${canary}` },
  })
  const gateId = gate.json.gate.id
  const body = { name: canary, email: `${canary}@example.com`, note: canary, accesses: [{ gateId }] }
  const { json } = await api.send('POST', '/api/v1/members', { body })
  const url = json.member.accesses[0]?.accessUrl ?? ''
  const guest = guestOf(api, url)
  await guest.press(gateId)
  await guest.pickLanguage('ro')
  for (const path of [
    `/g/${canary}`,
    `/g/${canary}/openings/${canary}`,
    `/api/v1/${canary}`,
    `/docs/${canary}`,
  ])
    await api.send('GET', `${path}?key=${canary}`, { key: canary })
  await api.send('GET', '/api/v1/gates', { headers: { 'x-request-id': api.home.key } })
  await api.send('GET', '/api/v1/gates', { key: null, headers: { 'x-api-key': canary } })
  await api.send('POST', '/api/v1/gates', { body: `{"${canary}": ` })
  expect(await linesSince(from)).toHaveLength(12)
  const text = JSON.stringify(api.world.lines)
  const [, token = 'no token'] = /\/g\/(.+)/.exec(url) ?? []
  for (const secret of [canary, token, api.home.key, numbers.opens]) expect(text).not.toContain(secret)
  expect(text).toContain('/g/:token/gates/:gateId')
})
