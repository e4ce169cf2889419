// What the decisions say of what integrators keep, look for and limit.

import type { Report } from '@callgate/contract/wire/messages'
import { expect } from 'vitest'
import { ended } from '../scriptedGateway.ts'
import { statusAndCode } from '../validRequests.ts'
import { conformance, type Stage } from './conforms.ts'
import { found } from './found.ts'

export const integratorTests = conformance()
const conforms = integratorTests

conforms('Ids and texts of integrators', async stage => {
  const { addGate, addMember, get, patch, post, del } = stage
  const metadata = { unit: '12B', now: 'é' }
  const gate = await addGate({ externalId: 'site-7/gate-1', metadata })
  const member = await addMember({ externalId: 'site-7/gate-1', metadata })
  for (const one of [gate, member]) expect(one).toMatchObject({ externalId: 'site-7/gate-1', metadata })
  expect((await get('/gates')).json.gates).toEqual([gate])
  expect((await get('/members')).json.members).toEqual([member])

  const second = await post('/members', { name: 'Dan', externalId: 'site-7/gate-1' })
  expect(statusAndCode(second)).toBe('409 conflict')
  expect(second.json.error).toMatchObject({ existingId: member.id })
  const dan = await addMember({ name: 'Dan', externalId: 'dan' })
  const taken = await patch(`/members/${dan.id}`, { externalId: 'site-7/gate-1' })
  expect(taken.json.error).toMatchObject({ code: 'conflict', existingId: member.id })
  const other = await addGate({ externalId: null })
  expect(other).not.toHaveProperty('externalId')
  expect((await patch(`/gates/${other.id}`, { externalId: 'site-7/gate-1' })).json.error).toMatchObject({
    code: 'conflict',
    existingId: gate.id,
  })

  await del(`/members/${member.id}`)
  await patch(`/members/${dan.id}`, { externalId: 'site-7/gate-1' })
  const back = await post(`/members/${member.id}/reactivate`)
  expect(back.json.error).toMatchObject({ code: 'conflict', existingId: dan.id })
  await patch(`/members/${dan.id}`, { externalId: null })
  expect((await post(`/members/${member.id}/reactivate`)).json.member).toMatchObject({ metadata })
  await del(`/gates/${gate.id}`)
  await patch(`/gates/${other.id}`, { externalId: 'site-7/gate-1' })
  expect(statusAndCode(await patch(`/gates/${gate.id}`, { isActive: true }))).toBe('409 conflict')

  const path = `/gates/${other.id}`
  const before = await patch(path, { metadata: { b: '2', a: '1' } })
  expect((await patch(path, { metadata: { a: '1', b: '2' } })).headers.etag).toBe(before.headers.etag)
  expect((await patch(path, { metadata: {} })).json.gate).not.toHaveProperty('metadata')
  const [newest] = (await get('/activity')).json.activity
  expect(newest).toMatchObject({ details: { changes: { metadata: { from: '(set)', to: null } } } })

  const keys = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']))
  expect((await patch(path, { metadata: keys(20) })).status).toBe(200)
  for (const wrong of [
    ...['', 'a b', 'é', 'x'.repeat(129)].map(externalId => ({ externalId })),
    ...[keys(21), { '': 'a' }, { ['k'.repeat(41)]: 'a' }, { k: 'v'.repeat(501) }, { k: 1 }, { k: null }].map(
      texts => ({ metadata: texts }),
    ),
  ])
    expect(statusAndCode(await patch(path, wrong)), JSON.stringify(wrong)).toBe('400 validation_error')
})

/** The names of the members that a query finds, and the cursor of the next page. */
async function namesBy({ get }: Stage, query: string) {
  const { members, pagination } = await found('listMembers', get(`/members?${query}`))
  return [members.map(({ name }) => name), pagination?.nextCursor ?? null] as const
}

