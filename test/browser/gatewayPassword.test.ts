// A new password for a gateway in the dashboard, in a real browser: requested, confirmed, shown once, and refused.

import { checkLogin } from '@callgate/cloud/gateway/gateways'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, password } from './dashboardHouse.ts'

const browser = useBrowser()
const phone = { viewport: { width: 390, height: 844 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
  await house.beat()
})
afterAll(() => house.stop())

const path = () => `/spaces/${house.space.spaceId}/gateways/${house.space.gatewayId}`
const shoot = async (page: Page, name: string) => {
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

it('is made on a phone after a confirmation, is valid at the broker, and is shown once', async () => {
  const admin = { name: 'Ada Pop', role: 'admin', isUnconfirmed: true } as const
  const page = await house.open(browser, admin, path(), { ...phone, provokes: [/403/] })
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Give it a new password' }).click()
  await dialog.getByText('The password that it has now counts no more.').waitFor()
  await shoot(page, 'password-ask-390')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Make the password' }).click()
  await dialog.getByLabel('Your password').fill('another one')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByText('This is not your password.').waitFor()
  await dialog.getByLabel('Your password').fill(password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  const line = await dialog.getByLabel('Line of the configuration').inputValue()
  const [, made = ''] = /^mqttPassword: "(\S{43})"$/.exec(line) ?? []
  const checked = await checkLogin(house.database, house.space.gatewayId, Buffer.from(made), Date.now())
  expect(checked).toBe('admitted')
  await shoot(page, 'password-made-390')
  await expectAccessible(page)
  expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
  await dialog.getByLabel('I have stored the password').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(made)
})
