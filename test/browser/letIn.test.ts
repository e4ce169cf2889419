// Adding the number of a gateway to the module of a gate, in a real browser: the exact message, brand by brand, and the way to it.

import { putCalibration } from '@callgate/cloud/calibration/calibration.kit'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const phone = { viewport: { width: 390, height: 844 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

it('shows what to send, to which number, and by whose manual', async () => {
  const { gatewayId, spaceId } = house.space
  const gate = await house.addGate('Barrier')
  const path = `/spaces/${spaceId}/gates/${gate.id}`
  const without = await house.open(browser, { name: 'Ada Pop', role: 'admin' }, path, phone)
  await without.getByText('number not typed yet').waitFor()
  expect(await without.getByText('How to let a number in').count()).toBe(0)
  await house.database.knex('gateways').where({ id: gatewayId }).update({ callerNumber: '+40740000111' })
  const page = await house.open(browser, { name: 'Ana Pop', role: 'admin' }, path, phone)
  await page.getByRole('button', { name: 'How to let a number in' }).click()
  const help = page.locator('.let-in')
  expect(await help.getByRole('note').count()).toBe(0)
  await help.getByLabel('Module', { exact: true }).selectOption('King Pigeon RTU5025')
  const message = help.getByRole('note', { name: 'Message to the module' })
  expect(await message.textContent()).toBe('[password]A[place]#0040740000111#')
  // A ligature would turn ]# into another sign.
  const ligatures = "getComputedStyle(document.querySelector('.let-in-bubble')).fontVariantLigatures"
  expect(await page.evaluate(ligatures)).toBe('none')
  const grouped = gate.phoneNumber.replace(/^\+40(...)(...)(...)$/, '+40 $1 $2 $3')
  await help.getByText(grouped).waitFor()
  await help.getByText('manual 1.5, section 6.2.0').waitFor()
  // The gateway's version does not support sending it.
  await help.getByText('cannot send messages').waitFor()
  const folder = process.env['SHOTS']
  if (folder) await help.screenshot({ path: `${folder}/let-in-390.png` })
  await expectAccessible(page)
  await help.getByLabel('Module', { exact: true }).selectOption('ELDES ESIM120, ESIM320')
  expect(await message.textContent()).toBe('[password] N:40740000111')
  await help.getByText('only from the phone of an administrator').waitFor()
})

it('leads from a gate that never moved to the message that adds the number to its module', async () => {
  const gate = await house.addGate('Field gate')
  await house.beat()
  const { gatewayId, spaceId } = house.space
  await house.database.knex('gateways').where({ id: gatewayId }).update({ callerNumber: '+40740000111' })
  const parts = { database: house.database, world: realWorld({ logLevel: 'silent' }) }
  const stood = { hasMoved: false, afterS: null }
  await putCalibration(parts, { spaceId, gateId: gate.id, gatewayId }, [2_000, 3_000, 2_500], stood)
  const path = `/spaces/${spaceId}/gates/${gate.id}`
  const page = await house.open(browser, { name: 'Mihai Radu' }, path, phone)
  await page.getByRole('link', { name: 'Calibrate' }).click()
  await page.getByText('The gate never moved.').first().waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'How to let a number in' }).click()
  await page.getByLabel('Module', { exact: true }).waitFor()
  const top = () => page.locator('.callers').evaluate(card => card.getBoundingClientRect().top)
  // At the top of the window, below the bar.
  await expect.poll(top).toBeLessThan(300)
  expect(await top()).toBeGreaterThan(40)
})
