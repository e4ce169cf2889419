// What the decisions say of the lock-down of all gates.

import { expect } from 'vitest'
import { newPerson } from '../userRequests.ts'
import { conformance } from './conforms.ts'

export const lockDownTests = conformance()
const conforms = lockDownTests

conforms('All gates locked', async stage => {
  const { addAccess, addGate, addMember, api, get, guest, open, space } = stage
  const { id } = await addGate()
  const member = await addMember()
  const access = await addAccess(member.id, { gateId: id, schedules: [{ type: 'always' }] })
  const admin = await newPerson(api, space.spaceId)
  const byUser = (method: string, path: string) =>
    api.send(method, `/app/v1/spaces/${space.spaceId}/${path}`, { key: null, headers: admin.headers })
  const calls = api.gateway.calls.length
  expect((await byUser('POST', 'lock-down')).status).toBe(200)
  for (const { json, status } of [await open(id), await byUser('POST', `gates/${id}/open`)])
    expect([status, json.error.reason, json.error.safeToRetry]).toEqual([502, 'locked_down', false])
  expect((await guest(access.accessUrl).visit()).text).toContain('All gates are locked')
  expect((await get(`/gates/${id}/readiness`)).json).toMatchObject({ ready: false, reason: 'locked_down' })
  expect((await get(`/members/${member.id}/decision?gateId=${id}`)).json).toMatchObject({
    allowed: false,
    reason: 'locked_down',
  })
  expect(api.gateway.calls.length).toBe(calls)
  expect((await byUser('DELETE', 'lock-down')).status).toBe(204)
  expect((await open(id)).status).toBe(200)
})
