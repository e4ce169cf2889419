import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { runCommand } from './terminal.kit.ts'

let folder = ''
let gateId = ''
const callgate = (...args: string[]) => runCommand({ CALLGATE_DATA: folder }, args)
const json = async (...args: string[]) => JSON.parse((await callgate(...args, '--json')).out)

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-members-'))
  await fillFolder(folder)
  await callgate('space', 'create', '--name', 'Lake view', '--plan', 'pro')
  gateId = (await json('gate', 'add', '--name', 'Barrier', '--phone', '0722 123 456')).gate.id
})
afterEach(() => rmSync(folder, { recursive: true }))

const ana = ['member', 'create', '--name', 'Ana Pop', '--email', 'ana@example.com']
const hours = ['--when', 'weekdays', '--hours', '08:00-18:00', '--max-usage', '5']

async function rowsOf(table: string): Promise<readonly Record<string, unknown>[]> {
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  try {
    return await database.knex(table).orderBy('id')
  } finally {
    await database.close()
  }
}

it('creates a member with an access from options, prints the link once, and queues the invitation', async () => {
  const made = await json(...ana, '--gates', gateId, ...hours)
  expect(made.link).toMatch(/^http:\/\/localhost:8080\/g\/[\w-]{32}$/)
  const zone = 'Europe/Bucharest'
  expect(made.member.accesses).toMatchObject([
    {
      gateId,
      maxUsage: 5,
      schedules: [{ type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }], timezone: zone }],
    },
  ])
  for (const args of [
    ['member', 'list'],
    ['member', 'find'],
    ['member', 'show', '--member', made.member.id],
  ])
    for (const form of [[], ['--json']]) {
      const { out } = await callgate(...args, ...form)
      expect(out).toContain('Ana Pop')
      expect(out, args.join(' ')).not.toContain('/g/')
    }
  expect((await callgate('member', 'link', '--member', made.member.id)).out).toBe(made.link)
  expect(await rowsOf('outbox')).toMatchObject([{ memberId: made.member.id, kind: 'invitation' }])
  expect(await rowsOf('activity')).toMatchObject([
    { action: 'gate.created', actor: 'operator' },
    { action: 'member.created', actor: 'operator', targetLabel: 'Ana Pop' },
  ])
})

it('reads the whole body from a file, and refuses options beside it', async () => {
  const file = join(folder, 'member.json')
  const schedules = [{ type: 'custom', daysOfWeek: [6], timezone: 'Europe/Berlin' }]
  writeFileSync(file, JSON.stringify({ name: 'Dan', phone: '0722', accesses: [{ gateId, schedules }] }))
  const { member } = await json('member', 'create', '--file', file)
  expect(member).toMatchObject({ name: 'Dan', phone: '0722', accesses: [{ schedules }] })
  expect((await callgate('member', 'create', '--file', file, '--note', 'x')).err).toMatch(
    /^Give --file alone/,
  )
  const bad: [string, string][] = [
    ['{"name":"A","name":"B"}', 'has name more than once'],
    ['{', 'is not valid JSON'],
    [`{"name":"${'x'.repeat(70_000)}"}`, 'has more than 64 KiB'],
    ['{"name":"A","accesses":[{"gateId":3}]}', 'accesses[0].gateId must be string.'],
    ['{"name":"A","isAdmin":true}', 'isAdmin is not a known field.'],
  ]
  for (const [text, message] of bad) {
    writeFileSync(file, text)
    const { code, err, out } = await callgate('member', 'create', '--file', file)
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain(message)
  }
})

it('changes and deactivates a member, and readmits them, with a new link each time', async () => {
  const { link, member } = await json(...ana, '--gates', gateId)
  const of = ['--member', member.id]
  expect((await json('member', 'update', ...of, '--email', '', '--note', 'Second floor')).member.note).toBe(
    'Second floor',
  )
  expect((await json('member', 'show', ...of)).member.email).toBeNull()
  expect((await callgate('member', 'invite', ...of)).err).toContain('has no e-mail address')
  const second = (await json('member', 'reset-link', ...of)).link
  expect(second).not.toBe(link)
  expect(await json('member', 'deactivate', ...of)).toEqual({ memberId: member.id, isActive: false })
  expect((await callgate('member', 'link', ...of)).err).toContain('see "callgate member reactivate"')
  expect((await json('member', 'list', '--active', 'yes')).members).toEqual([])
  const third = (await json('member', 'reactivate', ...of)).link
  expect(new Set([link, second, third]).size).toBe(3)
  expect((await json('member', 'show', ...of)).member.accesses).toEqual([])
})

it('gives, changes and revokes accesses; a second one for a gate is refused', async () => {
  const { member } = await json('member', 'create', '--name', 'Dan')
  const of = ['--member', member.id]
  const add = ['access', 'add', ...of, '--gate', gateId]
  const { access } = await json(...add, '--hours', '22:00-06:00', '--until', '2027-01-31T08:00')
  expect(access.schedules).toEqual([
    {
      type: 'custom',
      daysOfWeek: [0, 1, 2, 3, 4, 5, 6],
      timeWindows: [{ from: '22:00', to: '06:00' }],
      expiresAt: '2027-01-31T08:00',
      timezone: 'Europe/Bucharest',
    },
  ])
  expect((await callgate(...add)).err).toContain('a member has one access for each gate')
  const one = [...of, '--access', access.id]
  const changed = await json('access', 'update', ...one, '--active', 'no', '--max-usage', '3')
  expect(changed.access).toMatchObject({ isActive: false, maxUsage: 3, schedules: access.schedules })
  expect((await json('access', 'update', ...one, '--max-usage', 'none')).access.maxUsage).toBeNull()
  expect((await callgate('access', 'list', ...of)).out).toMatch(/daily 22:00-06:00 until 2027.*not active/)
  expect(await json('access', 'revoke', ...one)).toEqual({ accessId: access.id, isRevoked: true })
  expect((await json('access', 'list', ...of)).accesses).toEqual([])
})

