// What the specification and the decisions say of members, their links and the mails to them.

import { setOwnLimits } from '@callgate/cloud/space/plans'
import { expect } from 'vitest'
import { appUrl } from '../apiServer.ts'
import { statusAndCode } from '../validRequests.ts'
import { conformance, rowsOf } from './conforms.ts'

export const memberTests = conformance()
const conforms = memberTests

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const link = new RegExp(`^${appUrl}/g/[\\w-]{32}$`)

conforms(
  [...rowsOf('2 Member.'), '2 Member email', '4 POST members', 'Member `email`'],
  async ({ addGate, get, open, post }) => {
    const { id: gateId } = await addGate()
    const given = { name: 'Ana', phone: '0722 000 111', note: 'Second floor\nleft' }
    const { json, status } = await post('/members', {
      ...given,
      email: 'ana@example.com',
      accesses: [{ gateId }],
    })
    expect(status).toBe(201)
    expect(json).toEqual({
      member: {
        id: expect.stringMatching(/^member_/),
        ...given,
        isAdmin: false,
        isActive: true,
        preferredLanguage: 'en',
        createdAt: expect.stringMatching(time),
        accesses: [expect.objectContaining({ gateId })],
      },
    })
    expect((await get(`/members/${json.member.id}`)).json).toEqual(json)
    // Only admins see the note: an opening gives the name of its guest, and nothing more.
    expect((await open(gateId)).text).not.toContain('Second floor')
  },
)

conforms(['4 GET members', '1 link'], async ({ addGate, addMember, get }) => {
  const gates = [await addGate(), await addGate()]
  const one = await addMember({ accesses: gates.map(({ id }) => ({ gateId: id })) })
  const two = await addMember()
  const { json, status } = await get('/members')
  expect(status).toBe(200)
  expect(json).toEqual({ members: [one, two] })
  expect(one.accesses.map(({ gateId }) => gateId)).toEqual(gates.map(({ id }) => id))
  expect(new Set(one.accesses.map(({ accessUrl }) => accessUrl)).size).toBe(1)
  expect(one.accesses[0]?.accessUrl).toMatch(link)
})

conforms('4 PATCH member', async ({ addMember, get, patch }) => {
  const member = await addMember({ phone: '1', note: 'a' })
  const changes = [{ name: 'Ioana' }, { phone: null }, { note: 'b', phone: '2' }, { email: 'i@example.com' }]
  let expected = member
  for (const change of changes) {
    const { email: _, ...shown } = { email: '', ...change }
    expected = { ...expected, ...shown }
    const { json, status } = await patch(`/members/${member.id}`, change)
    expect([status, json]).toEqual([200, { member: expected }])
  }
  expect((await get('/members')).json.members).toEqual([expected])
})

conforms(
  ['4 DELETE member', '3 DELETE member', 'After member DELETE', 'Dead or unknown link', 'Reactivate'],
  async ({ addGate, addMember, api, del, get, guest, patch }) => {
    const { id: gateId } = await addGate()
    const { accesses, id } = await addMember({ accesses: [{ gateId }] })
    const url = accesses[0]?.accessUrl ?? ''
    const browser = guest(url)
    expect((await browser.visit()).status).toBe(200)
    const { status, text } = await del(`/members/${id}`)
    expect([status, text]).toEqual([204, ''])
    expect((await get(`/members/${id}`)).json.member).toMatchObject({ isActive: false, accesses: [] })
    const dead = await browser.visit()
    const unknown = await guest(`${appUrl}/g/${'x'.repeat(32)}`).visit()
    const odd = await api.send('GET', '/g/1', { key: null })
    expect([dead.status, unknown.status, odd.status]).toEqual([404, 404, 404])
    expect([unknown.text, odd.text]).toEqual([dead.text, dead.text])
    expect(dead.text).not.toContain('Ana')
    expect(statusAndCode(await patch(`/members/${id}`, { isActive: true }))).toBe('400 validation_error')
  },
)

