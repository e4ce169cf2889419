// Adding a gateway in the dashboard, in a real browser, with the gateway's real program on the other side.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Enrolled, enrol, readEnrolmentLink } from '@callgate/gateway/enrol/enrol'
import { realWorld } from '@callgate/world/real'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { type Opening, useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, type GivenUser } from './dashboardHouse.ts'

const browser = useBrowser()
const world = realWorld({ logLevel: 'silent' })
const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 390, height: 844 } }
const device = {
  version: '0.1.0',
  model: 'Raspberry Pi 4 Model B Rev 1.5',
  serial: '<b>100000003d1f7c2e</b>',
  imei: '869988030000018',
}
const ada: GivenUser = { name: 'Ada Pop', role: 'admin' }
let house: DashboardHouse
let folder: string

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-enrolment-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = (options: Opening = phone, user = ada) =>
  house.open(browser, user, `/spaces/${house.space.spaceId}/gateways`, options)

/** A gateway that enrols, with its output. */
function gateway(code: string, place = 'own') {
  let show = (_: string) => {}
  const shown = new Promise<string>(resolve => {
    show = resolve
  })
  const end: Promise<Enrolled> = enrol({
    world,
    cloudUrl: house.base,
    code,
    folder: join(folder, place),
    device: async () => ({ device, says: '' }),
    tell: news =>
      news.kind === 'compare' && show(`${news.fingerprint.slice(0, 3)} ${news.fingerprint.slice(3)}`),
    store: async () => ({ ok: true }),
  })
  return { shown, end }
}

const dialogOf = (page: Page) => page.getByRole('dialog')

/** Makes a code for a gateway with this name, and reads it. */
async function makeCode(page: Page, name: string): Promise<string> {
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'Add gateway' }).click()
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  return (await dialog.locator('.enrol-code-text').textContent()) ?? ''
}

it('adds a gateway by a code on a phone: waits for it, compares six digits, admits it, and sees it online', async () => {
  const page = await open()
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'Add gateway' }).click()
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  await dialog.getByText('Type a name.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('Name').fill('Cellar')
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  const code = (await dialog.locator('.enrol-code-text').textContent()) ?? ''
  await dialog.getByText(/^Good for 9:\d\d more\.$/).waitFor()
  await dialog.getByRole('img', { name: /as a QR code/ }).waitFor()
  expect(await dialog.getByLabel('On the Raspberry Pi, type:').inputValue()).toBe(
    `sudo callgate-gateway enrol ${code} --cloud ${house.base}`,
  )
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)

  const { end, shown } = gateway(code)
  expect(await dialog.locator('.enrol-fingerprint').textContent()).toBe(await shown)
  for (const said of [device.serial, device.imei]) await dialog.getByText(said, { exact: true }).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'They are the same: admit it' }).click()
  await dialog.getByText('Cellar is admitted').waitFor()
  await expectAccessible(page)
  const enrolled = await end
  expect(enrolled.ok).toBe(true)
  const { login } = enrolled as { login: { gatewayId: string } }
  await house.gateway.beat(login.gatewayId)
  await dialog.getByText('It is connected.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: /^Cellar Online/ }).waitFor()
})

it('refuses a gateway whose digits differ, from the list of those that wait', async () => {
  const page = await open(desktop)
  const dialog = dialogOf(page)
  const code = await makeCode(page, 'Stolen')
  const thief = gateway(code, 'thief')
  const shown = await thief.shown
  expect(await gateway(code, 'late').end).toMatchObject({ ok: false, code: 'code_used' })
  await dialog.getByText('Is this your gateway?').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  const list = page.getByRole('region', { name: 'Gateways that are being added' })
  await list.getByText('It waits to be confirmed.').waitFor()
  await expectAccessible(page)
  await list.getByRole('button', { name: 'Compare' }).click()
  await dialog.getByText(shown).waitFor()
  await dialog.getByRole('button', { name: 'They differ: refuse it' }).click()
  await dialog.getByText('nothing is left open').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await list.waitFor({ state: 'detached' })
  expect(await thief.end).toMatchObject({ ok: false, code: 'not_confirmed' })
  expect(await page.getByRole('link', { name: /^Stolen/ }).count()).toBe(0)
})

it('gives a file for a card, and cancels its code', async () => {
  const page = await open(desktop)
  const dialog = dialogOf(page)
  await page.getByRole('button', { name: 'Add gateway' }).click()
  await dialog.getByLabel('Name').fill('Far away')
  await dialog.getByLabel(/for the card/).check()
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  await dialog.getByText(/^Good for 23:59:\d\d more\.$/).waitFor()
  const saving = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save callgate-gateway.yaml' }).click()
  const download = await saving
  expect(download.suggestedFilename()).toBe('callgate-gateway.yaml')
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
  expect(Buffer.concat(chunks).toString()).toMatch(
    /\ncloud: http:.*\ncode: [0-9A-Z-]{20}\ncloudKey: [\w-]{43}\n$/,
  )
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Take the code back' }).click()
  await dialog.getByText('Far away was not added').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()
})

it('replaces a gateway, which is revoked when the new one is admitted', async () => {
  const page = await open(desktop)
  const dialog = dialogOf(page)
  const first = gateway(await makeCode(page, 'Old box'), 'old')
  await first.shown
  await dialog.getByRole('button', { name: 'They are the same: admit it' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: /^Old box/ }).click()
  await page.getByRole('button', { name: 'Replace it by another gateway' }).click()
  await dialog.getByText('This one is shut out when the new one is confirmed').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Make a code' }).click()
  const code = (await dialog.locator('.enrol-code-text').textContent()) ?? ''
  const second = gateway(code, 'new')
  await second.shown
  await dialog.getByRole('button', { name: 'They are the same: admit it' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('link', { name: /^Old box Shut out/ }).waitFor()
  await page.getByRole('link', { name: /^Old box (Never heard|Online)/ }).waitFor()
  for (const { end } of [first, second]) expect(await end).toMatchObject({ ok: true })
})

it('leads from the QR code to the command with the key of the cloud, without a session, in Romanian too', async () => {
  // Nobody is signed in.
  const { page } = await browser.open(house.base, { ...phone, provokes: [/401/] })
  const code = '7H2KQM-3XW9TB-R4VN80'
  const link = `${house.base}/enrol#${code}.${'k'.repeat(43)}`
  expect(readEnrolmentLink(link)).toMatchObject({ code, cloudUrl: house.base })
  await page.goto(link)
  const command = `sudo callgate-gateway enrol ${code} --cloud ${house.base} --cloud-key ${'k'.repeat(43)}`
  expect(await page.getByLabel('The command').inputValue()).toBe(command)
  await expectAccessible(page)
  await page.goto(`${house.base}/enrol#x`)
  await page.reload()
  await page.getByText('There is no code in this address.').waitFor()
  const own = await open(phone, { ...ada, language: 'ro' })
  await own.getByRole('button', { name: 'Adaugă gateway' }).click()
  await own.getByRole('dialog').getByLabel('Nume').fill('Pivniță')
  await own.getByRole('dialog').getByRole('button', { name: 'Fă un cod' }).click()
  await own.getByText(/^Mai este bun 9:\d\d\.$/).waitFor()
  await expectAccessible(own)
})
