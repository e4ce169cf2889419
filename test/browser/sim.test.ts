// The SIM card of a gateway in the dashboard, in a real browser: set, asked, and warned of.

import { simAppliers } from '@callgate/cloud/sim/simTasks'
import { endTask, openTaskOf } from '@callgate/cloud/task/taskRows'
import { realWorld } from '@callgate/world/real'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const world = realWorld({ logLevel: 'silent' })
const desktop = { viewport: { width: 1280, height: 900 } }
const phone = { viewport: { width: 390, height: 844 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

/** What its gateway says that it can be asked. */
async function can(kinds: readonly string[]) {
  await house.beat()
  const gateways = house.database.knex('gateways').where({ id: house.space.gatewayId })
  const modem = { state: 'ready', model: 'SIM800C', operator: 'Orange RO', registration: 'home' }
  await gateways.update({ lastBeat: JSON.stringify({ modem, toReport: [], can: kinds }) })
}

/** The gateway tells what the network has answered, or why it was not asked. */
async function tell(said: { readonly text: string } | { readonly reason: 'no_network' }) {
  const open = () => openTaskOf(house.database.knex, house.space)
  await expect.poll(open).toBeDefined()
  const row = await open()
  if (!row) throw new Error('nothing is asked')
  const { id: taskId } = row
  await house.database.write(async tx => {
    if ('reason' in said) return void (await endTask(tx, world, row, { taskId, state: 'not_done', ...said }))
    const told = { taskId, kind: 'ussd', state: 'done', answer: { ...said, isMenu: false } } as const
    await endTask(tx, world, row, told)
    await simAppliers(world).ussd?.(tx, row, told)
  })
  // The next question need not wait.
  await house.database.knex('tasks').update({ createdAt: new Date(Date.now() - 90_000).toISOString() })
}

const path = () => `/spaces/${house.space.spaceId}/gateways/${house.space.gatewayId}`
const card = (page: Page) => page.locator('section.card').filter({ hasText: /^(SIM card|Cartela SIM)/ })
const shoot = async (page: Page, name: string) => {
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

it('is set on a phone with a mistake, asked, and warned of', async () => {
  await can(['ussd'])
  const page = await house.open(browser, { name: 'Ada Pop', role: 'admin' }, path(), {
    ...phone,
    // What the cloud alone finds wrong.
    provokes: [/400/],
  })
  const sim = card(page)
  await sim.getByText('no code set').waitFor()
  await sim.getByRole('button', { name: 'Type the code for the balance' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Code for the balance').fill('*21#')
  await dialog.getByLabel('Warn below').fill('five')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('An amount such as 5 or 5.50.').waitFor()
  await dialog.getByLabel('Warn below').fill('5')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('This code may not be sent').waitFor()
  await shoot(page, 'sim-refused-390')
  expect(await dialog.getByLabel('Warn below').inputValue()).toBe('5')
  await dialog.getByLabel('Code for the balance').fill('*100#')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await sim.getByRole('button', { name: 'Ask now' }).click()
  await sim.getByText('Asking…').waitFor()
  await tell({ text: 'Aveti 4.20 EUR pana la 31.12.2026' })
  await sim.getByText('Little is left on the SIM card.').waitFor()
  await sim.getByText('4.20 EUR', { exact: true }).waitFor()
  await shoot(page, 'sim-low-390')
  await expectAccessible(page)
  await sim.getByRole('button', { name: 'Ask now' }).click()
  await tell({ reason: 'no_network' })
  await sim.getByText('The modem had no network.').waitFor()
  await sim.getByText('4.20 EUR', { exact: true }).waitFor()
})

it('is shown in Romanian on a desktop, also where the gateway cannot be asked', async () => {
  await can([])
  const user = { name: 'Ion Pop', role: 'owner', language: 'ro' } as const
  const page = await house.open(browser, user, path(), desktop)
  const sim = card(page)
  await sim.getByText('Se poate întreba după ce gateway-ul s-a anunțat, cu').waitFor()
  expect(await sim.getByRole('button', { name: 'Întreabă acum' }).count()).toBe(0)
  await shoot(page, 'sim-ro-1280')
  await expectAccessible(page)
})