conforms(
  ['4 create name', '4 create phone', '4 create note', '4 create accesses', 'null and empty'],
  async ({ addGate, mails, post }) => {
    const refused = await post('/members', { phone: '1' })
    expect([statusAndCode(refused), refused.json.error.message]).toEqual([
      '400 validation_error',
      'name is required',
    ])
    const { member } = (await post('/members', { name: 'Ana' })).json
    expect(member).toMatchObject({ phone: null, note: null, accesses: [] })
    const nothing = { email: null, phone: null, note: null, accesses: null }
    expect((await post('/members', { name: 'Ana', ...nothing })).status).toBe(201)
    expect((await post('/members', { name: 'Ana', accesses: [] })).json.member.accesses).toEqual([])
    const { id: gateId } = await addGate()
    const always = { type: 'always', timezone: 'Europe/Bucharest' }
    for (const grant of [{ gateId }, { gateId, schedules: null, maxUsage: null }]) {
      const granted = (await post('/members', { name: 'Ana', accesses: [grant] })).json.member.accesses
      expect(granted).toMatchObject([{ gateId, schedules: [always], maxUsage: null }])
    }
    expect(await mails()).toEqual([])
  },
)

conforms('Reactivate', async ({ addGate, addMember, del, get, mails, post }) => {
  const { id: gateId } = await addGate()
  const { id } = await addMember({ email: 'ana@example.com', accesses: [{ gateId }] })
  const again = () => post(`/members/${id}/reactivate`)
  expect((await again()).json.member.accesses).toHaveLength(1)
  expect((await del(`/members/${id}`)).status).toBe(204)
  expect((await again()).json).toMatchObject({ member: { id, isActive: true, accesses: [] } })
  expect((await get(`/members/${id}`)).json.member).toMatchObject({ isActive: true, accesses: [] })
  expect(await mails()).toEqual(['invitation'])
  const { activity } = (await get('/activity')).json
  expect(activity.map(({ action }: { action: string }) => action).slice(0, 2)).toEqual([
    'member.reactivated',
    'member.deactivated',
  ])
})

