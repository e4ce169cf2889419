import { exampleMember } from '@callgate/contract/rest/member'
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { accessOf, another, gateOf, ids, memberOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, noDialog, on, onPhone } from '../pages.kit.tsx'
import { onePage } from './members.kit.ts'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')
const link = 'http://localhost:3000/g/AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_abcde'
const gates = ['Courtyard gate', 'Yard barrier', 'Old gate'].map((name, place) =>
  gateOf({ id: another(ids.gateId, place), name, isActive: place < 2 }),
)

const answers: Answers = {
  listGates: () => ({ status: 200, body: { gates } }),
  createMember: ({ body }) => ({
    status: 201,
    body: {
      member: {
        ...exampleMember,
        name: body.name,
        accesses: exampleMember.accesses.map(access => ({ ...access, accessUrl: link })),
      },
    },
  }),
}

// Friday, 14:32 in Bucharest.
beforeEach(() => void vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-20T12:32:00Z')))

it('makes a visitor’s link from the card of a gate by two presses', async () => {
  const cloud = await pages.open(pathOf('gates'), sessionOf(), answers)
  await page.press('Visitor’s link for Yard barrier')
  await dialog.says('Without a name it is “Visitor, 20 March 14:32”.')
  await expectAccessible()
  await dialog.press('Make the link')
  await dialog.of('img', 'The link as a QR code')
  await dialog.says('It opens: Yard barrier.')
  await dialog.says('Until Friday, 20 March 2026, 18:00.')
  await expectAccessible()
  expect(cloud.bodies('createMember')).toEqual([
    {
      name: 'Visitor, 20 March 14:32',
      accesses: [
        {
          gateId: gates[1]?.id,
          schedules: [{ type: 'always', expiresAt: '2026-03-20T18:00', timezone: 'Europe/Bucharest' }],
          maxUsage: null,
        },
      ],
    },
  ])
  await page.key('{Escape}')
  await noDialog()
  expect(document.activeElement).toBe(await page.button('Visitor’s link for Yard barrier'))
})

it('copies and shares a link that opens one gate once, until another time', async () => {
  const copied = vi.fn(async () => {})
  const shared = vi.fn(async () => {})
  vi.stubGlobal('navigator', Object.assign(navigator, { share: shared }))
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: copied } })
  const cloud = await pages.open(pathOf('members'), sessionOf(), answers)
  await page.press('Visitor’s link')
  // A gate that is switched off is not offered.
  const offered = (await dialog.field('Gate')) as HTMLSelectElement
  expect(Array.from(offered.options, ({ text }) => text)).toEqual(['Courtyard gate', 'Yard barrier'])
  await dialog.fill('Name', ' Plumber ')
  await dialog.select('Until', 'another time…')
  await dialog.press('Make the link')
  await dialog.says('Choose when it ends.')
  // Escape in the calendar leaves the dialog.
  await dialog.press('Ends: choose a day')
  await page.of('button', 'Friday, 20 March 2026')
  await page.key('{Escape}')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Friday, 20 March 2026' })).toBeNull())
  await dialog.fill('Ends', '20 Mar 2026')
  await dialog.fill('Ends: time of day', '14')
  await dialog.says('This time is already over.')
  expect(cloud.count('createMember')).toBe(0)
  await dialog.fill('Ends', '21.3.2026')
  await dialog.fill('Ends: time of day', '12:00')
  await dialog.check('Opens once')
  await dialog.press('Make the link')
  await dialog.says('It opens once.')
  expect(cloud.bodies('createMember')).toMatchObject([
    { name: 'Plumber', accesses: [{ maxUsage: 1, schedules: [{ expiresAt: '2026-03-21T12:00' }] }] },
  ])
  await dialog.press('Copy the link')
  expect(copied).toHaveBeenCalledWith(link)
  await dialog.press('Share')
  expect(shared).toHaveBeenCalledWith(expect.objectContaining({ url: link }))
  Reflect.deleteProperty(navigator, 'share')
})

it('ends a link by the clock of a sandbox, which has one of its own', async () => {
  const session = sessionOf()
  const sandbox = {
    ...session,
    spaces: session.spaces.map(space => ({ ...space, mode: 'sandbox' as const })),
  }
  // 1:59 in Bucharest, more than a week after the real time.
  const clock = { now: '2026-03-28T23:59:00.000Z', isFrozen: true, isReal: false }
  const cloud = await pages.open(pathOf('gates'), sandbox, {
    ...answers,
    getSandboxClock: () => ({ status: 200, body: clock }),
  })
  await page.press('Visitor’s link for Yard barrier')
  await dialog.says('Without a name it is “Visitor, 29 March 01:59”.')
  await dialog.press('Make the link')
  await dialog.says('Until Sunday, 29 March 2026, 18:00.')
  expect(cloud.bodies('createMember')).toMatchObject([
    { accesses: [{ schedules: [{ expiresAt: '2026-03-29T18:00' }] }] },
  ])
  await page.key('{Escape}')
  await noDialog()
  // Released, it is the real time again.
  clock.isReal = true
  const reads = cloud.count('listGates')
  cloud.tell('sandbox.reset', ids.spaceId)
  await expect.poll(() => cloud.count('listGates')).toBeGreaterThan(reads)
  await page.press('Visitor’s link for Yard barrier')
  await dialog.says('Without a name it is “Visitor, 20 March 14:32”.')
})

it('says when members may open by the clock of a sandbox', async () => {
  const session = sessionOf()
  const spaces = session.spaces.map(space => ({ ...space, mode: 'sandbox' as const }))
  const { now } = memberOf()
  const member = memberOf({
    accesses: [accessOf()],
    now: { ...now, standing: 'outside_hours', untilAt: null, nextAt: '2026-03-29T16:00:00.000Z' },
  })
  const clock = { now: '2026-03-28T23:59:00.000Z', isFrozen: true, isReal: false }
  const counts = { active: 1, current: 1, allowed_now: 0, ending_soon: 0, ended: 0, inactive: 0 }
  await pages.open(
    pathOf('members'),
    { ...session, spaces },
    {
      listMemberViews: () => onePage(member),
      getMemberCounts: () => ({ status: 200, body: counts }),
      getSandboxClock: () => ({ status: 200, body: clock }),
    },
  )
  await page.says('next: 19:00')
})

it('has a visitor’s link and the file behind one button on a phone', async () => {
  onPhone()
  const counts = { active: 1, current: 1, allowed_now: 1, ending_soon: 0, ended: 0, inactive: 0 }
  await pages.open(pathOf('members'), sessionOf(), {
    ...answers,
    getMemberCounts: () => ({ status: 200, body: counts }),
  })
  await page.link('Add member')
  expect(screen.queryByRole('button', { name: 'Visitor’s link' })).toBeNull()
  await page.press('More actions')
  await page.of('menuitem', 'Import')
  await page.choose('menuitem', 'Visitor’s link')
  await dialog.of('button', 'Make the link')
})

it('keeps what was typed where no link was made', async () => {
  const cloud = await pages.open(pathOf('members'), sessionOf(), {
    ...answers,
    createMember: () => ({ problem: 'plan_limit_reached', message: 'No more this month.' }),
  })
  await page.press('Visitor’s link')
  await dialog.fill('Name', 'Plumber')
  await dialog.press('Make the link')
  await dialog.says('The plan allows no more invitations this month.')
  expect(await dialog.typed('Name')).toBe('Plumber')
  cloud.answer(answers)
  await dialog.press('Make the link')
  await dialog.of('img', 'The link as a QR code')
  await dialog.of('heading', 'Plumber')
})
