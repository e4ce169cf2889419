// Entering the dashboard, in a real browser: an invitation, a forgotten password, a code beside the password, a passkey.

import { createHash } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appCode } from '../api/userRequests.ts'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, password } from './dashboardHouse.ts'

const browser = useBrowser()
const desktop = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 280, height: 700 } }
const newPassword = 'the barrier sings in the rain'
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** The table holds only a hash of the mailed secret, so the test's secret replaces it. */
async function knownToken(table: 'userInvitations' | 'passwordResets', letter: string): Promise<string> {
  const token = letter.repeat(43)
  const tokenHash = createHash('sha256').update(token).digest('hex')
  const newest = await house.database.knex(table).orderBy('createdAt', 'desc').first('id')
  await house.database.knex(table).where({ id: newest.id }).update({ tokenHash })
  return token
}

const asOwner = async (method: string, path: string, body: object, user?: { headers: object }) => {
  const { headers } = user ?? (await house.addUser('Mihai Radu'))
  const answer = await fetch(`${house.base}/app/v1${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status, path).toBeLessThan(300)
  return answer
}

async function invite(email: string, name: string, letter: string): Promise<string> {
  await asOwner('POST', `/spaces/${house.space.spaceId}/invitations`, { email, name, role: 'admin' })
  return `/invitation#${await knownToken('userInvitations', letter)}`
}

it('accepts an invitation with a valid password, once, and shows the Space', async () => {
  const link = await invite('ana.pop@example.com', 'Ana Pop', 'a')
  const { page } = await browser.open(house.base, { ...phone, provokes: [/40[0-9]/] })
  await page.goto(link)
  await says(page, 'You are invited to Casa Lalelelor')
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  await page.getByLabel('New password', { exact: true }).fill('short')
  await press(page, 'Create the account')
  await says(page, /at least 15 characters/)
  expect(await page.getByLabel('Your name').inputValue()).toBe('Ana Pop')
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await press(page, 'Create the account')
  await page.waitForURL(/\/spaces\/space_\w+\/gates$/)
  const other = await browser.open(house.base, { ...desktop, provokes: [/40[0-9]/] })
  await other.page.goto(link)
  await says(other.page, 'This invitation does not work')
  await expectAccessible(other.page)
})

it('sends a link for a forgotten password, and the link sets a new one, once', async () => {
  const { email } = await house.addUser('Elena Stan')
  const { page } = await browser.open(house.base, { ...desktop, provokes: [/40[0-9]/] })
  await page.goto('/')
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Forgotten?' }).click()
  await says(page, 'Forgotten your password?')
  await expectAccessible(page)
  await page.getByLabel('E-mail').fill(email)
  await press(page, 'Send the link')
  await says(page, `If ${email} has an account here`)
  const link = `/password-reset#${await knownToken('passwordResets', 'c')}`
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill(email)
  await press(page, 'Set the password')
  await says(page, /^The password is one of those that are guessed first/)
  await expectAccessible(page)
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await press(page, 'Set the password')
  await says(page, 'The password is set')
  await page.goto(link)
  await page.reload()
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await press(page, 'Set the password')
  await says(page, 'This link does not work')
  await page.goto('/password-reset#cut')
  await page.reload()
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(newPassword)
  await press(page, 'Sign in')
  await page.waitForURL(/\/spaces\/space_\w+\/gates$/)
})

it('asks for a code where there is one, and reports a wrong one', async () => {
  const user = await house.addUser('Kovács Péter')
  const started = await asOwner('POST', '/totp', {}, user)
  const { secret } = (await started.json()) as { secret: string }
  const enabledMs = Date.now()
  await asOwner('POST', '/totp/enable', { code: appCode(secret, enabledMs) }, user)
  const { page } = await browser.open(house.base, { ...desktop, provokes: [/40[0-9]/] })
  await page.goto('/')
  await page.getByLabel('E-mail').fill(user.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await press(page, 'Sign in')
  await page.getByLabel('Code').fill('000000')
  await press(page, 'Sign in')
  await says(page, 'The code is not right')
  await expectAccessible(page)
  // The code of a later step: each counts once, and one step early is allowed.
  await page.getByLabel('Code').fill(appCode(secret, Math.max(Date.now(), enabledMs + 30_000)))
  await press(page, 'Sign in')
  await page.waitForURL(/\/spaces\/space_\w+\/gates$/)
})

it('reports that no passkey was given', async () => {
  const { context, page } = await browser.open(house.base, { ...desktop, provokes: [/401/] })
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await page.goto('/')
  await press(page, 'Sign in with a passkey')
  await says(page, 'No passkey was given.')
})

it('leads back from an unknown address', async () => {
  const { page } = await browser.open(house.base, { provokes: [/404/, /401/], locale: 'ro-RO' })
  await page.goto('/gates')
  await says(page, 'Aici nu este nimic')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Mergeți la pagina de început' }).click()
  await page.waitForURL(`${house.base}/`)
})
