// Adding a gateway by a file for its card, in a real browser, which saves the file.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const desktop = { viewport: { width: 1280, height: 800 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

it('gives a file for a card, and cancels its code', async () => {
  const ada = { name: 'Ada Pop', role: 'admin' } as const
  const page = await house.open(browser, ada, `/spaces/${house.space.spaceId}/gateways`, desktop)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Add gateway' }).click()
  await dialog.getByLabel('Name').fill('Far away')
  await dialog.getByLabel(/for the card/).check()
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  await dialog.getByText(/^Valid for 23:59:\d\d more\.$/).waitFor()
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save callgate-gateway.yaml' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('callgate-gateway.yaml')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).toString()).toMatch(
    /\ncloud: http:.*\ncode: [0-9A-Z-]{20}\ncloudKey: [\w-]{43}\n\n(#.*\n)+$/,
  )
  const steps = dialog.getByRole('list', { name: 'What the gateway has done' })
  await steps.getByText('Waiting for it to take the code…').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Withdraw the code' }).click()
  await dialog.getByText('Far away was not added').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
})
