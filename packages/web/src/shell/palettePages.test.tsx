import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { gateOf, ids, memberOf, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, noDialog, on, user } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const hint = 'A gate, a member or a page'

const answers: Answers = {
  getMemberView: () => ({ status: 200, body: { member: memberOf({ name: 'Ana Pop' }) } }),
  listGates: () => ({ status: 200, body: { gates: [gateOf({ name: 'North gate' })] } }),
  listMemberViews: ({ query }) => ({
    status: 200,
    body: {
      members: query.search === 'ana' ? [memberOf({ name: 'Ana Pop' })] : [],
      pagination: { limit: 50, nextCursor: null },
    },
  }),
  listWebhooks: () => ({ status: 200, body: { webhooks: [] } }),
}

async function open() {
  const cloud = await pages.open(pathOf('gates'), sessionOf(), answers)
  await page.of('heading', 'North gate')
  await user.keyboard('{Control>}k{/Control}')
  await page.of('combobox', hint)
  return cloud
}
const chosen = () => screen.getAllByRole('option').find(one => one.getAttribute('aria-selected') === 'true')

it('finds a member by the search of the cloud, and goes there by the keyboard alone', async () => {
  const cloud = await open()
  await expectAccessible()
  await user.keyboard('ana')
  await page.of('option', /Ana Pop/)
  await waitFor(() => expect(chosen()?.textContent).toContain('Ana Pop'))
  const field = await page.of('combobox', hint)
  expect(field.getAttribute('aria-activedescendant')).toBe(chosen()?.id)
  await expectAccessible()
  await user.keyboard('{Enter}')
  await noDialog()
  expect(location.pathname).toBe(pathOf(`members/${ids.memberId}`))
  expect(cloud.count('listMemberViews')).toBeLessThanOrEqual(3)
})

it('goes through gates and pages by the arrows, and around', async () => {
  await open()
  expect(chosen()?.textContent).toContain('North gate')
  await user.keyboard('{ArrowDown}')
  expect(chosen()?.textContent).toContain('Gates')
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(chosen()?.textContent).toContain('account')
  await user.keyboard('{ArrowDown}')
  expect(chosen()?.textContent).toContain('North gate')
  await user.keyboard('webh{Enter}')
  await page.of('heading', 'Webhooks')
  expect(location.pathname).toBe(pathOf('settings/webhooks'))
})

it('says that nothing is found, closes by Escape, and does not open over a dialog', async () => {
  await open()
  await user.keyboard('zzzz')
  await page.says('Nothing is found.')
  expect(screen.queryAllByRole('option')).toEqual([])
  await user.keyboard('{Escape}')
  await noDialog()
  await page.press('Lock all gates')
  await page.part('dialog').says('Presses that wait')
  await user.keyboard('{Control>}k{/Control}')
  expect(screen.queryByRole('combobox', { name: hint })).toBeNull()
})
