// The pictures of the API keys: their list, a new one, and its secret, which is shown once.

import type { Page } from 'playwright-core'
import type { DashboardStudio } from './dashboardScreens.ts'

const pictured = [
  {
    name: 'Reception desk',
    ends: 'Never',
    may: ['See gates', 'Open gates'],
    path: '/api/v1/gates',
    requests: 6,
  },
  {
    name: 'Booking calendar',
    ends: 'In 1 year',
    may: ['See members and their links', 'Add and change members and accesses'],
    path: '/api/v1/members',
    requests: 12,
  },
  {
    name: 'Monthly report',
    ends: 'Never',
    may: ['Read openings and activity'],
    path: '/api/v1/activity',
    requests: 1,
  },
] as const

/** Fills in the form of a new key. */
async function fillIn(page: Page, key: { name: string; ends: string; may: readonly string[] }) {
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(key.name)
  await dialog.getByLabel('Ends').selectOption({ label: key.ends })
  for (const scope of key.may) await dialog.getByLabel(scope).check()
  return dialog
}

/** The keys are made by the page and used by real requests. */
export async function shootKeys(studio: DashboardStudio): Promise<void> {
  const { baseUrl } = studio.demo.ready
  await studio.visit('settings/keys', async page => {
    for (const key of pictured) {
      const dialog = await fillIn(page, key)
      await dialog.getByRole('button', { name: 'Create key' }).click()
      const secret = await dialog.getByLabel('The key').inputValue()
      for (let sent = 0; sent < key.requests; sent++)
        await fetch(baseUrl + key.path, { headers: { authorization: `Bearer ${secret}` } })
      await dialog.getByLabel('I have stored it').check()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await page.reload()
    await page.getByRole('row', { name: /^Monthly report/ }).waitFor()
    await studio.shoot('dash-keys-1280', page)
    const may = ['See gates', 'Read openings and activity']
    const dialog = await fillIn(page, { name: 'Reception tablet', ends: 'In 1 year', may })
    await studio.shoot('dash-keys-create-1280', page)
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByLabel('I have stored it').check()
    await studio.shoot('dash-keys-secret-1280', page)
  })
}
