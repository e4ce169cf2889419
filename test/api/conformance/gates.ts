// What the specification and the decisions say of gates.

import type { PlanName } from '@callgate/cloud/core/plan'
import { setOwnLimits } from '@callgate/cloud/space/plans'
import { setPlan } from '@callgate/cloud/space/spaces'
import { expect } from 'vitest'
import { numberOf } from '../scriptedGateway.ts'
import { statusAndCode } from '../validRequests.ts'
import { conformance, rowsOf, type Stage } from './conforms.ts'

export const gateTests = conformance()
const conforms = gateTests

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const body = { name: 'Front', phoneNumber: '+40722123456' }

conforms([...rowsOf('2 Gate.'), '4 POST gates'], async ({ get, post }) => {
  const given = { ...body, location: 'Cluj', description: 'Two\nlines' }
  const { json, status } = await post('/gates', given)
  expect(status).toBe(201)
  expect(json).toEqual({
    gate: {
      id: expect.stringMatching(/^gate_/),
      ...given,
      isActive: true,
      openCount: 0,
      lastOpenedAt: null,
      createdAt: expect.stringMatching(time),
    },
  })
  expect((await get(`/gates/${json.gate.id}`)).json).toEqual(json)
})

conforms('4 GET gates', async ({ addGate, get }) => {
  const gate = await addGate()
  const { json, status } = await get('/gates')
  expect([status, json]).toEqual([200, { gates: [gate] }])
})

conforms('4 PATCH gate', async ({ addGate, get, patch }) => {
  const gate = await addGate()
  const changes = [
    { name: 'Back' },
    { phoneNumber: '+40722999999' },
    { location: 'Yard', description: 'New' },
    { isActive: false, description: null },
  ]
  let expected = gate
  for (const change of changes) {
    expected = { ...expected, ...change }
    const { json, status } = await patch(`/gates/${gate.id}`, change)
    expect([status, json]).toEqual([200, { gate: expected }])
  }
  expect((await get('/gates')).json.gates).toEqual([expected])
})

conforms(['4 DELETE gate', '3 DELETE gate', 'Are inactive ones listed'], async ({ addGate, del, get }) => {
  const gate = await addGate()
  const kept = await addGate()
  const { status, text } = await del(`/gates/${gate.id}`)
  expect([status, text]).toEqual([204, ''])
  const gone = { ...gate, isActive: false }
  expect((await get('/gates')).json.gates).toEqual([gone, kept])
  expect((await get('/gates?isActive=false')).json.gates).toEqual([gone])
  expect((await get('/gates?isActive=true')).json.gates).toEqual([kept])
})

conforms('Are inactive ones listed', async ({ addMember, del, get }) => {
  const member = await addMember()
  const kept = await addMember()
  await del(`/members/${member.id}`)
  const gone = { ...member, isActive: false }
  expect((await get('/members')).json.members).toEqual([gone, kept])
  expect((await get('/members?isActive=false')).json.members).toEqual([gone])
  expect((await get('/members?isActive=true')).json.members).toEqual([kept])
})

conforms('3 PATCH gate isActive', async ({ addGate, patch }) => {
  const { id } = await addGate()
  for (const isActive of [false, true])
    expect((await patch(`/gates/${id}`, { isActive })).json.gate.isActive).toBe(isActive)
})

conforms(
  ['8 gate name', '8 gate location', '8 gate description', 'Lengths'],
  async ({ addGate, patch, post }) => {
    const { id } = await addGate()
    const limits = [
      ['name', 120],
      ['location', 200],
      ['description', 500],
    ] as const
    for (const [field, most] of limits) {
      // In code points, after trimming: an emoji is one.
      const longest = { [field]: ` ${'😀'.repeat(most)} ` }
      const tooLong = { [field]: 'x'.repeat(most + 1) }
      const created = await post('/gates', { ...body, ...longest })
      expect(created.json.gate[field]).toBe('😀'.repeat(most))
      expect((await patch(`/gates/${id}`, longest)).json.gate[field]).toBe('😀'.repeat(most))
      for (const refused of [
        await post('/gates', { ...body, ...tooLong }),
        await patch(`/gates/${id}`, tooLong),
      ]) {
        expect(statusAndCode(refused)).toBe('400 validation_error')
        expect(refused.json.error.message).toBe(`${field} must have at most ${most} characters`)
      }
    }
    for (const name of ['', '  \n '])
      expect((await post('/gates', { ...body, name })).json.error.message).toMatch(
        /^name must have at least 1/,
      )
  },
)

