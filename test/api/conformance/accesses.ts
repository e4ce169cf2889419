// What the specification and the decisions say of accesses.

import type { ScheduleInput } from '@callgate/contract/rest/schedule'
import { expect } from 'vitest'
import { appUrl } from '../apiServer.ts'
import { statusAndCode } from '../validRequests.ts'
import { conformance, rowsOf } from './conforms.ts'

export const accessTests = conformance()
const conforms = accessTests

const always = { type: 'always', timezone: 'Europe/Bucharest' }

conforms(
  [...rowsOf('2 Access.'), '4 POST accesses', '4 rule 3', '4 create accesses'],
  async ({ addGate, addMember, get, post }) => {
    const [one, two] = [await addGate(), await addGate()]
    const { id } = await addMember()
    const plain = await post(`/members/${id}/accesses`, { gateId: one.id })
    expect([plain.status, plain.json]).toEqual([
      201,
      {
        access: {
          id: expect.stringMatching(/^access_/),
          gateId: one.id,
          schedules: [always],
          maxUsage: null,
          usageCount: 0,
          isActive: true,
          accessUrl: expect.stringMatching(new RegExp(`^${appUrl}/g/[\\w-]{32}$`)),
          lastUsedAt: null,
        },
      },
    ])
    const schedules = [{ type: 'weekends' }, { type: 'weekdays' }]
    const capped = await post(`/members/${id}/accesses`, { gateId: two.id, schedules, maxUsage: 3 })
    expect(capped.json.access).toMatchObject({ schedules, maxUsage: 3 })
    const shown = (await get(`/members/${id}`)).json.member.accesses
    expect(shown).toEqual([plain.json.access, capped.json.access])
  },
)

conforms(['1 member', '1 link'], async ({ addGate, addMember, guest, open }) => {
  const gates = [await addGate(), await addGate(), await addGate()]
  const night: ScheduleInput[] = [{ type: 'weekdays', timeWindows: [{ from: '22:00', to: '23:00' }] }]
  const { accesses } = await addMember({
    accesses: gates.map(({ id }, place) => ({
      gateId: id,
      ...(place === 1 && { maxUsage: 1 }),
      ...(place === 2 && { schedules: night }),
    })),
  })
  expect(accesses.map(({ maxUsage }) => maxUsage)).toEqual([null, 1, null])
  const browser = guest(accesses[0]?.accessUrl ?? '')
  const press = async (place: number) => (await browser.press(gates[place]?.id ?? '')) !== undefined
  // The second gate may be opened once, and the third not on a Monday at 10 in the morning.
  expect([await press(0), await press(1), await press(2)]).toEqual([true, true, false])
  expect((await open(gates[2]?.id ?? '')).json.opened).toBe(true)
})

conforms(
  ['4 PATCH access', '3 PATCH access isActive', 'PATCH'],
  async ({ actions, addAccess, addGate, addMember, get, guest, patch }) => {
    const { id: gateId } = await addGate()
    const { id } = await addMember()
    const access = await addAccess(id, { gateId, maxUsage: 2, schedules: [{ type: 'weekdays' }] })
    const path = `/members/${id}/accesses/${access.id}`
    const weekend = { type: 'weekends', timezone: 'Europe/Bucharest' }
    const changes = [
      { maxUsage: 5 },
      { schedules: [always, weekend] },
      { isActive: false },
      { maxUsage: null },
    ]
    let expected = { ...access }
    for (const change of changes) {
      expected = { ...expected, ...change } as typeof access
      const { json, status } = await patch(path, change)
      expect([status, json]).toEqual([200, { access: expected }])
    }
    const browser = guest(access.accessUrl)
    expect(await browser.press(gateId)).toBeUndefined()
    expect((await patch(path, { isActive: true })).json.access.isActive).toBe(true)
    expect(await browser.press(gateId)).toBeDefined()
    // The gateway claims it after the press has been answered.
    await expect
      .poll(async () => (await get(`/members/${id}`)).json.member.accesses)
      .toMatchObject([{ isActive: true, usageCount: 1 }])

    const before = await actions()
    for (const same of [{}, { isActive: true }, { schedules: [always, weekend], maxUsage: null }])
      expect((await patch(path, same)).status).toBe(200)
    for (const same of [{}, { name: 'Ana' }, { phone: null }])
      expect((await patch(`/members/${id}`, same)).status).toBe(200)
    for (const same of [{}, { isActive: true, description: null }])
      expect((await patch(`/gates/${gateId}`, same)).status).toBe(200)
    expect(await actions()).toEqual(before)
    // What cannot be null is not cleared.
    for (const [at, body] of [
      [path, { schedules: null }],
      [path, { isActive: null }],
      [`/gates/${gateId}`, { name: null }],
      [`/gates/${gateId}`, { location: null }],
      [`/members/${id}`, { name: null }],
    ] as const)
      expect(statusAndCode(await patch(at, body))).toBe('400 validation_error')
  },
)

