// The gates in the dashboard, in a real browser: sign in, open with live progress, edit, and two people at once.

import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beatBody } from '../api/scriptedGateway.ts'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, password } from './dashboardHouse.ts'

const assets = fileURLToPath(new URL('../../packages/web/dist/assets/', import.meta.url))
const browser = useBrowser()
const desktop = { viewport: { width: 1280, height: 800 } }
let house: DashboardHouse
let courtyard: Gate

beforeAll(async () => {
  house = await dashboardHouse()
  // Long enough for the opening to be seen in a slow browser.
  courtyard = await house.addGate('Courtyard gate', 'neverReports', 5_000)
  await house.addGate('Yard barrier', 'busy')
})
afterAll(() => house.stop())

/** A page of a signed-in user. */
async function signedIn(name: string, path: string, options: object = desktop, given = {}): Promise<Page> {
  await house.beat()
  return house.open(browser, { name, ...given }, path, options)
}

const gatesPath = () => `/spaces/${house.space.spaceId}/gates`
const gatePath = ({ id }: Gate) => `${gatesPath()}/${id}`
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

it('signs in, reports what is wrong, and keeps the address', async () => {
  const { page } = await browser.open(house.base, { ...desktop, provokes: [/401/] })
  const { email } = await house.addUser('Mihai Radu')
  await page.goto(gatePath(courtyard))
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await says(page, 'Type your e-mail address.')
  await expectAccessible(page)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('another password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await says(page, 'The e-mail or the password is not right.')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Courtyard gate' }).waitFor()
  expect(new URL(page.url()).pathname).toBe(gatePath(courtyard))
  await page.getByRole('button', { name: /Mihai Radu/ }).click()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await page.locator('[data-mantine-color-scheme="dark"]').waitFor()
  await page.getByRole('menuitemradio', { name: 'Dark', checked: true }).waitFor()
  await expectAccessible(page)
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()
})

it('opens a gate and shows the steps that really happen', async () => {
  const page = await signedIn('Mihai Radu', gatesPath())
  const gate = card(page, 'Courtyard gate')
  const button = gate.locator('button.open')
  const badge = gate.locator('.badge')
  await gate.getByText('Not tried').waitFor()
  await expectAccessible(page)
  // Two quick presses count as one.
  await gate.getByRole('button', { name: 'Open Courtyard gate' }).dblclick()
  await gate.getByRole('button', { name: /Calling/ }).waitFor()
  expect(await badge.textContent()).toBe('Calling')
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await house.report('ringing')
  await gate.getByRole('button', { name: /Ringing/ }).waitFor()
  expect(await badge.textContent()).toBe('Ringing')
  // After a reload during the call, it is still followed.
  await page.reload()
  await gate.getByRole('button', { name: /Ringing/ }).waitFor()
  await house.report('opened')
  await gate.getByRole('button', { name: /Opening/ }).waitFor()
  await gate.getByText('Ready', { exact: true }).waitFor()
  await gate.getByText('The gate took the call').waitFor()
  await gate.getByRole('button', { name: 'Open Courtyard gate' }).waitFor()
  expect(house.gateway.calls.length).toBe(1)

  // The gate is busy: pressing again is safe.
  const busy = card(page, 'Yard barrier')
  await busy.getByRole('button', { name: 'Open Yard barrier' }).click()
  await busy.getByRole('button', { name: /Busy.*Press again/ }).waitFor()
  await expectAccessible(page)
})

it('sends nothing offline, and reports it', async () => {
  const page = await signedIn('Mihai Radu', gatesPath(), { ...desktop, provokes: [/INTERNET_DISCONNECTED/] })
  const before = house.gateway.calls.length
  const gate = card(page, 'Courtyard gate')
  await gate.getByRole('button', { name: 'Open Courtyard gate' }).waitFor()
  await page.context().setOffline(true)
  await says(page, /Offline since/)
  await gate.getByRole('button', { name: 'You are offline: nothing is sent' }).click({ force: true })
  await page.context().setOffline(false)
  await gate.getByRole('button', { name: 'Open Courtyard gate' }).waitFor()
  expect(house.gateway.calls.length).toBe(before)
})

it('fits a phone, and speaks Romanian', async () => {
  const page = await signedIn('Mihai Radu', gatesPath(), {}, { language: 'ro' })
  await page.getByRole('heading', { level: 1, name: 'Porți' }).waitFor()
  await card(page, 'Courtyard gate').waitFor()
  await expectAccessible(page)
  await card(page, 'Courtyard gate').getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: 'Courtyard gate' }).waitFor()
  await page.getByRole('heading', { level: 2, name: /^Gateway-\u2060?uri$/ }).waitFor()
  const gateway = page.getByRole('button', { name: /Attic/ })
  await gateway.waitFor()
  await expectAccessible(page)
  const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
  expect(await page.evaluate(wider)).toBe(0)
  await gateway.click()
  await page.getByRole('switch', { name: 'Attic are voie să sune această poartă' }).waitFor()
  await expectAccessible(page)
  expect(await page.evaluate(wider)).toBe(0)
  expect(await page.evaluate('document.documentElement.lang')).toBe('ro')
})

it('marks an offline gateway in the bar of a phone, without moving any name', async () => {
  const at = new Date(Date.now() - 600_000).toISOString()
  const away = {
    id: 'gw_away',
    spaceId: house.space.spaceId,
    name: 'Shed',
    publicKey: 's',
    passwordHash: 'p',
  }
  const heard = { createdAt: at, lastBeatAt: at, lastBeat: JSON.stringify(beatBody) }
  await house.database.knex('gateways').insert({ ...away, ...heard })
  const phone = { viewport: { width: 390, height: 844 } }
  const page = await house.open(browser, { name: 'Ion Marin' }, gatesPath(), phone)
  const bar = page.locator('.tab-bar')
  const mark = bar.locator('a[href$="/gateways"] .rail-alarm')
  await mark.waitFor()
  expect(await mark.boundingBox()).toMatchObject({ width: 9, height: 9 })
  const tops = await bar
    .locator('a > span:nth-of-type(1)')
    .evaluateAll(names => names.map(name => name.getBoundingClientRect().top))
  expect([tops.length, new Set(tops).size]).toEqual([5, 1])
  await house.database.knex('gateways').where({ id: away.id }).delete()
})

it('loads at most 250 KB at first, fonts apart', async () => {
  const page = await signedIn('Mihai Radu', gatesPath())
  await card(page, 'Courtyard gate').waitFor()
  const loaded = await page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`)
  const names = (loaded as string[]).flatMap(name => /\/assets\/([\w-]+\.(?:js|css))$/.exec(name)?.[1] ?? [])
  const sizes = names.map(name => {
    const path = `${assets}${name}`
    return statSync(existsSync(`${path}.gz`) ? `${path}.gz` : path).size
  })
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  expect(names.length).toBeGreaterThan(3)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes, `gzipped bytes of ${names.join(', ')}`).toBeLessThan(250_000)
})