it('leads from page to page by a cursor', async () => {
  for (const name of ['A', 'B', 'C']) await callgate('member', 'create', '--name', name)
  const first = await json('member', 'list', '--limit', '2')
  expect(first.members.map(({ name }: { name: string }) => name)).toEqual(['A', 'B'])
  const { nextCursor } = first.pagination
  expect((await callgate('member', 'list', '--limit', '2')).out).toContain(`More: --cursor ${nextCursor}`)
  const second = await json('member', 'list', '--cursor', nextCursor)
  expect(second).toMatchObject({ members: [{ name: 'C' }], pagination: { nextCursor: null } })
  expect((await json('member', 'find', '--search', 'b')).members).toMatchObject([{ name: 'B' }])
})

it('asks for the Space where there are several, and keeps them apart', async () => {
  const { member } = await json('member', 'create', '--name', 'Dan')
  const { spaceId } = await json('space', 'create', '--name', 'Hill', '--plan', 'pro')
  expect((await callgate('member', 'list')).err).toMatch(/^There are 2 Spaces: say which one with --space/)
  expect((await json('member', 'list', '--space', spaceId)).members).toEqual([])
  const foreign = await callgate('member', 'show', '--space', spaceId, '--member', member.id)
  expect(foreign.err).toBe('There is no member with this id; see "callgate member list".')
  expect((await callgate('member', 'list', '--space', 'space_x')).err).toContain('There is no Space space_x')
})

it.each([
  ['create --name A --when weekdays', 'needs a gate: give --gates'],
  ['create --name A --gates gate_x', 'accesses[0].gateId: there is no gate with this id'],
  ['create --name A --gates GATE --hours 8-18', 'timeWindows[0].from must be like "08:00"'],
  ['create --name A --gates GATE --when someday', 'daysOfWeek[0] must be integer'],
  ['create --name A --gates GATE --max-usage 0', 'accesses[0].maxUsage must be at least 1'],
  ['create --name A --email nobody', 'email must be like "ana@example.com"'],
  ['create', 'name is required'],
  ['list --limit 500', 'limit must be at most 200'],
  ['list --cursor x', 'cursor is not one of this list'],
  ['find --state asleep', 'state must be one of active, current, allowed_now'],
  ['deactivate --member member_x', 'There is no member with this id; see "callgate member list".'],
])('refuses member %s', async (line, message) => {
  const { code, err, out } = await callgate('member', ...line.replace('GATE', gateId).split(' '))
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain(message)
})

it("keeps the plan's limits", async () => {
  const { spaceId } = (await json('space', 'list')).spaces[0]
  await callgate('space', 'limits', '--space', spaceId, '--gates', '1', '--invitations', '1')
  expect((await callgate('gate', 'add', '--name', 'B', '--phone', '0722123457')).err).toContain(
    'may have 1 active gate',
  )
  await callgate('member', 'create', '--name', 'A')
  const { code, err } = await callgate('member', 'create', '--name', 'B')
  expect([code, err]).toEqual([1, expect.stringContaining('invitation')])
})

it('exports what is known of a member, and erases it when that is requested', async () => {
  const { member } = await json(...ana, '--gates', gateId)
  const of = ['--member', member.id]
  expect(JSON.parse((await callgate('member', 'export', ...of)).out)).toMatchObject({
    member: { name: 'Ana Pop', email: 'ana@example.com' },
    accesses: [{ gateId }],
    activity: [{ targetLabel: 'Ana Pop' }],
  })
  const asked = await callgate('member', 'erase', ...of)
  expect([asked.code, asked.err]).toEqual([1, expect.stringMatching(/^Nothing was erased\. With --yes/)])
  expect(await json('member', 'erase', ...of, '--yes')).toEqual({ memberId: member.id, isErased: true })
  expect((await callgate('member', 'erase', ...of, '--yes')).code).toBe(0)
  expect((await json('member', 'list')).members).toEqual([])
  for (const command of ['export', 'show'])
    expect((await callgate('member', command, ...of)).err).toContain('see "callgate member list"')
  expect((await callgate('activity', 'list')).out).toMatch(
    /member\.erased +deleted_member .*\n.*member\.created +deleted_member/,
  )
  expect((await callgate('verify', '--quiet')).code).toBe(0)
  expect((await callgate('member', 'erase', '--member', 'member_x', '--yes')).err).toContain('no member')
})

it('shows and changes the settings of a Space, and how long names are kept', async () => {
  expect((await callgate('space', 'set')).out).toContain('is kept for 12 months.')
  const { space } = await json('space', 'set', '--keep-identities', '90d', '--name', 'Hill')
  expect(space).toMatchObject({ name: 'Hill', keepIdentities: 'P90D' })
  expect((await callgate('space', 'set', '--keep-identities', '1m')).out).toContain('is kept for 1 month.')
  for (const wrong of ['37m', '10d', 'always'])
    expect((await callgate('space', 'set', '--keep-identities', wrong)).err).toMatch(
      /^keepIdentities must be one of P90D/,
    )
  const { activity } = await json('activity', 'list', '--limit', '1')
  expect(activity).toMatchObject([
    { action: 'space.updated', details: { changes: { keepIdentities: { from: 'P90D', to: 'P1M' } } } },
  ])
})