conforms(
  ['4 DELETE access', '3 DELETE access'],
  async ({ addAccess, addGate, addMember, del, get, guest }) => {
    const { id: gateId } = await addGate()
    const { id } = await addMember()
    const access = await addAccess(id, { gateId })
    const { status, text } = await del(`/members/${id}/accesses/${access.id}`)
    expect([status, text]).toEqual([204, ''])
    expect((await get(`/members/${id}`)).json.member.accesses).toEqual([])
    expect(await guest(access.accessUrl).press(gateId)).toBeUndefined()
    expect(await addAccess(id, { gateId })).toMatchObject({ gateId, accessUrl: access.accessUrl })
  },
)

conforms('4 rule 2', async ({ addAccess, addGate, addMember, guest, mails }) => {
  const [one, two, three] = [await addGate(), await addGate(), await addGate()]
  const ana = await addMember({ email: 'ana@example.com', accesses: [{ gateId: one.id }] })
  const ion = await addMember({ name: 'Ion' })
  await addAccess(ana.id, { gateId: two.id })
  await addAccess(ion.id, { gateId: three.id })
  expect(await mails()).toEqual(['invitation', 'access_granted'])
  expect(await guest(ana.accesses[0]?.accessUrl ?? '').press(two.id)).toBeDefined()
})

conforms(
  'Grant on an inactive gate; to an inactive member',
  async ({ addGate, addMember, api, del, get, guest, patch, post }) => {
    const { id: gateId } = await addGate()
    const { id } = await addMember()
    await del(`/gates/${gateId}`)
    const granted = await post(`/members/${id}/accesses`, { gateId })
    expect(granted.status).toBe(201)
    const browser = guest(granted.json.access.accessUrl)
    expect(await browser.press(gateId)).toBeUndefined()
    // A page that was loaded before the gate was switched off still has the button.
    await patch(`/gates/${gateId}`, { isActive: true })
    const calls = api.gateway.calls.length
    const openingId = await browser.press(gateId, () => del(`/gates/${gateId}`))
    const { evidence, opening } = (await get(`/openings/${openingId}`)).json
    expect([opening.status, evidence.reason]).toEqual(['failed', 'gate_inactive'])
    expect(api.gateway.calls.length).toBe(calls)
    await del(`/members/${id}`)
    expect(statusAndCode(await post(`/members/${id}/accesses`, { gateId }))).toBe('409 conflict')
  },
)

conforms('Second access for the same gate', async ({ addAccess, addGate, addMember, post }) => {
  const { id: gateId } = await addGate()
  const { id } = await addMember()
  await addAccess(id, { gateId })
  const again = await post(`/members/${id}/accesses`, { gateId })
  expect(statusAndCode(again)).toBe('409 conflict')
  expect(again.json.error.message).toMatch(/^gateId: a member has one access for each gate/)
})

conforms('Unknown or foreign gateId', async ({ addMember, api, post }) => {
  const { id } = await addMember()
  const other = await api.addSpace()
  const body = { name: 'Theirs', phoneNumber: '+40722123456' }
  const foreign = (await api.send('POST', '/api/v1/gates', { key: other.key, body })).json.gate.id
  for (const gateId of [foreign, `gate_${'0'.repeat(26)}`, 'x', '']) {
    const refused = await post(`/members/${id}/accesses`, { gateId })
    expect(statusAndCode(refused)).toBe('404 not_found')
    expect(refused.json.error.message).toBe('gateId: there is no gate with this id.')
    expect(statusAndCode(await post('/members', { name: 'Ana', accesses: [{ gateId }] }))).toBe(
      '404 not_found',
    )
  }
})

conforms('maxUsage', async ({ addAccess, addGate, addMember, api, guest, patch, post }) => {
  const { id: gateId } = await addGate()
  const { id } = await addMember()
  const access = await addAccess(id, { gateId })
  const path = `/members/${id}/accesses/${access.id}`
  for (const maxUsage of [0, -1, 1.5, '1', 2_147_483_648]) {
    expect(statusAndCode(await patch(path, { maxUsage }))).toBe('400 validation_error')
    expect(statusAndCode(await post(`/members/${id}/accesses`, { gateId, maxUsage }))).toBe(
      '400 validation_error',
    )
  }
  const browser = guest(access.accessUrl)
  for (let use = 0; use < 2; use++) {
    expect(await browser.press(gateId)).toBeDefined()
    await api.nextMinute()
  }
  const lowered = (await patch(path, { maxUsage: 1 })).json.access
  expect(lowered).toMatchObject({ maxUsage: 1, usageCount: 2 })
  expect(await browser.press(gateId)).toBeUndefined()
  expect((await patch(path, { maxUsage: 3 })).json.access.usageCount).toBe(2)
  expect(await browser.press(gateId)).toBeDefined()
})
