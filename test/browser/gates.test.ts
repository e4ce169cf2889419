// The gates in the dashboard, in a real browser: sign in, open with live progress, edit, and what two people do at once.

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
let barrier: Gate

beforeAll(async () => {
  house = await dashboardHouse()
  // Long enough for a slow browser to be seen opening.
  courtyard = await house.addGate('Courtyard gate', 'neverReports', 5_000)
  barrier = await house.addGate('Yard barrier', 'busy')
})
afterAll(() => house.stop())

/** A page of somebody who is signed in. */
async function signedIn(name: string, path: string, options: object = desktop, given = {}): Promise<Page> {
  await house.beat()
  return house.open(browser, { name, ...given }, path, options)
}

const gatesPath = () => `/spaces/${house.space.spaceId}/gates`
const gatePath = ({ id }: Gate) => `${gatesPath()}/${id}`
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

it('signs in, says what is wrong, and keeps the place', async () => {
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

it('opens a gate with the steps that really happen', async () => {
  const page = await signedIn('Mihai Radu', gatesPath())
  const gate = card(page, 'Courtyard gate')
  const button = gate.getByRole('button')
  const badge = gate.locator('.badge')
  await gate.getByText('Not tried').waitFor()
  await expectAccessible(page)
  // Twice fast is one press.
  await gate.getByRole('button', { name: 'Open Courtyard gate' }).dblclick()
  await gate.getByRole('button', { name: /Calling/ }).waitFor()
  expect(await badge.textContent()).toBe('Calling')
  expect(await button.getAttribute('aria-disabled')).toBe('true')
  await house.report('ringing')
  await gate.getByRole('button', { name: /Ringing/ }).waitFor()
  expect(await badge.textContent()).toBe('Ringing')
  // Loaded again during the call, it is followed on.
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

it('sends nothing offline, and says so', async () => {
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

it('unfolds an opening to what the line said', async () => {
  const page = await signedIn('Mihai Radu', gatePath(courtyard))
  await page.getByRole('button', { name: /Opened.*Mihai Radu|Opened.*You/ }).waitFor()
  await says(page, 'Did it open?')
  await says(page, 'Most likely')
  await expectAccessible(page)
  const all = page.getByRole('link', { name: 'All openings of this gate' })
  expect(await all.getAttribute('href')).toContain(`/history?gate=${courtyard.id}`)
  await page.getByText('Unknown', { exact: true }).click()
  await says(page, 'None of this kind.')
})

it('adds a gate, with a mistake first', async () => {
  const page = await signedIn('Mihai Radu', gatesPath(), { ...desktop, provokes: [/400/] })
  await page.getByRole('button', { name: 'Add gate' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Delivery gate')
  await dialog.getByLabel('Number').fill('0040 722')
  await dialog.getByLabel('Place').click()
  await says(page, 'Too short: 8 to 15 digits.')
  // The focus goes to what is wrong.
  await dialog.getByRole('button', { name: 'Add gate' }).click()
  await expect.poll(() => page.locator(':focus').inputValue()).toBe('0040 722')
  await dialog.getByLabel('Number').fill('112')
  await dialog.getByLabel('Number').fill('0900 123 456')
  await dialog.getByRole('button', { name: 'Add gate' }).click()
  // What only the cloud knows stands at its field, and what was typed is still there.
  await dialog.getByText(/never called/).waitFor()
  const focused = page.locator(':focus')
  await expect.poll(() => focused.inputValue()).toBe('0900 123 456')
  await expectAccessible(page)
  await dialog.getByLabel('Number').fill('0722 654 321')
  await dialog.getByRole('button', { name: 'Add gate' }).click()
  await card(page, 'Delivery gate').waitFor()
  await page.getByLabel('Find a gate').fill('deliv')
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Delivery gate'])
})

it('loses nobody’s change when two people edit one gate', async () => {
  const page = await signedIn('Mihai Radu', gatePath(barrier), { ...desktop, provokes: [/412/] })
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Barrier by Mihai')
  await house.call('PATCH', `/gates/${barrier.id}`, { name: 'Barrier by Ana', location: 'Rear' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await says(page, /The API key Desk changed this gate meanwhile/)
  await says(page, 'Somebody else has set this to “Barrier by Ana”.')
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Barrier by Mihai')
  expect(await dialog.getByLabel('Place').inputValue()).toBe('Rear')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save mine' }).click()
  await page.getByRole('heading', { level: 1, name: 'Barrier by Mihai' }).waitFor()
  const { gate } = await house.call<{ gate: Gate }>('GET', `/gates/${barrier.id}`)
  expect([gate.name, gate.location]).toEqual(['Barrier by Mihai', 'Rear'])
})

it('switches a gate off and on', async () => {
  const page = await signedIn('Mihai Radu', gatePath(barrier))
  const more = page.getByRole('button', { name: 'More' })
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  // The focus goes back to what opened the dialog.
  await page.locator('button:focus', { hasText: 'Edit' }).waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await says(page, /Nobody can open it/)
  await page.keyboard.press('Escape')
  await page.locator('button:focus').and(more).waitFor()
  await more.click()
  await page.getByRole('menuitem', { name: 'Switch off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('Switched off').waitFor()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('button', { name: 'More' }).waitFor()
})

it('says of every gate that nobody has measured it, also where the badge says something else', async () => {
  const cellar = await house.addGate('Cellar gate')
  const page = await signedIn('Ilinca Radu', gatesPath())
  await card(page, 'Cellar gate').getByText('· not measured').waitFor()
  await house.call('PATCH', `/gates/${cellar.id}/profile`, { mode: 'unverified' })
  await card(page, 'Cellar gate').getByText('Not calibrated').waitFor()
  await house.call('PATCH', `/gates/${cellar.id}`, { isActive: false })
  await card(page, 'Cellar gate').getByText('Switched off').waitFor()
  await card(page, 'Cellar gate').getByText('· not calibrated').waitFor()
  await card(page, 'Courtyard gate').getByRole('link', { name: 'Courtyard gate' }).click()
  await page.getByText('Nobody has measured it, so an opening is assumed at best.').waitFor()
  await expectAccessible(page)
})

it('asks to sign in again over what is typed when the session has ended elsewhere', async () => {
  const page = await signedIn('Ion Marin', gatePath(courtyard), { ...desktop, provokes: [/401/] })
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: /Edit/ })
  await form.getByLabel('Note').fill('Behind the garages')
  await house.database.knex('sessions').delete()
  // The dialog may be there already: the stream of events has ended too.
  await form.getByRole('button', { name: 'Save' }).dispatchEvent('click')
  await says(page, 'Your session has ended')
  await expectAccessible(page)
  const again = page.getByRole('dialog', { name: 'Your session has ended' })
  await again.getByLabel('Password', { exact: true }).fill(password)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await again.waitFor({ state: 'detached' })
  expect(await form.getByLabel('Note').inputValue()).toBe('Behind the garages')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  const { gate } = await house.call<{ gate: Gate }>('GET', `/gates/${courtyard.id}`)
  expect(gate.description).toBe('Behind the garages')
})

it('says which gateway would call, and lets it be changed', async () => {
  const page = await signedIn('Mihai Radu', gatePath(courtyard))
  await says(page, 'Would call now')
  const may = page.getByRole('switch', { name: 'Attic may call this gate' })
  await may.focus()
  await page.keyboard.press('Space')
  await says(page, 'May not call this gate')
  await expect.poll(() => may.isChecked()).toBe(false)
  await expectAccessible(page)
  const callers = () =>
    house.database
      .knex('gates')
      .where({ id: courtyard.id })
      .first('callers')
      .then(row => JSON.parse(row.callers))
  // The gate was seen to open for it above.
  expect(await callers()).toEqual({ [house.space.gatewayId]: { mayCall: false, numberKnown: 'yes' } })
  await may.focus()
  await page.keyboard.press('Space')
  await says(page, 'Would call now')
  const known = page.getByRole('combobox', { name: 'Whether the number of Attic is known here' })
  await known.selectOption('no')
  await says(page, 'Its number is not known here: it does not call')
  await known.selectOption('unknown')
  await says(page, 'Would call now')
  expect(await callers()).toEqual({ [house.space.gatewayId]: { mayCall: true, numberKnown: 'unknown' } })
})

it('keeps what is set of a gateway where the change does not arrive, and says so', async () => {
  const page = await signedIn('Mihai Radu', gatePath(courtyard), { ...desktop, provokes: [/ERR_FAILED/] })
  const may = page.getByRole('switch', { name: 'Attic may call this gate' })
  await may.waitFor()
  await page.route('**/callers', route =>
    route.request().method() === 'PATCH' ? route.abort() : route.continue(),
  )
  await may.focus()
  await page.keyboard.press('Space')
  await says(page, 'No answer came. Look again whether it is saved.')
  expect(await may.isChecked()).toBe(true)
  await expectAccessible(page)
})

it('fits a phone, and speaks Romanian', async () => {
  const page = await signedIn('Mihai Radu', gatesPath(), {}, { language: 'ro' })
  await page.getByRole('heading', { level: 1, name: 'Porți' }).waitFor()
  await card(page, 'Courtyard gate').waitFor()
  await expectAccessible(page)
  await card(page, 'Courtyard gate').getByRole('link').first().click()
  await page.getByRole('heading', { level: 1, name: 'Courtyard gate' }).waitFor()
  await page.getByRole('heading', { level: 2, name: 'Gateway-uri' }).waitFor()
  await page.getByRole('switch', { name: 'Attic are voie să sune această poartă' }).waitFor()
  await expectAccessible(page)
  const wider = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(wider).toBe(0)
  expect(await page.evaluate('document.documentElement.lang')).toBe('ro')
})

it('marks a gateway that is away in the bar of a phone, and moves no name by that', async () => {
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
  const mark = bar.locator('.rail-alarm')
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

it('shows no page of another Space', async () => {
  const page = await signedIn('Mihai Radu', '/spaces/space_00000000000000000000000000/gates')
  await says(page, 'There is no such page')
})