conforms('Required on gate create', async ({ post }) => {
  for (const field of ['name', 'phoneNumber'] as const) {
    const { [field]: _, ...rest } = body
    const refused = await post('/gates', rest)
    expect(statusAndCode(refused)).toBe('400 validation_error')
    expect(refused.json.error.message).toBe(`${field} is required`)
  }
  const { gate } = (await post('/gates', body)).json
  expect(gate).toMatchObject({ location: '', description: null })
})

conforms(['null and empty'], async ({ post }) => {
  const made = await post('/gates', { ...body, location: null, description: null })
  expect(made.json.gate).toMatchObject({ location: '', description: null })
})

conforms(
  ['4 gate limit', '7 403 plan_limit_reached', '8 plan limits', 'Inactive gates and the plan', 'Reactivate'],
  async ({ addGate, api, del, get, patch, post, space }) => {
    const limits = { gateLimit: 2 }
    await setOwnLimits(api, { spaceId: space.spaceId, limits, actor: 'operator' })
    const first = await addGate()
    const second = await addGate()
    const refused = await post('/gates', body)
    expect(statusAndCode(refused)).toBe('403 plan_limit_reached')
    expect(refused.json.error.message).toMatch(/may have 2 active gates, and 2 are in use.*does not reset/)
    await del(`/gates/${first.id}`)
    const third = (await post('/gates', body)).json.gate
    expect(statusAndCode(await patch(`/gates/${first.id}`, { isActive: true }))).toBe(
      '403 plan_limit_reached',
    )
    await del(`/gates/${third.id}`)
    expect((await patch(`/gates/${first.id}`, { isActive: true })).json.gate.isActive).toBe(true)
    await setOwnLimits(api, { spaceId: space.spaceId, limits: { gateLimit: 1 }, actor: 'operator' })
    expect((await get('/gates?isActive=true')).json.gates.map(({ id }) => id)).toEqual([first.id, second.id])
    expect((await patch(`/gates/${second.id}`, { name: 'Kept' })).status).toBe(200)
    expect(statusAndCode(await post('/gates', body))).toBe('403 plan_limit_reached')
  },
)

/** Inserts rows directly into the database: the rate limits of the API would allow so many only in minutes. */
async function fill({ api, space }: Stage, table: 'gates' | 'members', count: number) {
  const { knex } = api.database
  const createdAt = '2026-01-05T08:00:00.000Z'
  const rest =
    table === 'gates'
      ? { phoneNumber: '+40722000000', location: '', callProfile: '{}', isActive: true }
      : { isAdmin: false, isActive: true }
  for (let index = 0; index < count; index++) {
    const id = `${table === 'gates' ? 'gate' : 'member'}_${String(index).padStart(4, '0')}${space.spaceId.slice(-22)}`
    await knex(table).insert({ id, spaceId: space.spaceId, name: 'x', createdAt, ...rest })
  }
}

conforms('Plan limits', async stage => {
  const { api, post, space } = stage
  const limits: Record<Exclude<PlanName, 'trial' | 'free'>, [number, number]> = {
    pro: [25, 500],
    business: [100, 2000],
  }
  await fill(stage, 'gates', limits.business[0])
  await fill(stage, 'members', limits.business[1])
  for (const [name, [gates, invitations]] of Object.entries(limits)) {
    await setPlan(api, { spaceId: space.spaceId, plan: name as PlanName, actor: 'operator' })
    const gate = (await post('/gates', body)).json.error
    const member = (await post('/members', { name: 'Ana' })).json.error
    expect([gate.code, member.code]).toEqual(['plan_limit_reached', 'plan_limit_reached'])
    expect(gate.message).toContain(`This Space may have ${gates} active gates, and 100 are in use`)
    expect(member.message).toContain(`may have ${invitations} invitations a month`)
    expect(member.message).toMatch(/2000 are used; this resets at 20\d\d-\d\d-/)
  }
})