conforms('Finding members', async stage => {
  const { addAccess, addGate, addMember, del, get } = stage
  const gate = await addGate()
  const other = await addGate()
  const ana = await addMember({ name: 'Ștefan Ionescu', externalId: 'crm-1' })
  const dan = await addMember({ name: 'Dan', note: 'Strada Lungă' })
  const gone = await addMember({ name: 'Stefania', externalId: 'crm-2' })
  await addAccess(ana.id, { gateId: gate.id })
  await addAccess(dan.id, {
    gateId: other.id,
    schedules: [{ type: 'always', startsAt: '2099-01-01T00:00:00Z' }],
  })
  await del(`/members/${gone.id}`)
  const names = async (query: string) => (await namesBy(stage, query))[0]
  expect(await names('search=STEFAN')).toEqual([ana.name, gone.name])
  expect(await names('search=lunga')).toEqual([dan.name])
  expect(await names('search=stefan&isActive=true')).toEqual([ana.name])
  expect(await names(`gateId=${gate.id}`)).toEqual([ana.name])
  expect(await names(`gateId=gate_${'0'.repeat(26)}`)).toEqual([])
  expect(await names('state=active')).toEqual([ana.name, dan.name])
  expect(await names('state=allowed_now')).toEqual([ana.name])
  expect(await names('state=inactive')).toEqual([gone.name])
  expect(await names('state=inactive&isActive=true')).toEqual([])
  expect(await names('externalId=crm-1')).toEqual([ana.name])
  expect(await names('externalId=crm-2&isActive=false')).toEqual([gone.name])
  const [first, cursor] = await namesBy(stage, 'state=active&limit=1')
  expect(first).toEqual([ana.name])
  expect(await namesBy(stage, `state=active&limit=1&cursor=${cursor}`)).toEqual([[dan.name], null])

  const { members } = await found('listMembers', get('/members?include=now&isActive=true'))
  expect(members.map(({ now }) => now)).toEqual([
    { standing: 'allowed_now', untilAt: null, nextAt: null, endsAt: null, lastUsedAt: null },
    expect.objectContaining({ standing: 'not_yet', nextAt: '2099-01-01T00:00:00.000Z' }),
  ])
  const { accesses: [access] = [], now: _, ...listed } = members[0] ?? {}
  expect(access?.now).toMatchObject({ standing: 'allowed_now', usesLeft: null })
  const { accesses, ...whole } = (await get(`/members/${ana.id}`)).json.member
  expect(listed).toEqual(whole)
  expect(accesses).toEqual([{ ...access, now: undefined }])
  expect((await get('/members')).json.members[0]).not.toHaveProperty('now')
})

conforms('E-mail addresses of members', async stage => {
  const { addMember, as, get, post, space } = stage
  const ana = await addMember({ name: 'Ana', email: 'Ana@Example.com' })
  const dan = await addMember({ name: 'Dan', email: 'dan@example.com' })
  for (const query of ['email=dan@example.com', 'search=dan@', 'search=%40'])
    for (const by of [stage, as((await space.addKey({ scopes: ['members:read'] })).key)]) {
      const refused = await by.get(`/members?${query}`)
      expect(statusAndCode(refused)).toBe('403 insufficient_scope')
      expect(refused.json.error.message).toContain('members:read_email')
      expect(refused.headers['www-authenticate']).toContain('scope="members:read_email"')
    }
  expect((await namesBy(stage, 'search=example'))[0]).toEqual([])
  const withEmail = as(
    (await space.addKey({ scopes: ['members:read', 'members:write', 'members:read_email'] })).key,
  )
  expect((await namesBy(withEmail, 'email=ANA@example.COM'))[0]).toEqual([ana.name])
  expect((await namesBy(withEmail, 'search=example'))[0]).toEqual([ana.name, dan.name])
  for (const path of ['/members', '/members?search=dan', `/members/${dan.id}`])
    expect(
      [(await withEmail.get(path)).text, (await get(path)).text].map(text =>
        text.includes('"dan@example.com"'),
      ),
    ).toEqual([true, false])
  const made = await withEmail.post('/members', { name: 'Eva', email: 'eva@example.com' })
  expect(made.json.member).toMatchObject({ email: 'eva@example.com' })
  expect((await post('/members', { name: 'Eva', email: 'eva@example.com' })).json.member).not.toHaveProperty(
    'email',
  )
  const only = as((await space.addKey({ scopes: ['members:read_email'] })).key)
  expect(statusAndCode(await only.get('/members'))).toBe('403 insufficient_scope')
})

