import type { ActivityEntry } from '@callgate/contract/rest/activity'
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { type Answers, password } from '../client/fakeCloud.kit.ts'
import { accessOf, ids, memberOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, isDisabled, noDialog, on } from '../pages.kit.tsx'
import { noTimes } from './members.kit.ts'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')
const memberPath = pathOf(`members/${ids.memberId}`)

it('reports offline that nothing can be saved, and keeps the typed text', async () => {
  let member = memberOf({ name: 'Elena Stan', accesses: [accessOf()] })
  const cloud = await pages.open(memberPath, sessionOf(), {
    getMemberView: () => ({ status: 200, body: { member } }),
    previewSchedules: noTimes,
    saveMember({ body: { phone = null } }) {
      member = { ...member, phone }
      return { status: 200, body: { member } }
    },
  })
  const turnNetwork = (isOn: boolean) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(isOn)
    dispatchEvent(new Event(isOn ? 'online' : 'offline'))
  }
  await page.fill('Phone', '0733')
  turnNetwork(false)
  await page.says('No network: nothing can be saved.')
  expect(isDisabled(await page.button('Save'))).toBe(true)
  turnNetwork(true)
  await page.press('Save')
  await page.says('Saved.')
  expect(await page.typed('Phone')).toBe('0733')
  expect(cloud.count('saveMember')).toBe(1)
  await expectAccessible()
  const [history] = screen
    .getAllByRole('link', { name: 'History' })
    .filter(link => link.getAttribute('href')?.includes('?'))
  expect(history?.getAttribute('href')).toMatch(/\/history\?member=/)
})

const erased: ActivityEntry = {
  id: ids.activityId,
  action: 'member.erased',
  actor: 'user:mihai@example.com',
  targetType: 'member',
  targetLabel: 'deleted_member',
  details: {},
  timestamp: '2026-03-20T12:32:00.000Z',
}

it('erases a member for good after a question, and names nobody from then on', async () => {
  let member: ReturnType<typeof memberOf> | undefined = memberOf({ name: 'Vlad Gone', phone: '0722 999 888' })
  const pagination = { limit: 50, nextCursor: null }
  const answers: Answers = {
    getMemberView: () =>
      member
        ? { status: 200, body: { member } }
        : { problem: 'not_found', message: 'There is no such member.' },
    listMemberViews: () => ({ status: 200, body: { members: member ? [member] : [], pagination } }),
    eraseMember() {
      member = undefined
      return { status: 204 }
    },
    listActivity: () => ({ status: 200, body: { activity: [erased], pagination } }),
  }
  const cloud = await pages.open(memberPath, sessionOf({ name: 'Ilinca Radu' }), answers)
  cloud.forget()
  const saved = vi.spyOn(location, 'assign').mockImplementation(() => {})
  const data = page.part('region', 'Personal data')
  // A stolen session gets no file.
  await data.press('Export')
  await page.says('Confirm that it is you')
  await expectAccessible()
  await page.key('{Escape}')
  await noDialog()
  await data.press('Export')
  await dialog.fill('Your password', password)
  expect(saved).not.toHaveBeenCalled()
  cloud.answer({
    getSecurity: () => ({
      status: 200,
      body: {
        totpEnabledAt: null,
        recoveryCodesLeft: 0,
        passkeys: [],
        confirmedUntil: '2099-01-01T00:00:00.000Z',
      },
    }),
  })
  await dialog.press('Confirm')
  await expect.poll(() => saved.mock.calls).toEqual([[expect.stringContaining(ids.memberId)]])
  await data.press('Erase')
  await page.says('Nobody can undo this.')
  await expectAccessible()
  // First Back: nothing is erased.
  await page.key('{Escape}')
  await noDialog()
  expect(cloud.count('eraseMember')).toBe(0)
  await data.press('Erase')
  await dialog.press('Erase')
  await screen.findByRole('heading', { level: 1, name: 'Members' })
  expect(cloud.count('eraseMember')).toBe(1)
  await page.follow('Activity')
  await page.says('Personal data erased')
  await page.says('Deleted member')
  await expectAccessible()
  expect(screen.queryByText('Vlad Gone')).toBeNull()
})

it('leads a member without a gate to the first one, and then to the link', async () => {
  const without = memberOf({ name: 'Ana Pop', accesses: [] })
  await pages.open(memberPath, sessionOf(), {
    getMemberView: () => ({ status: 200, body: { member: without } }),
    previewSchedules: noTimes,
  })
  const empty = page.around('div', /^No gate yet/)
  expect((await empty.button('Give access to a gate')).className).toContain('button-filled')
  expect(screen.queryByRole('button', { name: 'Copy the link' })?.className).not.toContain('button-filled')
  await expectAccessible()
})
