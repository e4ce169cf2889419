import type { MemberView } from '@callgate/contract/app/appMember'
import { exampleMember } from '@callgate/contract/rest/member'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { accessOf, another, gateOf, ids, memberOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'
import { noTimes, onePage } from './members.kit.ts'

const pages = dashboardPages()
const page = on()
const memberPath = pathOf(`members/${ids.memberId}`)

const answersOf = (member: MemberView): Answers => ({
  getMemberView: () => ({ status: 200, body: { member } }),
  listMemberViews: () => onePage(member),
  previewSchedules: noTimes,
})

it('gives a new member all chosen gates by a preset, and names a member with the same address', async () => {
  const answers = answersOf(memberOf({ name: 'Ana Pop', email: 'ana@example.com' }))
  const gates = ['Courtyard gate', 'Yard barrier', 'Old gate'].map((name, place) =>
    gateOf({ id: another(ids.gateId, place), name, isActive: place < 2 }),
  )
  const cloud = await pages.open(pathOf('members/new'), sessionOf(), {
    ...answers,
    listGates: () => ({ status: 200, body: { gates } }),
    createMember: () => ({ status: 201, body: { member: { ...exampleMember, id: ids.memberId } } }),
  })
  const choice = page.part('region', 'Gates')
  await choice.press('Once')
  await choice.says('One opening, then the link opens nothing.')
  await choice.check('Yard barrier')
  await choice.check('Courtyard gate')
  // A gate that is switched off is not offered.
  await choice.saysNot('Old gate')
  await page.fill('Name', 'Ana P.')
  await page.fill('E-mail', 'ANA@example.com')
  await page.says('Ana Pop has this address already:')
  expect((await page.link('open this member')).getAttribute('href')).toBe(memberPath)
  await page.fill('E-mail', '')
  await page.saysNot('has this address already')
  await expectAccessible()
  await page.press('Add member')
  await page.of('heading', 'Ana Pop')
  const once = { maxUsage: 1, schedules: [{ type: 'always', timezone: 'Europe/Bucharest' }] }
  expect(cloud.bodies('createMember')).toMatchObject([
    {
      accesses: [
        { gateId: gates[0]?.id, ...once },
        { gateId: gates[1]?.id, ...once },
      ],
    },
  ])
})

it('says what ends with an access that is removed, and takes that back', async () => {
  await pages.open(memberPath, sessionOf(), answersOf(memberOf({ accesses: [accessOf()] })))
  await page.press('More for Courtyard gate')
  await page.choose('menuitem', 'Remove the access to Courtyard gate')
  await page.says('The access to Courtyard gate ends when you save')
  await page.says('1 change')
  await expectAccessible()
  await page.press('Keep it')
  await page.saysNot('ends when you save')
  await page.saysNot('1 change')
  await page.of('region', 'Courtyard gate')
})
