// Refusals on the wire: the dashboard is told which one it is, and an integrator code and message alone.

import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
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

it('tells the dashboard the name of a refusal and what its text has places for', async () => {
  const { headers } = owner
  const path = `/app/v1/spaces/${api.home.spaceId}/gates`
  const { status, text } = await api.send('POST', path, { key: null, headers, body })
  const refusal = { name: 'number_short', values: { field: 'phoneNumber' } }
  expect([status, JSON.parse(text)]).toEqual([400, { error: { code: 'validation_error', message, refusal } }])
})

it('answers an integrator in the one error shape', async () => {
  const { status, text } = await api.send('POST', '/api/v1/gates', { body })
  expect([status, JSON.parse(text)]).toEqual([400, { error: { code: 'validation_error', message } }])
})
