import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import type { ImportPlan } from '@callgate/contract/app/memberFile'
import { callProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/idPrefix'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import type { AppRequest } from '../http/handler.ts'
import type { LongFile } from '../http/longList.ts'
import { adminRequest } from '../http/requests.kit.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { byteOrderMark, csvLines, readCsv } from '../text/csv.ts'
import { memberFileHandlers } from './memberFileHandlers.ts'
import { memberHandlers } from './members.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let gateIds: string[]
let handlers: ReturnType<typeof memberFileHandlers> & ReturnType<typeof memberHandlers>

async function addGate(name: string): Promise<string> {
  const id = newId(world, idPrefix.gate)
  const row = { id, spaceId, name, phoneNumber: '+40722000001', location: '', isActive: true }
  const profile = JSON.stringify(callProfile({ mode: 'reject' }))
  await database.write(tx =>
    tx('gates').insert({ ...row, createdAt: isoTime(world.nowMs()), callProfile: profile }),
  )
  return id
}
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ world, database })
  const parts = { world, database, seal: newSeal(world), appUrl: 'https://gates.example.com' }
  handlers = { ...memberHandlers(parts), ...memberFileHandlers(parts) }
  gateIds = [await addGate('Courtyard'), await addGate('=Yard')]
})
afterEach(() => database.close())

const gate = (place: number) => gateIds[place] ?? ''
function request<Id extends OwnOperationId>(given: object = {}): AppRequest<Id> {
  return adminRequest<Id>(database, spaceId, given)
}
async function add(name: string, accesses: object[] = [], more: object = {}): Promise<string> {
  const body = { name, accesses, ...more }
  const made = (await handlers.createMember(request({ body }) as never)) as {
    body: { member: { id: string } }
  }
  return made.body.member.id
}
async function exported(): Promise<string> {
  const file = (await handlers.exportMembers(request())) as LongFile
  let text = ''
  for await (const piece of file.pieces) text += piece
  return text
}
async function imported(file: string, more: object = {}): Promise<ImportPlan> {
  const body = { file, isDryRun: false, sendsMails: false, ...more }
  const answer = await handlers.importMembers(request({ body }))
  if (!('body' in answer)) throw new Error(JSON.stringify(answer))
  return answer.body as ImportPlan
}
const nothing = { created: 0, changed: 0, accessesAdded: 0, accessesChanged: 0, accessesRevoked: 0, mails: 0 }
/** Everything but what an import may not change: creation times and links. */
const state = async () => ({
  members: await database.knex('members').select('id', 'name', 'email', 'phone', 'note').orderBy('id'),
  accesses: await database
    .knex('accesses')
    .select('memberId', 'gateId', 'schedules', 'maxUsage', 'isActive')
    .orderBy(['memberId', 'gateId']),
  activity: await database.knex('activity').count({ entries: '*' }),
})

const night = { type: 'custom', daysOfWeek: [5, 6], timeWindows: [{ from: '22:00', to: '06:00' }] }
const visit = { type: 'one-shot', startsAt: '2026-03-18T10:00', expiresAt: '2026-03-18T12:00' }

async function addThree() {
  await add(
    '=HYPERLINK("evil")',
    [{ gateId: gate(0) }, { gateId: gate(1), schedules: [night], maxUsage: 3 }],
    {
      email: 'ana@example.com',
      phone: '+40 733 555 010',
      note: 'Apartment 12,\n"second" floor',
    },
  )
  await add("'Ion", [{ gateId: gate(1), schedules: [visit, night] }], { phone: '', note: '-1' })
  await add('Nobody')
  const gone = await add('Gone')
  await handlers.deactivateMember(request({ params: { memberId: gone } }) as never)
}

