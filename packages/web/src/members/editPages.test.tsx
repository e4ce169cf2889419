import type { AppBodyOf } from '@callgate/contract/app/appOperations'
import type { MemberEdit } from '@callgate/contract/app/memberEdit'
import { refuse } from '@callgate/contract/app/refusals'
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { another, gateOf, ids, memberOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, noDialog, on, onPhone } from '../pages.kit.tsx'
import { onePage } from './members.kit.ts'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')
const names = ['Ana Pop', 'Ion Marin', 'Elena Stan']
const members = names.map((name, place) => memberOf({ id: another(ids.memberId, place), name }))
const gates = ['Courtyard gate', 'Yard barrier'].map((name, place) =>
  gateOf({ id: another(ids.gateId, place), name }),
)

const preview = 'p'.repeat(43)

type LeftOut = MemberEdit['members'][number]['leftOut']

/** The plan of a cloud that leaves out those of `left`. */
function planOf(
  { access, isDryRun, memberIds }: AppBodyOf<'editMembers'>,
  left: Record<string, LeftOut> = {},
) {
  const planned = memberIds.map(memberId => {
    const { name } = members.find(({ id }) => id === memberId) ?? memberOf()
    const leftOut = left[name] ?? null
    return { memberId, name, leftOut, gateIds: leftOut === null && access?.gateId ? [access.gateId] : [] }
  })
  return { status: 200, body: { isDone: !isDryRun, members: planned, mails: 0, preview } } as const
}

const list: Answers = {
  listGates: () => ({ status: 200, body: { gates } }),
  listMemberViews: () => onePage(...members),
  getMemberCounts: () => ({
    status: 200,
    body: { active: 3, current: 3, allowed_now: 0, ending_soon: 0, ended: 0, inactive: 0 },
  }),
}

async function chooseAll(): Promise<void> {
  await page.check('Choose Ana Pop')
  await page.says('1 chosen')
  await page.press('All on this page')
  await page.says('3 chosen')
}

async function begin(act: string): Promise<void> {
  await page.press('Change…')
  await page.choose('menuitem', act)
}

it('gives all chosen members a gate, after it has shown who gets it and who is left out', async () => {
  const cloud = await pages.open(pathOf('members'), sessionOf(), {
    ...list,
    editMembers: ({ body }) => planOf(body, { 'Ion Marin': 'has_gate' }),
  })
  await chooseAll()
  await expectAccessible()
  await begin('Give access to a gate')
  await dialog.select('Gate', 'Yard barrier')
  await dialog.tap('Mon–Fri')
  await dialog.fill('Uses at most', 'ten')
  await dialog.press('Look at the changes')
  await dialog.says('Type a whole number')
  expect(cloud.count('editMembers')).toBe(0)
  await dialog.fill('Uses at most', '10')
  await dialog.press('Look at the changes')
  await dialog.says('Will get the access: 2')
  await dialog.says('Left out: 1')
  await dialog.says('has this gate already')
  await expectAccessible()
  cloud.answer({ editMembers: ({ body }) => planOf(body) })
  await dialog.press('Give access (2)')
  await dialog.says('The members are changed')
  const [tried, sent] = cloud.bodies('editMembers')
  const access = {
    gateId: gates[1]?.id,
    maxUsage: 10,
    schedules: [
      { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }], timezone: 'Europe/Bucharest' },
    ],
  }
  expect(tried).toMatchObject({
    isDryRun: true,
    act: 'add_gate',
    access,
    memberIds: members.map(({ id }) => id),
  })
  const memberIds = [members[0]?.id, members[2]?.id]
  expect(sent).toEqual({ ...tried, isDryRun: false, memberIds, preview })
  await page.key('{Escape}')
  await noDialog()
  expect(screen.queryByText('3 chosen'), 'nobody is chosen any more').toBeNull()
})

it('shows the changes again where somebody else was faster', async () => {
  let tries = 0
  const cloud = await pages.open(pathOf('members'), sessionOf(), {
    ...list,
    editMembers({ body }) {
      if (!body.isDryRun) return refuse('members_changed')
      tries += 1
      return planOf(body, tries > 1 ? { 'Ana Pop': 'inactive' } : {})
    },
  })
  await chooseAll()
  await begin('Deactivate')
  await dialog.press('Look at the changes')
  await dialog.says('Will be deactivated: 3')
  await dialog.press('Deactivate (3)')
  await dialog.says('Somebody changed some of these members meanwhile')
  await dialog.says('is deactivated')
  await dialog.says('Will be deactivated: 2')
  expect(cloud.bodies('editMembers').map(({ isDryRun }) => isDryRun)).toEqual([true, false, true])
  await dialog.press('Cancel')
  await page.says('3 chosen')
})

it('sends nothing where nobody would be changed', async () => {
  await pages.open(pathOf('members'), sessionOf(), {
    ...list,
    editMembers: ({ body }) => planOf(body, { 'Ion Marin': 'no_email' }),
  })
  await page.check('Choose Ion Marin')
  await begin('Send the link again')
  await dialog.press('Look at the changes')
  await dialog.says('Nobody is changed.')
  await dialog.says('has no e-mail address')
  expect((await dialog.button('Send (0)')).matches('[disabled]')).toBe(true)
  await page.key('{Escape}')
  await page.press('Clear the choice')
  await page.saysNot('1 chosen')
})

it('shows the boxes on a phone once somebody wants to choose several', async () => {
  onPhone()
  await pages.open(pathOf('members'), sessionOf(), list)
  await page.link('Ana Pop')
  expect(screen.queryByLabelText('Choose Ana Pop')).toBeNull()
  await page.press('More actions')
  await page.choose('menuitem', 'Choose several')
  await page.check('Choose Ana Pop')
  await page.says('1 chosen')
  await expectAccessible()
})