conforms('Health of a gate', async ({ addGate, api, as, get, open, patch, space }) => {
  const gate = await addGate()
  const path = `/gates/${gate.id}`
  await open(gate.id)
  const healthOf = async () => (await found('getGate', get(`${path}?include=health`))).gate.health
  expect(await healthOf()).toBe('unverified')
  await patch(`${path}/profile`, { mode: 'reject' })
  const first = await get(`${path}?include=health`)
  expect(JSON.parse(first.text).gate).toEqual({ ...(await get(path)).json.gate, health: 'ready' })
  expect(first.headers).not.toHaveProperty('etag')
  const { etag = '' } = (await get(path)).headers
  expect((await get(path, { 'if-none-match': etag })).status).toBe(304)
  expect((await get(`${path}?include=health`, { 'if-none-match': etag })).status).toBe(200)

  const silent = await addGate({ kind: 'neverReports' })
  await patch(`/gates/${silent.id}/profile`, { mode: 'reject' })
  const report = ended(false) as Extract<Report, { phase: 'ended' }>
  const inVain = { ...report, verdict: { ...report.verdict, reason: 'no_reaction' as const } }
  for (let time = 0; time < 2; time++) {
    await api.world.advance(6_000)
    const { openingId } = (await open(silent.id, { prefer: 'respond-async' })).json
    await api.gateway.report(openingId, inVain)
  }
  const { gates } = await found('listGates', get('/gates?include=health'))
  expect(gates.map(({ health }) => health)).toEqual(['ready', 'not_reacting'])
  expect((await get('/gates')).json.gates[0]).not.toHaveProperty('health')
  space.unplug()
  await api.world.advance(60_000)
  expect(await healthOf()).toBe('offline')
  const { key } = await space.addKey({ scopes: ['members:read'] })
  expect(statusAndCode(await as(key).get(`${path}?include=health`))).toBe('403 insufficient_scope')
})

conforms('Keys limited to gates', async stage => {
  const { addGate, addMember, as, get, open, space } = stage
  const gate = await addGate()
  const second = await addGate()
  const other = await addGate()
  const { accesses } = await addMember({ accesses: [{ gateId: gate.id }] })
  const scopes = ['gates:read', 'gates:open', 'history:read'] as const
  const gateIds = [gate.id, second.id]
  const made = await space.addKey({ scopes, gateIds })
  const limited = as(made.key)
  expect((await found('getSelf', limited.get('/self'))).key).toMatchObject({ gateIds, scopes })
  expect((await found('getSelf', get('/self'))).key.gateIds).toBeNull()

  expect((await limited.get('/gates')).json.gates.map(({ id }) => id)).toEqual(gateIds)
  expect((await limited.get('/gates?limit=1')).json.gates.map(({ id }) => id)).toEqual([gate.id])
  const openings: string[] = []
  for (const { id } of [gate, second, other]) openings.push((await open(id)).json.openingId)
  expect((await limited.open(gate.id)).status).toBe(200)
  const listed = async (query: string) =>
    (await limited.get(`/openings${query}`)).json.openings.map(({ gateId }) => gateId).sort()
  expect(await listed('')).toEqual([gate.id, gate.id, second.id].sort())
  expect(await listed('?limit=2&cursor=')).toHaveLength(2)
  expect(await listed('?status=completed')).toHaveLength(3)
  expect(await listed(`?gateId=${second.id}`)).toEqual([second.id])
  expect(await listed(`?gateId=${other.id}`)).toEqual([])
  expect(accesses).toHaveLength(1)

  const unknown = `gate_${'0'.repeat(26)}`
  for (const [path, unlike] of [
    [`/gates/${other.id}`, `/gates/${unknown}`],
    [`/gates/${other.id}/profile`, `/gates/${unknown}/profile`],
    [`/gates/${other.id}/readiness`, `/gates/${unknown}/readiness`],
    ...['', '/proof', '/events'].map(
      rest => [`/openings/${openings[2]}${rest}`, `/openings/open_${'0'.repeat(26)}${rest}`] as const,
    ),
  ] as const) {
    expect(statusAndCode(await limited.get(path)), path).toBe('404 not_found')
    expect((await limited.get(path)).text).toBe((await limited.get(unlike)).text)
    expect(
      (await limited.get(path.replace(other.id, gate.id).replace(String(openings[2]), String(openings[0]))))
        .status,
    ).toBe(200)
  }
  expect((await limited.open(other.id)).text).toBe((await limited.open(unknown)).text)

  const events = await found('listEvents', limited.get('/events?after=0'))
  expect(events.events.length).toBeGreaterThan(8)
  for (const { data, type } of events.events) {
    expect(type).toMatch(/^(gate|opening)\./)
    expect([data.gateId, data.targetId].some(id => gateIds.includes(id ?? ''))).toBe(true)
  }
  expect(events.lastSequence).toBe((await found('listEvents', get('/events'))).lastSequence)
  for (const path of ['/activity', '/gateways', `/gateways/${space.gatewayId}`])
    expect(statusAndCode(await limited.get(path)), path).toBe('403 insufficient_scope')
})