it('is imported again without any change, and begins no cell with a formula', async () => {
  await addThree()
  const before = await state()
  const text = await exported()
  expect(text.startsWith(byteOrderMark)).toBe(true)
  expect(text).not.toContain('Gone')
  // The cells as a spreadsheet reads them, with their marks.
  for (const cell of text.slice(1).split(/\r\n|,(?=(?:[^"]*"[^"]*")*[^"]*$)/))
    expect(cell.replace(/^"/, '')).not.toMatch(/^[=+\-@\t]/)
  expect(await imported(text)).toEqual({ ...nothing, isDone: true, unchanged: 3, faults: [] })
  expect(await imported(text.replaceAll('\r\n', '\n').slice(1))).toMatchObject({ unchanged: 3, faults: [] })
  expect(await state()).toEqual(before)
})

it('counts the changes in advance, and then makes exactly those', async () => {
  await addThree()
  const read = readCsv(await exported(), { mostRows: 100, mostCells: 20 })
  const rows = read.ok ? read.rows.map(row => [...row]) : []
  const [heading = [], first = [], second = []] = rows
  const people = [
    heading,
    [...first.slice(0, 1), 'Ana Pop', ...first.slice(2)],
    [...second.slice(0, 7), 'weekdays 07:00-19:00', '5', 'no'],
    ...rows.slice(4),
    ['', 'Elena Stan', 'elena@example.com', '', '', '', 'Courtyard', '', '', ''],
    ['', 'Elena Stan', 'elena@example.com', '', '', '', '=Yard', 'Mon,Tue', '', 'no'],
    ['', 'Dana', '', '', '', '', '', '', '', ''],
  ].map(row => (row[1] === first[1] ? [row[0] ?? '', 'Ana Pop', ...row.slice(2)] : row))
  const text = csvLines(people)
  const plan = {
    created: 2,
    changed: 1,
    unchanged: 1,
    accessesChanged: 1,
    accessesRevoked: 0,
    accessesAdded: 0,
    mails: 1,
  }
  const before = await state()
  expect(await imported(text, { isDryRun: true })).toEqual({ ...plan, isDone: false, faults: [] })
  expect(await state()).toEqual(before)
  expect(await imported(text, { sendsMails: true })).toEqual({ ...plan, isDone: true, faults: [] })
  const after = await state()
  expect(after.members.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Ana Pop', "'Ion", 'Elena Stan', 'Dana']),
  )
  const elena = after.members.find(({ name }) => name === 'Elena Stan')
  expect(after.accesses.filter(({ memberId }) => memberId === elena?.id)).toMatchObject([
    { isActive: 1, schedules: expect.stringContaining('always') },
    { isActive: 0, schedules: expect.stringContaining('"daysOfWeek":[1,2]') },
  ])
  expect(await database.knex('outbox').where({ memberId: elena?.id }).pluck('kind')).toEqual(['invitation'])
  // The file has no ids for the new members, so a second import would add them again.
  expect(await imported(await exported())).toMatchObject({ ...nothing, unchanged: 5 })
})

it('revokes an access whose line is missing, and ignores members who are not in the file', async () => {
  await addThree()
  const read = readCsv(await exported(), { mostRows: 100, mostCells: 20 })
  const rows = read.ok ? read.rows : []
  expect(await imported(csvLines(rows.slice(0, 2)))).toMatchObject({
    changed: 1,
    accessesRevoked: 1,
    unchanged: 0,
  })
  const state1 = await state()
  expect(state1.members).toHaveLength(4)
  expect(state1.accesses).toHaveLength(2)
})

it('names each bad line and field, and changes nothing', async () => {
  await addThree()
  const before = await state()
  const long = 'x'.repeat(121)
  const head = 'id,name,email,phone,note,gateId,gate,schedules,maxUsage,isActive\n'
  const wrong: [string, number | null, RegExp][] = [
    ['', 1, /name is missing/],
    ['id,name,shoe size\n', 1, /shoe size is not known/],
    ['Name,E-Mail,email\n', 1, /^The columns E-Mail and email say the same/],
    [`id,name,${'x'.repeat(100)}\n`, 1, /^The column x{64}… is not known/],
    [head, null, /names no member/],
    [`${head},Ana,"x\n`, 2, /quotes/],
    [`${head},Ana,,,,,,,,,x\n`, 2, /more cells/],
    [`${head},,,,,,,,,\n,Ana,,,,,,,,\n`, 2, /^name/],
    [`${head},${long},,,,,,,,\n`, 2, /^name/],
    [`${head},Ana,nobody,,,,,,,\n`, 2, /^email/],
    [`${head},Ana,,,,,Garage,,,\n`, 2, /^gate: there is no gate/],
    [`${head},Ana,,,,gate_x,,,,\n`, 2, /^gateId: there is no gate/],
    [`${head},Ana,,,,,,always,,\n`, 2, /^gate: an access needs its gate/],
    [`${head},Ana,,,,,Courtyard,sometimes,,\n`, 2, /^schedules must be like/],
    [`${head},Ana,,,,,Courtyard,weekdays 7-8,,\n`, 2, /^schedules/],
    [`${head},Ana,,,,,Courtyard,weekdays 07:00-07:00,,\n`, 2, /^schedules/],
    [`${head},Ana,,,,,Courtyard,,0,\n`, 2, /^maxUsage/],
    [`${head},Ana,,,,,Courtyard,,many,\n`, 2, /^maxUsage/],
    [`${head},Ana,,,,,Courtyard,,,perhaps\n`, 2, /^isActive must be yes or no/],
    [`${head},Ana,,,,,Courtyard,,,\n,Ana,,,,,Courtyard,,,\n`, 3, /^gate: the member has this gate/],
    [`${head}member_x,Ana,,,,,,,,\n`, 2, /^id: there is no member/],
    [`${head}a,Ana,,,x,,,,,\na,Ana,,,y,,,,,\n`, 3, /^note differs/],
    [`${head}a,Ana,,,,,,,,\nb,Ion,,,,,,,,\na,Ana,,,,,,,,\n`, 4, /^id: the lines of a member/],
    [head + ',Ana,,,,,,,,\n'.repeat(1_001), null, /may have 1000 lines/],
  ]
  for (const [file, line, message] of wrong) {
    const { faults, isDone } = await imported(file)
    expect(isDone).toBe(false)
    const shown = JSON.stringify([file.slice(0, 120), faults.slice(0, 3)])
    expect(
      faults.some(({ lines, ...fault }) => message.test(fault.message) && lines[0] === (line ?? undefined)),
      shown,
    ).toBe(true)
    for (const { message, refusals } of faults) expect(refusals, message).toBeDefined()
  }
  const gone = (await database.knex('members').where({ name: 'Gone' }).first()).id
  expect((await imported(`id,name\n${gone},Gone\n`)).faults).toMatchObject([{ lines: [2] }])
  expect(await state()).toEqual(before)
})

it("accepts other programs' names of the columns, in any case and language", async () => {
  const files = [
    'NAME;E-Mail Address;Gate;Hours;Uses at most;Active\nAna;ana@example.com;Courtyard;Mon–Fri 8:00–18:00;3;yes\n',
    'Nume;E-mail;Poarta;Ore;Folosiri;Activ\nAna;ana@example.com;Courtyard;Lun-Vin 08:00-18:00;3;da\n',
    'full_name,EMAIL,gate name,Schedule,max_usage,is_active\nAna,ana@example.com,Courtyard,"Mon, Tue, Wed-Fri 08:00 - 18:00",3,TRUE\n',
  ]
  for (const file of files) {
    expect(await imported(file)).toMatchObject({ created: 1, faults: [] })
    expect(await database.knex('accesses').select('schedules', 'maxUsage', 'isActive')).toEqual([
      {
        schedules: expect.stringContaining(
          '"daysOfWeek":[1,2,3,4,5],"timeWindows":[{"from":"08:00","to":"18:00"}]',
        ),
        maxUsage: 3,
        isActive: 1,
      },
    ])
    await database.write(async tx => {
      await tx('accesses').delete()
      await tx('members').delete()
    })
  }
})

it('reports one mistake once with all its lines, and names a column as the file does', async () => {
  const line = (gate: string, hours: string) => `Ana,${gate},${hours},many\n`
  const good = 'Ion,Courtyard,Mon-Fri 08:00-18:00,\n'
  const file = `Name,Gate,Hours,Uses\n${line('Garage', '')}${good}${line('Garage', '')}${line('Courtyard', 'Mon 25:00-26:00')}Dana,Courtyard,Mon 25:00-26:00,\n`
  const { faults } = await imported(file)
  expect(faults.map(({ lines, message }) => [lines, message])).toEqual([
    [[2, 4], 'Gate: there is no gate with this name.'],
    [[5], 'Uses must be a whole number from 1 to 2147483647, or empty for no limit'],
    [[6], expect.stringMatching(/^Hours/)],
  ])
  expect(JSON.stringify(faults)).not.toMatch(/schedules|maxUsage|timeWindows/)
  const rows = Array.from({ length: 990 }, (_, place) => `Member ${place},Garage\n`)
  const many = await imported(`name,gate\n${rows.join('')}`)
  expect(many.faults).toMatchObject([{ message: 'gate: there is no gate with this name.' }])
  expect(many.faults[0]?.lines).toHaveLength(990)
})

it('stays within the invitations of the plan, and reports how many are left', async () => {
  await database.write(tx => tx('plans').update({ monthlyInvitationLimit: 2 }))
  const { faults, isDone } = await imported('name\nAna\nIon\nDana\n')
  expect(isDone).toBe(false)
  expect(faults).toMatchObject([
    { lines: [], message: expect.stringMatching(/3 new members, and 2 invitations/) },
  ])
  expect(await imported('name\nAna\nIon\n')).toMatchObject({ isDone: true, created: 2 })
})

it('changes all or nothing where a mail is refused, and where somebody changes something meanwhile', async () => {
  const many = Array.from({ length: 30 }, (_, place) => `Member ${place},same@example.com`).join('\n')
  const body = { file: `name,email\n${many}\n`, isDryRun: false, sendsMails: true }
  expect(await handlers.importMembers(request({ body }))).toMatchObject({
    message: expect.stringMatching(/^Line 22 was refused, so nothing was changed\. At most 20 mails /),
    refusals: [
      { name: 'file_line', values: { line: 22 } },
      { name: 'mails_to_address', values: { most: 20 } },
    ],
  })
  expect((await state()).members).toEqual([])
  const changing = request<'importMembers'>({ body: { ...body, sendsMails: false } })
  const { write } = changing
  const late: typeof changing = {
    ...changing,
    write: async work => {
      await add('Somebody')
      return write(work)
    },
  }
  expect(await handlers.importMembers(late)).toMatchObject({ problem: 'conflict' })
  expect((await state()).members).toHaveLength(1)
})

it('rejects a file with more lines or cells than the limits', async () => {
  const mostly = async (file: string) => (await imported(file)).faults
  const refused = (name: string) => [{ refusals: [expect.objectContaining({ name })] }]
  expect(await mostly(`name${','.repeat(1_000_000)}x`)).toMatchObject(refused('file_wide'))
  expect(await mostly(`name\n${'Ana\n'.repeat(1_001)}`)).toMatchObject(refused('file_long'))
})
