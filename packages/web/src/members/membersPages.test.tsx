import type { AccessView, MemberView } from '@callgate/contract/app/appMember'
import type { ImportPlan } from '@callgate/contract/app/memberFile'
import { exampleMember } from '@callgate/contract/rest/member'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { fireEvent, screen, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { accessOf, another, gateOf, ids, memberOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, isDisabled, noDialog, on, user } from '../pages.kit.tsx'
import { noTimes, onePage } from './members.kit.ts'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')
const memberPath = pathOf(`members/${ids.memberId}`)
const night: Schedule = {
  type: 'custom',
  daysOfWeek: [5, 6],
  timeWindows: [{ from: '22:00', to: '06:00' }],
  timezone: 'Europe/Bucharest',
}

/** A member in the state of the last save. */
function oneMember(first: Partial<MemberView> = {}) {
  let member = memberOf(first)
  const save = (changed: Partial<MemberView>) => {
    member = { ...member, ...changed }
  }
  const answers = {
    getMemberView: () => ({ status: 200, body: { member } }),
    getMemberCounts: () => ({
      status: 200,
      body: { active: 1, current: 1, allowed_now: 0, ending_soon: 0, ended: 0, inactive: 0 },
    }),
    listMemberViews: () => onePage(member),
    previewSchedules: noTimes,
    saveMember({ body: { accesses, email: _, ...person } }) {
      const kept = accesses?.map(({ id = ids.accessId, ...access }) => {
        const before = member.accesses.find(one => one.id === id) ?? accessOf()
        return {
          ...before,
          ...access,
          now: { ...before.now, usesLeft: access.maxUsage ?? null },
        } as typeof before
      })
      save({ ...(person as Partial<MemberView>), ...(kept && { accesses: kept }) })
      return { status: 200, body: { member } }
    },
  } satisfies Answers
  return { answers, save, now: () => member }
}

/** The next nine nights of the schedule, as the cloud answers them. */
const nights = Array.from({ length: 9 }, (_, place) => {
  const [day, next] = [20 + place, 21 + place]
  return {
    from: `2026-03-${day}T20:00:00.000Z`,
    to: `2026-03-${next}T04:00:00.000Z`,
    fromWall: `2026-03-${day}T22:00`,
    toWall: `2026-03-${next}T06:00`,
    isNow: false,
    isAtLeast: false,
    clockChange: null,
  }
})

/** Types the end of the first hours, and leaves the field. The field for the end of the schedule has the same name. */
function fillEnd(text: string) {
  const [field] = screen.getAllByRole('textbox', { name: 'Ends' })
  const input = field as HTMLInputElement
  fireEvent.change(input, { target: { value: text } })
  fireEvent.blur(input)
}

it('adds a member with hours over the night, and names what is missing', async () => {
  const { answers, save } = oneMember({ name: 'Ana Pop' })
  const gates = ['Courtyard gate', 'Yard barrier'].map((name, place) =>
    gateOf({ id: another(ids.gateId, place), name }),
  )
  const nobody = { members: [], pagination: { limit: 50, nextCursor: null } }
  const cloud = await pages.open(pathOf('members'), sessionOf(), {
    ...answers,
    listGates: () => ({ status: 200, body: { gates } }),
    listMemberViews: () => ({ status: 200, body: nobody }),
    getMemberCounts: () => ({
      status: 200,
      body: { active: 0, current: 0, allowed_now: 0, ending_soon: 0, ended: 0, inactive: 0 },
    }),
    previewSchedules: () => ({
      status: 200,
      body: { timezone: 'Europe/Bucharest', state: 'coming', times: nights },
    }),
    createMember({ body: { accesses, name } }) {
      save({ name, accesses: accesses?.map(access => accessOf(access as Partial<AccessView>)) ?? [] })
      return { status: 201, body: { member: { ...exampleMember, id: ids.memberId } } }
    },
  })
  await page.says('A member is a person with one link')
  await expectAccessible()
  await page.follow('Add member')
  await page.press('Add member')
  await page.says('Type a name.')
  await page.fill('Name', 'Ana Pop')
  await page.says('Without a gate the link opens nothing.')
  await page.part('region', 'Gates').check('Courtyard gate')
  await page.saysNot('Without a gate the link opens nothing.')

  const card = page.part('region', 'Courtyard gate')
  await card.press('Hours of Courtyard gate')
  await card.tap(/^Days$/)
  for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']) await card.press(day)
  await page.press('Add member')
  await page.says('Choose a day.')
  await card.press('Friday')
  await card.press('Saturday')
  await card.fill('Begins', '22')
  // Nonsense is reported on leaving the field, and stays to be corrected.
  fillEnd('six')
  await page.says('Write a time of day, such as 07:30.')
  fillEnd('6')
  expect(await card.typed('Begins')).toBe('22:00')
  await page.says('Ends the next morning.')
  await page.of('img', /Friday and Saturday from 22:00 until 06:00 the next morning/)
  const next = page.part('region', 'The next times')
  for (const text of ['22:00–06:00', 'If you save now.']) await next.says(text)
  const shown = within(screen.getByRole('region', { name: 'The next times' })).getAllByRole('listitem')
  expect(shown.filter(({ textContent }) => textContent?.includes('22:00–06:00'))).toHaveLength(9)
  await expectAccessible()
  await page.press('Add member')

  await page.of('heading', 'Ana Pop')
  // The next step is to hand over the link.
  await page.says('Give this link to Ana')
  expect((await page.button('Copy the link')).className).toContain('button-filled')
  for (const text of ['22:00–06:00', 'As it is saved.']) await next.says(text)
  await page.choose('switch', /: switched on$/)
  await next.says('None while the access is switched off.')
  await next.saysNot('22:00–06:00')
  // To save it is the next step now.
  expect((await page.button('Copy the link')).className).not.toContain('button-filled')
  expect(cloud.bodies('createMember')).toMatchObject([
    { name: 'Ana Pop', accesses: [{ gateId: another(ids.gateId, 0), schedules: [night] }] },
  ])
})

it('changes hours and uses together, and asks before typed text is lost', async () => {
  const { answers, now } = oneMember({ accesses: [accessOf({ schedules: [night] })] })
  await pages.open(memberPath, sessionOf(), answers)
  await page.press('Another schedule')
  await page.tap(/^Mon–Fri$/)
  await page.fill('Uses at most', '10')
  await page.says('10 of 10 uses left')
  await page.says('2 changes')
  await expectAccessible()
  // Errors that only the cloud can find are named, and the text stays typed.
  await page.fill('Name', 'www.ana')
  await page.press('Save')
  await page.says(/^Not saved\. Name: must not hold/)
  expect(await page.typed('Name')).toBe('www.ana')
  await page.fill('Name', 'Ana Ionescu')
  // Leaving the page asks first.
  await page.follow('Activity')
  await page.of('dialog', 'Discard what you typed?')
  await page.key('{Escape}')
  await page.press('Save')
  await page.says('Saved.')
  expect(now().accesses).toMatchObject([{ maxUsage: 10, schedules: [night, { type: 'weekdays' }] }])
  // The saved values are shown, and nothing is unsaved.
  await page.says(/^Friday and Saturday from 22:00 until 06:00$/)
  await page.saysNot('not saved')
})

it('loses no change when two admins edit one member', async () => {
  const { answers, now, save } = oneMember({ name: 'Ion Marin', note: 'Bakery', accesses: [accessOf()] })
  await pages.open(memberPath, sessionOf(), {
    ...answers,
    getLastChange: () => ({
      status: 200,
      body: {
        change: {
          at: new Date().toISOString(),
          by: { kind: 'user', id: another(ids.userId, 1), name: 'Dana Ionescu' },
        },
      },
    }),
  })
  await page.fill('Note', 'Bakery, mornings')
  const isOn = await page.of('switch', 'Courtyard gate: switched on')
  isOn.focus()
  await page.key(' ')
  await page.says('2 changes')
  save({ note: 'Bakery, evenings', phone: '0722 000 111' })

  await page.press('Save')
  await page.reads(/Dana Ionescu changed this member, .*What changed: phone, note\./)
  await page.says('They set: Bakery, evenings')
  expect(await page.typed('Note')).toBe('Bakery, mornings')
  expect(await page.typed('Phone')).toBe('0722 000 111')
  await expectAccessible()
  await page.press('Take theirs')
  expect(await page.typed('Note')).toBe('Bakery, evenings')
  await page.says('1 change')
  await page.press('Save')
  await page.says('Saved.')
  expect(now()).toMatchObject({
    note: 'Bakery, evenings',
    phone: '0722 000 111',
    accesses: [{ isActive: false }],
  })
})

it('shows the change of another admin where nothing is typed', async () => {
  const { answers, save } = oneMember({ accesses: [accessOf()] })
  const cloud = await pages.open(memberPath, sessionOf(), answers)
  await page.of('switch', 'Courtyard gate: switched on')
  save({ accesses: [accessOf({ isActive: false })] })
  cloud.tell('member.updated', ids.memberId)
  await page.says('Switched off')
})

it('shows a link without its secret, as a QR code, and replaces it', async () => {
  const link = 'http://localhost:3000/g/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde'
  const first = memberOf({ name: 'Courier, north tour', accesses: [accessOf()] })
  const { answers, save } = oneMember({ ...first, now: { ...first.now, link } })
  const cloud = await pages.open(memberPath, sessionOf(), {
    ...answers,
    resetMemberLink() {
      save({ now: { ...first.now, link: link.replace('AbCd', 'XyZw') } })
      return { status: 200, body: { member: exampleMember } }
    },
  })
  await page.says('…/g/AbCd••••••••')
  expect(document.body.innerHTML).not.toContain(link)
  await page.press('QR')
  await page.of('img', 'The link as a QR code')
  await page.says('It opens: Courtyard gate.')
  await page.says('Look at the gate first. If it stands still, press again.')
  await expectAccessible()
  await page.key('{Escape}')
  await noDialog()
  await page.press('Replace the link')
  await page.says(/The link that Courier, north tour has stops working at once/)
  await dialog.press('Cancel')
  expect(cloud.count('resetMemberLink')).toBe(0)
  await page.press('Replace the link')
  await dialog.press('Replace the link')
  await page.says('This is the new link. The old one no longer works.')
  expect(cloud.count('resetMemberLink')).toBe(1)
})

it('deactivates and reactivates', async () => {
  const { answers, save } = oneMember({ name: 'Elena Stan', accesses: [accessOf()] })
  const cloud = await pages.open(memberPath, sessionOf(), {
    ...answers,
    deactivateMember() {
      save({ isActive: false, accesses: [], now: { ...memberOf().now, link: null } })
      return { status: 204 }
    },
    reactivateMember() {
      save({ isActive: true, now: memberOf().now })
      return { status: 200, body: { member: exampleMember } }
    },
  })
  await page.press('Deactivate')
  await page.says(/The link stops working at once\. .* These accesses end/)
  await dialog.press('Deactivate')
  await page.says('This member is deactivated')
  await page.says('The link no longer works. It opens nothing.')
  await page.press('Reactivate')
  await page.says('Without access to a gate the link opens nothing.')
  expect(cloud.count('reactivateMember')).toBe(1)
})

const plan: ImportPlan = {
  isDone: false,
  created: 0,
  changed: 0,
  unchanged: 2,
  accessesAdded: 0,
  accessesChanged: 0,
  accessesRevoked: 0,
  mails: 0,
  faults: [],
}

/** Chooses a file with this text. */
async function choose(text: string) {
  const input = screen.getByRole('dialog').querySelector('input[type="file"]') as HTMLInputElement
  const file = new File([text], 'members.csv', { type: 'text/csv' })
  fireEvent.change(input, { target: { files: [file] } })
}

it('imports a file after it has shown the changes', async () => {
  const { answers } = oneMember()
  const oana = memberOf({ id: another(ids.memberId, 1), name: 'oana' })
  const cloud = await pages.open(pathOf('members'), sessionOf(), {
    ...answers,
    importMembers({ body: { file, isDryRun } }) {
      if (file.includes('whenever')) {
        const message = 'schedules must be like "weekdays 07:00-19:00"'
        return { status: 200, body: { ...plan, faults: [{ lines: [3], message }] } }
      }
      return {
        status: 200,
        body: { ...plan, ...(file.includes('oana') && { created: 1, mails: 1 }), isDone: !isDryRun },
      }
    },
  })
  const send = async () => within(screen.getByRole('dialog')).getByRole('button', { name: 'Import' })
  await page.press('More actions')
  await page.choose('menuitem', 'Import')
  await page.of('dialog', /./)
  expect(isDisabled(await send())).toBe(true)
  await choose('name\nana')
  await page.says(/Members that stay as they are: \d/)
  await choose('name,schedules\noana,whenever')
  await page.says('Nothing was changed.')
  await page.says(/^Line \d+: schedules must be like/)
  expect(isDisabled(await send())).toBe(true)
  await expectAccessible()
  await choose('name,schedules\noana,weekdays 07:00-19:00')
  await page.says('New members: 1. Each counts as an invitation of this month.')
  expect(await page.field('Send the mails: 1')).toHaveProperty('checked', false)
  cloud.answer({
    listMemberViews: () => onePage(memberOf(), oana),
  })
  await dialog.press('Import')
  await page.says('The file is imported')
  expect(
    within(screen.getByRole('dialog')).queryByRole('button', { name: 'Cancel' }),
    'nothing is left to cancel',
  ).toBeNull()
  await user.click(
    within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement,
  )
  await page.link('oana')
  expect(cloud.bodies('importMembers').at(-1)).toMatchObject({ isDryRun: false, sendsMails: false })
})

it('finds members, and reports where nobody is found', async () => {
  const names = ['Ana Pop', '=HYPERLINK("//x.invalid","Ștefan")']
  const all = names.map((name, place) => memberOf({ id: another(ids.memberId, place), name }))
  const { answers } = oneMember()
  await pages.open(pathOf('members'), sessionOf(), {
    ...answers,
    listMemberViews: ({ query: { search = '' } }) => ({
      status: 200,
      body: {
        members: all.filter(({ name }) => name.toLowerCase().includes(search)),
        pagination: { limit: 50, nextCursor: null },
      },
    }),
  })
  await page.link('Ana Pop')
  await page.fill('Name, phone or note', 'hyperlink')
  await page.saysNot('Ana Pop')
  expect(screen.getAllByRole('row')).toHaveLength(2)
  await expect.poll(() => location.search).toMatch(/search=hyperlink/)
  await page.fill('Name, phone or note', 'nobody at all')
  await page.says('Nobody found')
  await page.press('Show all')
  await page.link('Ana Pop')
})