conforms('Many members at once', async stage => {
  const { addGate, addMember, get, mails, post } = stage
  const first = await addGate()
  const second = await addGate()
  const hours = { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }] }
  const leaving = await addMember({ externalId: 'crm-1', accesses: [{ gateId: first.id }] })
  const staying = await addMember({
    externalId: 'crm-2',
    name: 'Dan',
    note: 'Attic',
    accesses: [{ gateId: first.id }],
  })
  const items = [
    { externalId: 'crm-1', isActive: false },
    {
      externalId: 'crm-2',
      phone: '0722',
      accesses: [{ gateId: first.id, schedules: [hours] }, { gateId: second.id }],
    },
    {
      externalId: 'crm-3',
      name: 'Eva',
      email: 'eva@example.com',
      metadata: { unit: '7' },
      accesses: [{ gateId: second.id }],
    },
    { externalId: 'crm-4', isActive: false },
  ]
  const bulk = (body: object) => post('/members/bulk', body, { 'idempotency-key': 'sync' })
  const counts = { accessesAdded: 2, accessesChanged: 1, accessesRevoked: 1, mails: 0 }
  const planned = await found('bulkMembers', bulk({ items, isDryRun: true }))
  expect(planned).toMatchObject({ isDone: false, ...counts })
  expect(planned.members.map(({ change, memberId }) => [change, memberId])).toEqual([
    ['deactivated', leaving.id],
    ['changed', staying.id],
    ['created', null],
    ['unchanged', null],
  ])
  expect((await get('/members')).json.members).toHaveLength(2)

  const done = await found('bulkMembers', bulk({ items }))
  expect(done).toMatchObject({ isDone: true, ...counts })
  const eva = done.members[2]?.memberId
  expect((await get(`/members/${staying.id}`)).json.member).toMatchObject({
    name: 'Dan',
    phone: '0722',
    note: 'Attic',
  })
  expect((await get(`/members/${staying.id}`)).json.member.accesses.map(({ gateId }) => gateId)).toEqual([
    first.id,
    second.id,
  ])
  expect((await get(`/members/${leaving.id}`)).json.member).toMatchObject({ isActive: false, accesses: [] })
  expect((await get(`/members/${eva}`)).json.member).toMatchObject({
    externalId: 'crm-3',
    metadata: { unit: '7' },
  })
  const again = await found('bulkMembers', post('/members/bulk', { items: items.slice(1, 3) }))
  expect(again.members.map(({ change }) => change)).toEqual(['unchanged', 'unchanged'])
  expect(await mails()).toEqual([])
  const mailed = [{ externalId: 'crm-3', accesses: [{ gateId: first.id }, { gateId: second.id }] }]
  expect(
    await found('bulkMembers', post('/members/bulk', { items: mailed, sendsMails: true })),
  ).toMatchObject({ mails: 1 })
  expect(await mails()).toEqual(['access_granted'])
})