conforms('Link reset and mail again', async ({ addMember, patch, post }) => {
  for (const name of ['see https://evil.example', 'WWW.evil.example', 'a\nb']) {
    const answer = await post('/members', { name })
    expect([statusAndCode(answer), answer.json.error.message]).toEqual([
      '400 validation_error',
      expect.stringMatching(/^name /),
    ])
  }
  const { id } = await addMember({ name: 'booking.com', email: 'bounded@example.com' })
  expect(statusAndCode(await patch(`/members/${id}`, { name: 'x://y' }))).toBe('400 validation_error')
  for (let sent = 1; sent < 20; sent++) expect((await post(`/members/${id}/invitation`)).status).toBe(202)
  const refused = await post(`/members/${id}/invitation`)
  expect(statusAndCode(refused)).toBe('429 rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
  expect(statusAndCode(await post('/members', { name: 'Twin', email: 'Bounded+1@example.com' }))).toBe(
    '429 rate_limited',
  )
})

conforms(['4 create email', 'PATCH email', 'Mail failure'], async ({ addMember, mails, patch }) => {
  const { id } = await addMember({ email: 'ana@example.com' })
  expect(await mails()).toEqual(['invitation'])
  expect((await patch(`/members/${id}`, { email: 'other@example.com' })).status).toBe(200)
  expect((await patch(`/members/${id}`, { email: null })).status).toBe(200)
  expect(await mails()).toEqual(['invitation'])
})

conforms(
  ['4 rule 1', 'What counts as an invitation', '8 plan limits'],
  async ({ addMember, api, del, patch, post, space }) => {
    const limits = { monthlyInvitationLimit: 2 }
    await setOwnLimits(api, { spaceId: space.spaceId, limits, actor: 'operator' })
    const { id } = await addMember({ email: 'ana@example.com' })
    await addMember()
    await del(`/members/${id}`)
    const refused = await post('/members', { name: 'One more' })
    expect(statusAndCode(refused)).toBe('403 plan_limit_reached')
    const { message } = refused.json.error
    expect(message).toMatch(
      /may have 2 invitations a month, .* and 2 are used; this resets at .*Europe\/Bucharest/,
    )
    // The next month begins at midnight in the zone of the Space, and no millisecond earlier.
    const endsAt = Date.parse(/resets at (\S+),/.exec(message)?.[1] ?? '')
    await api.world.advance(endsAt - api.world.nowMs() - 1)
    expect(statusAndCode(await post('/members', { name: 'Too soon' }))).toBe('403 plan_limit_reached')
    await api.world.advance(1)
    const next = (await post('/members', { name: 'In time' })).json.member
    expect(next.createdAt).toMatch(/T2[12]:00:00\.000Z$/)
    expect((await patch(`/members/${next.id}`, { note: 'kept' })).status).toBe(200)
  },
)

conforms('Lengths', async ({ addMember, patch, post }) => {
  const { id } = await addMember()
  const limits = { name: 120, phone: 32, note: 1000 } as const
  for (const [field, most] of Object.entries(limits)) {
    const longest = { name: 'Ana', [field]: ` ${'ț'.repeat(most)} ` }
    const tooLong = { name: 'Ana', [field]: 'x'.repeat(most + 1) }
    const made = (await post('/members', longest)).json.member
    expect(made[field as keyof typeof limits]).toBe('ț'.repeat(most))
    for (const refused of [await post('/members', tooLong), await patch(`/members/${id}`, tooLong)])
      expect(refused.json.error.message).toBe(`${field} must have at most ${most} characters`)
  }
  const address = (length: number) => `${'a'.repeat(60)}@${'b.'.repeat((length - 64) / 2)}abc`
  expect((await patch(`/members/${id}`, { email: address(254) })).status).toBe(200)
  expect(statusAndCode(await patch(`/members/${id}`, { email: `a${address(254)}` }))).toBe(
    '400 validation_error',
  )
  // Names, e-mails and phones need not be unique. A note may have several lines, a name may not.
  const twin = { name: 'Ana', email: 'ana@example.com', phone: '1', note: 'a\nb' }
  expect((await post('/members', twin)).status).toBe(201)
  expect((await post('/members', twin)).status).toBe(201)
  expect(statusAndCode(await post('/members', { name: 'A\nB' }))).toBe('400 validation_error')
})

conforms(
  '`isAdmin`, `preferredLanguage`, counters, ids, times',
  async ({ addAccess, addGate, addMember, patch, post }) => {
    const { id: gateId } = await addGate()
    const { id: memberId } = await addMember()
    const access = await addAccess(memberId, { gateId })
    const base = { '/gates': { name: 'A', phoneNumber: '0722123456' }, '/members': { name: 'A' } }
    const fields = {
      '/gates': { id: gateId, openCount: 1, lastOpenedAt: null, createdAt: '2026-01-01T00:00:00.000Z' },
      '/members': { id: memberId, isAdmin: true, preferredLanguage: 'ro', isActive: true, createdAt: 'x' },
    }
    const ofAccess = { id: access.id, gateId, usageCount: 0, accessUrl: access.accessUrl, lastUsedAt: null }
    const ids = { '/gates': gateId, '/members': memberId }
    for (const noun of ['/gates', '/members'] as const)
      for (const [field, value] of Object.entries(fields[noun])) {
        const refused = [
          await post(noun, { ...base[noun], [field]: value }),
          await patch(`${noun}/${ids[noun]}`, { [field]: value }),
        ]
        for (const { json } of refused)
          expect(json.error).toEqual({ code: 'validation_error', message: `${field} is not a known field` })
      }
    for (const [field, value] of Object.entries(ofAccess)) {
      const refused = await patch(`/members/${memberId}/accesses/${access.id}`, { [field]: value })
      expect(refused.json.error.message).toBe(`${field} is not a known field`)
    }
  },
)

conforms('Create with one bad access', async ({ actions, addGate, get, mails, post }) => {
  const { id: gateId } = await addGate()
  const before = await actions()
  const bad = [
    [{ gateId: 'gate_0' }, '404 not_found', 'accesses[1].gateId'],
    [{ gateId }, '409 conflict', 'accesses[1].gateId'],
    [{ gateId, schedules: [] }, '400 validation_error', 'accesses[1].schedules'],
    [{ gateId, maxUsage: 0 }, '400 validation_error', 'accesses[1].maxUsage'],
  ] as const
  for (const [access, expected, field] of bad) {
    const refused = await post('/members', {
      name: 'A',
      email: 'a@example.com',
      accesses: [{ gateId }, access],
    })
    expect(statusAndCode(refused)).toBe(expected)
    expect(refused.json.error.message).toContain(field)
  }
  expect((await get('/members')).json.members).toEqual([])
  expect([await mails(), await actions()]).toEqual([[], before])
})

conforms(
  ['`accessUrl`', 'Link reset and mail again', '2 Access.accessUrl'],
  async ({ addAccess, addGate, addMember, api, as, get, guest, mails, patch, post, space }) => {
    const [one, two] = [await addGate(), await addGate()]
    const member = await addMember({ accesses: [{ gateId: one.id }] })
    const url = member.accesses[0]?.accessUrl ?? ''
    expect((await addAccess(member.id, { gateId: two.id })).accessUrl).toBe(url)
    await patch(`/members/${member.id}`, { name: 'Ana Maria' })
    const path = `/members/${member.id}`
    expect((await get(path)).json.member.accesses.map(({ accessUrl }) => accessUrl)).toEqual([url, url])
    const page = (await guest(url).visit()).text
    expect([one.name, two.name].map(name => page.includes(name))).toEqual([true, true])

    const { json, status } = await post(`${path}/link/reset`)
    expect(status).toBe(200)
    const [first, second] = json.member.accesses.map(({ accessUrl }) => accessUrl)
    expect(first).toMatch(link)
    expect([second, first === url]).toEqual([first, false])
    expect([(await guest(url).visit()).status, (await guest(first ?? '').visit()).status]).toEqual([404, 200])
    expect(await mails()).toEqual([])

    expect(statusAndCode(await post(`${path}/invitation`))).toBe('409 conflict')
    await patch(path, { email: 'ana@example.com' })
    const limits = { monthlyInvitationLimit: 1 }
    await setOwnLimits(api, { spaceId: space.spaceId, limits, actor: 'operator' })
    expect((await post(`${path}/invitation`)).status).toBe(202)
    expect(await mails()).toEqual(['invitation'])
    const { key } = await space.addKey({ scopes: ['members:read'] })
    for (const extension of ['link/reset', 'invitation'])
      expect(statusAndCode(await as(key).post(`${path}/${extension}`))).toBe('403 insufficient_scope')
  },
)

conforms(['1 language', 'Space defaults'], async ({ addGate, addMember, get, guest }) => {
  const { id: gateId } = await addGate({ phoneNumber: '0722 123 456' })
  const { accesses, id, preferredLanguage } = await addMember({ accesses: [{ gateId }] })
  expect(preferredLanguage).toBe('en')
  expect(accesses[0]?.schedules).toEqual([{ type: 'always', timezone: 'Europe/Bucharest' }])
  const url = accesses[0]?.accessUrl ?? ''
  const browser = guest(url)
  await browser.visit()
  expect((await browser.pickLanguage('ro')).status).toBe(303)
  expect((await get(`/members/${id}`)).json.member.preferredLanguage).toBe('ro')
  expect((await guest(url).visit()).text).toContain('<html lang="ro"')
})
