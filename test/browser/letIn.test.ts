// Letting the number of a gateway into the module of a gate, in a real browser: the exact message, brand by brand.

import { endTask, openTaskOf } from '@callgate/cloud/task/taskRows'
import { signingKey } from '@callgate/contract/wire/signature'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const world = realWorld({ logLevel: 'silent' })
const phone = { viewport: { width: 390, height: 844 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

it('shows what to send, to which number, and whose manual says so', async () => {
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
  expect(await help.getByLabel('Message to the module').count()).toBe(0)
  await help.getByLabel('Brand of the module').selectOption('King Pigeon RTU5025')
  const message = help.getByLabel('Message to the module')
  expect(await message.inputValue()).toBe('[password]A[place]#0040740000111#')
  // A ligature would make another sign of ]#.
  const ligatures = "getComputedStyle(document.querySelector('.let-in textarea')).fontVariantLigatures"
  expect(await page.evaluate(ligatures)).toBe('none')
  await help.getByText(gate.phoneNumber).waitFor()
  await help.getByText('manual 1.5, section 6.2.0').waitFor()
  // The gateway's version cannot send it.
  await help.getByText('cannot send messages').waitFor()
  const folder = process.env['SHOTS']
  if (folder) await help.screenshot({ path: `${folder}/let-in-390.png` })
  await expectAccessible(page)
  await help.getByLabel('Brand of the module').selectOption('ELDES ESIM120, ESIM320')
  expect(await message.inputValue()).toBe('[password] N:40740000111')
  await help.getByText('only from the phone of an administrator').waitFor()
})

it('lets the gateway send it on a phone, with a mistake, and shows what the module answered', async () => {
  const { gatewayId, spaceId } = house.space
  const gate = await house.addGate('Fence')
  const gateways = house.database.knex('gateways').where({ id: gatewayId })
  await house.beat()
  const modem = { state: 'ready', model: 'SIM800C', operator: 'Orange RO', registration: 'home' }
  const lastBeat = JSON.stringify({ modem, toReport: [], can: ['sms'] })
  const { publicKey } = signingKey(new Uint8Array(32).fill(2))
  await gateways.update({ callerNumber: '+40740000111', lastBeat, publicKey })
  const path = `/spaces/${spaceId}/gates/${gate.id}`
  const page = await house.open(browser, { name: 'Ina Pop', role: 'admin' }, path, phone)
  await page.getByRole('button', { name: 'How to let a number in' }).click()
  const help = page.locator('.let-in')
  await help.getByLabel('Brand of the module').selectOption('RTU5024 (#TEL)')
  await help.getByRole('button', { name: 'Send it from the gateway' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password of the module').fill('864')
  await dialog.getByRole('button', { name: 'Send the message' }).click()
  await dialog.getByText('four digits for most').waitFor()
  await dialog.getByLabel('Place in the list').fill('007')
  await dialog.getByLabel('Password of the module').fill('8642')
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/set-up-dialog-390.png` })
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Send the message' }).click()
  await help.getByText('The message is on its way.').waitFor()
  const row = await openTaskOf(house.database.knex, { spaceId, gatewayId })
  if (!row) throw new Error('nothing is asked')
  const answer = { text: '007:*****111', isWhole: true }
  const told = { taskId: row.id, kind: 'sms', state: 'done', sent: 'yes', answer } as const
  await house.database.write(tx => endTask(tx, world, row, told))
  await help.getByText('The module probably answered: 007:*****111').waitFor()
  if (folder) await help.screenshot({ path: `${folder}/set-up-answer-390.png` })
  await expectAccessible(page)
  // The gateway is asked once more, and restarts.
  await help.getByRole('button', { name: 'Send it from the gateway' }).click()
  await dialog.getByLabel('Place in the list').fill('008')
  await dialog.getByLabel('Password of the module').fill('8642')
  await dialog.getByRole('button', { name: 'Send the message' }).click()
  await help.getByText('The message is on its way.').waitFor()
  const next = await openTaskOf(house.database.knex, { spaceId, gatewayId })
  if (!next) throw new Error('nothing is asked')
  await house.database.write(tx => endTask(tx, world, next, { state: 'not_done', reason: 'restarted' }))
  await help.getByText('Nobody knows whether the message').waitFor()
  await help.getByText('The gateway was restarted.').waitFor()
  if (folder) await help.screenshot({ path: `${folder}/set-up-unknown-390.png` })
})
