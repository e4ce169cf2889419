import { expect, it } from 'vitest'
import { createClient } from './client.ts'
import { type Answers, fakeCloud, password } from './fakeCloud.kit.ts'
import { gateOf, ids, sessionOf } from './spaceData.kit.ts'

const params = { spaceId: ids.spaceId, gateId: ids.gateId }
let gate = gateOf()
const answers: Answers = {
  getGate: () => ({ status: 200, body: { gate } }),
  updateGate: () => ({ status: 200, body: { gate } }),
}

/** A client of a fake with a signed-in user. */
function signedIn(given: Parameters<typeof sessionOf>[0] = {}, more: Answers = answers) {
  const session = sessionOf(given)
  const cloud = fakeCloud(session, more)
  const client = createClient(cloud.fetch)
  client.hold(session)
  return { client, cloud }
}

it('refuses a body and a query that do not fit, with the contract’s message', async () => {
  const { client, cloud } = signedIn()
  const given = { params, body: { name: 'www.gate' } }
  expect(await client.call('updateGate', given)).toMatchObject({
    code: 'validation_error',
    refusals: [{ name: 'field_link', values: { field: 'name' } }],
  })
  const listed = await client.call('listHistory', { params, query: { limit: 0 } })
  expect(listed).toMatchObject({ code: 'validation_error' })
  expect(cloud.count('updateGate')).toBe(0)
})

it('refuses a change of a resource that has changed since', async () => {
  const { client, cloud } = signedIn()
  const read = await client.call('getGate', { params })
  const ifMatch = read.ok ? (read.etag ?? '') : ''
  gate = gateOf({ name: 'Another' })
  const body = { name: 'Mine' }
  expect(await client.call('updateGate', { params, ifMatch, body })).toMatchObject({
    code: 'precondition_failed',
  })
  const again = await client.call('getGate', { params })
  const now = again.ok ? (again.etag ?? '') : ''
  expect(await client.call('updateGate', { params, ifMatch: now, body })).toMatchObject({ ok: true })
  expect(cloud.bodies('updateGate')).toEqual([body])
})

it('refuses a change without the token of the session, and a user without a session', async () => {
  const { cloud } = signedIn()
  const path = `/app/v1/spaces/${ids.spaceId}/gates/${ids.gateId}`
  expect((await cloud.fetch(path, { method: 'PATCH', body: '{}' })).status).toBe(403)
  const nobody = fakeCloud(undefined, answers)
  expect((await nobody.fetch(path)).status).toBe(401)
})

it('refuses what the role does not allow, and the Space of other users', async () => {
  const { client } = signedIn({ role: 'admin' })
  expect(await client.call('listUsers', { params })).toMatchObject({ code: 'insufficient_role' })
  const elsewhere = { ...params, spaceId: ids.spaceId.replace('01', '02') }
  expect(await client.call('getGate', { params: elsewhere })).toMatchObject({ code: 'not_found' })
})

it('requires a confirmation where the contract does, until the password is given', async () => {
  const { client, cloud } = signedIn({}, { exportOwnData: () => ({ status: 200, body: '{}' }) })
  cloud.forget()
  expect(await client.call('exportOwnData', {})).toMatchObject({ code: 'confirmation_required' })
  expect(await client.call('confirmSession', { body: { password: 'no' } })).toMatchObject({
    code: 'wrong_password',
  })
  await client.call('confirmSession', { body: { password } })
  expect(await client.call('exportOwnData', {})).toMatchObject({ ok: true })
})

it('reports to the test what has no answer, and which answers are wrong', async () => {
  const { client, cloud } = signedIn({}, { getGate: () => ({ status: 200, body: {} as never }) })
  await client.call('listGates', { params })
  await client.call('getGate', { params })
  expect(cloud.faults).toEqual([
    'Error: nobody answers listGates',
    'Error: getGate is answered wrongly: gate is required',
  ])
})