conforms('Many members at once', async ({ addGate, addMember, get, post }) => {
  const first = await addGate()
  const second = await addGate()
  const hours = { type: 'weekdays' as const, timeWindows: [{ from: '08:00', to: '18:00' }] }
  const staying = await addMember({
    externalId: 'crm-2',
    accesses: [{ gateId: first.id, schedules: [hours] }, { gateId: second.id }],
  })
  const bulk = (body: object) => post('/members/bulk', body)

  // An access that is there keeps what the item does not say of it.
  const gates = [{ gateId: first.id, maxUsage: 5 }, { gateId: second.id }]
  const capped = await found('bulkMembers', bulk({ items: [{ externalId: 'crm-2', accesses: gates }] }))
  expect(capped).toMatchObject({ accessesAdded: 0, accessesChanged: 1, accessesRevoked: 0 })
  const byGate = [{ gateId: first.id }, { gateId: second.id }]
  const listed = await found('bulkMembers', bulk({ items: [{ externalId: 'crm-2', accesses: byGate }] }))
  expect(listed).toMatchObject({ accessesChanged: 0 })
  expect((await get(`/members/${staying.id}`)).json.member.accesses).toMatchObject([
    { gateId: first.id, maxUsage: 5, schedules: [hours] },
    { gateId: second.id, maxUsage: null, schedules: [{ type: 'always' }] },
  ])
  const cleared = [
    { gateId: first.id, maxUsage: null, schedules: [{ type: 'always' }] },
    { gateId: second.id },
  ]
  await found('bulkMembers', bulk({ items: [{ externalId: 'crm-2', accesses: cleared }] }))
  expect((await get(`/members/${staying.id}`)).json.member.accesses).toMatchObject([
    { gateId: first.id, maxUsage: null, schedules: [{ type: 'always' }] },
    { gateId: second.id },
  ])
})

conforms('Many members at once', async ({ addGate, addMember, as, get, post, space }) => {
  const gate = await addGate()
  const other = await addGate()
  await addMember({ externalId: 'crm-2' })
  await addMember({ externalId: 'crm-3' })
  const bulk = (body: object) => post('/members/bulk', body)
  const wrong = await bulk({
    items: [
      { externalId: 'crm-5', name: 'Fine' },
      { externalId: 'crm-6' },
      { externalId: 'crm-2', accesses: [{ gateId: gate.id }, { gateId: `gate_${'0'.repeat(26)}` }] },
      { externalId: 'crm-5', name: 'Twice' },
      { externalId: 'crm-3', isActive: false, note: 'x' },
    ],
  })
  expect(statusAndCode(wrong)).toBe('400 validation_error')
  expect(JSON.parse(wrong.text).error.faults).toMatchObject([
    { index: 1, message: expect.stringContaining('items[1].name is required') },
    { index: 2, message: expect.stringContaining('items[2].accesses[1].gateId: there is no gate') },
    { index: 3, message: expect.stringContaining('items[3].externalId') },
    { index: 4, message: expect.stringContaining('items[4].note must be absent') },
  ])
  const ofForm = await bulk({
    items: [
      { externalId: 'crm-6', name: 'Fine' },
      { externalId: 'crm-7', name: '', email: 'nobody' },
      {
        externalId: 'crm-8',
        name: 'Far',
        accesses: [{ gateId: gate.id, maxUsage: 0 }, { gateId: 7 }],
        no: 1,
      },
    ],
    isDryRun: 'yes',
  })
  expect(statusAndCode(ofForm)).toBe('400 validation_error')
  expect(JSON.parse(ofForm.text).error.faults).toEqual([
    { index: 1, message: expect.stringMatching(/^items\[1\]\.name .*; items\[1\]\.email /) },
    {
      index: 2,
      message: expect.stringMatching(
        /items\[2\]\.accesses\[0\]\.maxUsage .*items\[2\]\.accesses\[1\]\.gateId /,
      ),
    },
  ])
  expect((await get('/members')).json.members).toHaveLength(2)

  const accesses = [{ gateId: gate.id }, { gateId: other.id }]
  for (let count = 2; count < 6; count++) accesses.push({ gateId: (await addGate()).id })
  const many = (length: number) =>
    Array.from({ length }, (_, at) => ({ externalId: `m-${at}`, name: 'M', accesses }))
  expect(await found('bulkMembers', bulk({ items: many(166), isDryRun: true }))).toMatchObject({
    accessesAdded: 996,
  })
  const full = await bulk({ items: many(200), isDryRun: true })
  expect(statusAndCode(full)).toBe('400 validation_error')
  expect(JSON.parse(full.text).error.faults).toMatchObject([
    { index: 166, message: expect.stringContaining('1000 accesses') },
  ])
  const { key } = await space.addKey({ scopes: ['members:read'] })
  expect(
    statusAndCode(await as(key).post('/members/bulk', { items: [{ externalId: 'crm-2', isActive: false }] })),
  ).toBe('403 insufficient_scope')
})