conforms(['Plan limits', '1 plan'], async ({ api }) => {
  const trial = await api.addSpace('trial')
  const ask = () => api.send('GET', '/api/v1/gates', { key: trial.key })
  expect((await ask()).status).toBe(200)
  await api.world.advance(14 * 24 * 60 * 60_000 - 1_000)
  expect((await ask()).status).toBe(200)
  await api.world.advance(1_000)
  const refused = await ask()
  expect(statusAndCode(refused)).toBe('403 plan_upgrade_required')
  expect(refused.json.error.message).toMatch(
    /^The trial of this Space ended at \d{4}-\S+Z, and the plan free does not/,
  )
  expect((await api.database.knex('plans').orderBy('name')).map(row => [row.name, row.gateLimit])).toEqual([
    ['business', 100],
    ['free', 1],
    ['pro', 25],
    ['trial', 25],
  ])
})

conforms('DELETE twice', async ({ actions, addGate, addMember, addAccess, del }) => {
  const { id: gateId } = await addGate()
  const { id: memberId } = await addMember()
  const access = await addAccess(memberId, { gateId })
  const path = `/members/${memberId}/accesses/${access.id}`
  const answers = []
  for (const twice of [
    path,
    path,
    `/gates/${gateId}`,
    `/gates/${gateId}`,
    `/members/${memberId}`,
    `/members/${memberId}`,
  ])
    answers.push(statusAndCode(await del(twice)))
  expect(answers).toEqual(['204', '404 not_found', '204', '204', '204', '204'])
  const deletions = (await actions()).filter(action => /revoked|deactivated/.test(action))
  expect([...deletions].sort()).toEqual(['gate.deactivated', 'guest.access_revoked', 'member.deactivated'])
})

conforms('`phoneNumber`', async ({ post }) => {
  const stored = {
    '0722 123-456': '+40722123456',
    '(0040) 722.123.456': '+40722123456',
    '+44 20 7946 0958': '+442079460958',
    '+44 118 912 3456': '+441189123456',
    '+49 906 12345': '+4990612345',
  }
  for (const [typed, phoneNumber] of Object.entries(stored))
    expect((await post('/gates', { ...body, phoneNumber: typed })).json.gate.phoneNumber).toBe(phoneNumber)
  const refused: Record<string, RegExp> = {
    '0722 123 456;AT': /may contain only digits/,
    '+112': /emergency or short/,
    '112': /emergency or short/,
    '+4072212': /8 to 15 digits|not a phone number/,
    '+4072212345678': /too long/,
    '+79161234567': /country that may not be called \(RU\)/,
    '+8816 123 45678': /satellite/,
    '0900 123 456': /begins with \+40 90, a premium-rate range/,
    '+4990012345678': /begins with \+49 900, a premium-rate range/,
    '+44 70 1234 567': /personal numbers/,
    '+44 118 118': /directory enquiries/,
    '+1 212 976 12345': /premium-rate/,
    '07221': /8 to 15 digits/,
  }
  for (const [phoneNumber, rule] of Object.entries(refused)) {
    const answer = await post('/gates', { ...body, phoneNumber })
    expect([phoneNumber, statusAndCode(answer)]).toEqual([phoneNumber, '400 validation_error'])
    expect(answer.json.error.message).toMatch(/^phoneNumber /)
    expect(answer.json.error.message).toMatch(rule)
  }
  // The phone of a member is free text, returned as sent.
  const { member } = (await post('/members', { name: 'Ana', phone: 'ask at desk (112)' })).json
  expect(member.phone).toBe('ask at desk (112)')
})

