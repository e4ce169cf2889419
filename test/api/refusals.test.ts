// Refusals on the wire: the dashboard gets their names, and an integrator only code and message.

import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
import type { Refusal } from '@callgate/contract/rest/problem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Api, serveWholeApi } from './apiServer.ts'

let api: Api
let owner: SignedInBrowser

beforeAll(async () => {
  api = await serveWholeApi()
  owner = await newUser(api, { email: 'olga@example.com', spaceId: api.home.spaceId })
})
afterAll(() => api.stop())

const body = { name: 'North', phoneNumber: '112' }
const message = 'phoneNumber is an emergency or short number, which is never called'

it('gives the dashboard the name of a refusal and the values for its text', async () => {
  const { headers } = owner
  const path = `/app/v1/spaces/${api.home.spaceId}/gates`
  const { status, text } = await api.send('POST', path, { key: null, headers, body })
  const refusals = [{ name: 'number_short', values: { field: 'phoneNumber' } }]
  expect([status, JSON.parse(text)]).toEqual([
    400,
    { error: { code: 'validation_error', message, refusals } },
  ])
})

it('gives an integrator the single error shape', async () => {
  const { status, text } = await api.send('POST', '/api/v1/gates', { body })
  expect([status, JSON.parse(text)]).toEqual([400, { error: { code: 'validation_error', message } }])
})

it('reports the schema’s message about each field, and about a member of a list', async () => {
  const { headers } = owner
  const path = `/app/v1/spaces/${api.home.spaceId}/members`
  const badBody = { name: 'x'.repeat(121), email: 'nobody', accesses: [] }
  const { text } = await api.send('POST', path, { key: null, headers, body: badBody })
  const { message, refusals } = JSON.parse(text).error
  expect(refusals.map(({ name, values }: Refusal) => [name, values['field']])).toEqual([
    ['field_long', 'name'],
    ['field_like', 'email'],
  ])
  expect(message).toMatch(/^name must have at most 120 characters; email must be like /)
  const rest = await api.send('POST', '/api/v1/members', { body: badBody })
  expect(JSON.parse(rest.text)).toEqual({ error: { code: 'validation_error', message } })
})

it('reports the error in a schedule', async () => {
  const { headers } = owner
  const path = `/app/v1/spaces/${api.home.spaceId}/schedules/preview`
  const schedules = [{ type: 'always', startsAt: '2026-03-02T10:00:00Z', expiresAt: '2026-03-01T10:00:00Z' }]
  const { text } = await api.send('POST', path, { key: null, headers, body: { schedules } })
  expect(JSON.parse(text).error.refusals).toEqual([
    { name: 'schedule_order', values: { field: 'schedules[0].expiresAt' } },
  ])
})