conforms(
  ['The same number on several gates', 'An open while another Space calls the same number'],
  async ({ addGate, api, open }) => {
    const phoneNumber = numberOf('opens', 77)
    const [one, two] = [await addGate({ phoneNumber }), await addGate({ phoneNumber })]
    const before = api.gateway.calls.length
    expect((await open(one.id)).json.opened).toBe(true)
    // Within the cool-down of the first.
    expect((await open(two.id)).json.opened).toBe(true)
    expect(api.gateway.calls.length).toBe(before + 1)
    const other = await api.addSpace()
    const send = { key: other.key, body: { name: 'Theirs', phoneNumber } }
    const theirs = (await api.send('POST', '/api/v1/gates', send)).json.gate
    const openTheirs = () => api.send('POST', `/api/v1/gates/${theirs.id}/open`, { key: other.key })
    const refused = (await openTheirs()).json.error
    expect(refused).toMatchObject({ code: 'open_failed', reason: 'number_in_use', safeToRetry: true })
    expect(refused.message).not.toMatch(/second|Space/)
    expect(api.gateway.calls.length).toBe(before + 1)
    await api.world.advance(5_000)
    expect((await openTheirs()).json.opened).toBe(true)
    expect(api.gateway.calls.length).toBe(before + 2)
  },
)

conforms('Changing phoneNumber', async ({ addGate, api, get, open, patch }) => {
  const gate = await addGate({ phoneNumber: '+40722123456' })
  const profile = `/gates/${gate.id}/profile`
  const mode = async () => (await get(profile)).json.profile.mode
  expect(await mode()).toBe('unverified')
  await patch(profile, { mode: 'reject' })
  await patch(`/gates/${gate.id}`, { phoneNumber: '0722 123 456' })
  expect(await mode()).toBe('reject')
  await patch(`/gates/${gate.id}`, { phoneNumber: '0722 123 457' })
  expect(await mode()).toBe('unverified')
  // Both numbers are kept during the call and its cool-down.
  const called = await addGate({ phoneNumber: numberOf('opens', 78) })
  expect((await open(called.id)).json.opened).toBe(true)
  await patch(`/gates/${called.id}`, { phoneNumber: numberOf('opens', 79) })
  expect((await open(called.id)).json.error.reason).toBe('number_in_use')
  await api.world.advance(5_000)
  expect((await open(called.id)).json.opened).toBe(true)
})

conforms('One gate, one member, one opening', async ({ addGate, addMember, as, get, open, space }) => {
  const gate = await addGate()
  const member = await addMember()
  const { openingId } = (await open(gate.id)).json
  const paths = { 'gates:read': 'gates', 'members:read': 'members', 'history:read': 'openings' } as const
  const ids = { gates: gate.id, members: member.id, openings: openingId }
  for (const [scope, noun] of Object.entries(paths)) {
    const { key } = await space.addKey({ scopes: [scope as keyof typeof paths] })
    for (const other of Object.values(paths)) {
      const { status } = await as(key).get(`/${other}/${ids[other]}`)
      expect([scope, other, status]).toEqual([scope, other, other === noun ? 200 : 403])
    }
  }
  expect((await get(`/gates/${gate.id}`)).json.gate.id).toBe(gate.id)
  expect((await get(`/members/${member.id}`)).json).toEqual({ member })
  const { evidence, opening } = (await get(`/openings/${openingId}`)).json
  expect(opening.id).toBe(openingId)
  expect(evidence).toMatchObject({ reason: 'rejected_after_ring', opened: 'likely', joinedOpeningId: null })
})

conforms('Order of gates and members', async ({ api, get, post }) => {
  for (const noun of ['gates', 'members'] as const) {
    const wanted = noun === 'gates' ? body : { name: 'Ana' }
    const made: string[] = []
    // Three are created at each instant. Among those, the ids decide the order.
    for (let count = 0; count < 6; count++) {
      if (count === 3) await api.world.advance(1)
      const { gate, member } = (await post(`/${noun}`, wanted)).json
      made.push((gate ?? member).id)
    }
    const expected = [...made.slice(0, 3).sort(), ...made.slice(3).sort()]
    const whole = (await get(`/${noun}`)).json
    expect(whole[noun].map(({ id }) => id)).toEqual(expected)
    expect(whole.pagination).toBeUndefined()
    const paged: string[] = []
    let cursor: string | null | undefined = ''
    while (typeof cursor === 'string') {
      const { json } = await get(`/${noun}?limit=4&cursor=${cursor}`)
      paged.push(...json[noun].map(({ id }) => id))
      cursor = json.pagination.nextCursor
    }
    expect(paged).toEqual(expected)
  }
})
