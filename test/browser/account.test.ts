// The own account in the dashboard, in a real browser: name, language, password, codes of an app, passkeys, and its data.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appCode } from '../api/userRequests.ts'
import { expectAccessible } from './accessibility.ts'
import { type Opening, type Phone, useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, password } from './dashboardHouse.ts'

const browser = useBrowser()
const desktop = { viewport: { width: 1280, height: 800 } }
const newPassword = 'the barrier sings in the rain'
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse({ host: 'localhost' })
})
afterAll(() => house.stop())

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })

const saved = (page: Page) =>
  page.getByRole('region', { name: 'There are changes' }).waitFor({ state: 'detached' })

interface Person extends Phone {
  readonly email: string
  readonly userId: string
  readonly sessionId: string
}

/** A user who signed in a while ago, on the page of their account: protected actions ask for a confirmation. */
async function person(name: string, opening: Opening = desktop): Promise<Person> {
  const phone = await browser.open(house.base, opening)
  const user = await house.addUser(name)
  await house.database.knex('sessions').where({ id: user.sessionId }).update({ confirmedAt: null })
  await house.signIn(phone.context, user)
  await phone.page.goto('/account')
  await atAccount(phone.page)
  return { ...phone, ...user }
}

/** A dialog gets its name from its title a moment after it appears. */
const named = (page: Page) => page.getByRole('dialog', { name: /./ }).waitFor()

const confirmBy = async (page: Page, typed: string) => {
  await field(page, 'Your password').fill(typed)
  await press(page, 'Confirm')
}

async function signIn(page: Page, email: string, typed: string): Promise<void> {
  await field(page, 'E-mail').fill(email)
  await field(page, 'Password').fill(typed)
  await press(page, 'Sign in')
}

const atAccount = (page: Page) => page.getByRole('heading', { name: 'Your account' }).waitFor()
const atGates = (page: Page) => page.waitForURL(/\/spaces\/space_\w+\/gates$/)

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'You and your settings' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

it('changes the password, and ends the other sessions', async () => {
  const { context, email, page } = await person('Mihai Radu', { ...desktop, provokes: [/40[0-9]/] })
  const other = await browser.open(house.base, { ...desktop, provokes: [/401/] })
  const tab = await context.newPage()
  await tab.goto('/account')
  await other.page.goto('/')
  await signIn(other.page, email, password)
  await atGates(other.page)
  await press(page, 'Change the password')
  await says(page, 'Type your current password.')
  await says(page, 'Type a new password.')
  await field(page, 'Current password').fill('five words and a gate')
  await field(page, 'New password').fill('short')
  await press(page, 'Change the password')
  await says(page, 'At least 15 characters; this one has 5.')
  await field(page, 'New password').fill(`${email}${email}`)
  await press(page, 'Change the password')
  await says(page, 'This is not your current password.')
  await field(page, 'Current password').fill(password)
  await press(page, 'Change the password')
  await says(page, 'This password is easy to guess')
  await expectAccessible(page)
  await field(page, 'New password').fill(newPassword)
  await press(page, 'Change the password')
  await says(page, 'The password is changed.')
  await expectAccessible(page)
  // The dialog may already be there, over the link, because the stream of events has ended too.
  await other.page.locator('a', { hasText: 'Members' }).first().dispatchEvent('click')
  await says(other.page, 'Your session has ended')
  // This tab and another tab of this browser continue with the new session.
  for (const [one, name] of [
    [page, 'Mihai R.'],
    [tab, 'M. Radu'],
  ] as const) {
    await field(one, 'Name').fill(name)
    await press(one, 'Save')
    await saved(one)
  }
  await signOut(page)
  await signIn(page, email, newPassword)
  await atAccount(page)
})

it('sets up codes of an app, shows the recovery codes once, and removes the codes', async () => {
  const { email, page } = await person('Kovács Péter', { ...desktop, provokes: [/40[0-9]/] })
  const dialog = page.getByRole('dialog')
  await press(page, 'Set up')
  await dialog.getByText('Confirm that it is you').waitFor()
  await press(page, 'Cancel')
  await press(page, 'Set up')
  await confirmBy(page, password)
  await dialog.getByRole('img', { name: 'QR code' }).waitFor()
  await expectAccessible(page)
  const secret = (await dialog.getByText(/^[A-Z2-7]{4} /).textContent())?.replaceAll(' ', '') ?? ''
  await press(page, 'Turn on')
  await says(page, 'Type the six digits')
  await field(page, 'Code from the app').fill('000 000')
  await press(page, 'Turn on')
  await says(page, 'This is not the code')
  await field(page, 'Code from the app').fill(appCode(secret, Date.now()))
  await press(page, 'Turn on')
  await says(page, 'Your recovery codes')
  await page.keyboard.press('Escape')
  const codes = await dialog.getByRole('list').getByRole('listitem').allTextContents()
  expect(new Set(codes).size).toBe(10)
  await expectAccessible(page)
  await page.emulateMedia({ media: 'print' })
  expect(await dialog.getByText(`Callgate recovery codes of ${email}`).isVisible()).toBe(true)
  expect(await page.getByText('Sessions', { exact: true }).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })
  await dialog.getByLabel('I have stored them').check()
  await press(page, 'Done')
  await says(page, '10 recovery codes are left.')
  await says(page, 'At least 8 characters.')
  expect(await page.content()).not.toContain(codes[0])

  await signOut(page)
  await signIn(page, email, password)
  await field(page, 'Code').fill(codes[0] ?? '')
  await press(page, 'Sign in')
  await says(page, '9 recovery codes are left.')
  await press(page, 'New recovery codes')
  await named(page)
  await expectAccessible(page)
  await press(page, 'Make new ones')
  await dialog.getByLabel('I have stored them').check()
  await press(page, 'Done')
  await says(page, '10 recovery codes are left.')
  await press(page, 'Turn off')
  await dialog.getByText('Turn the authenticator app off?').waitFor()
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await page.getByRole('button', { name: 'Set up' }).waitFor()
  await expectAccessible(page)
})

/** A phone or a security key that holds passkeys. Returns a function that sets whether its person can be verified. */
async function authenticator(page: Page): Promise<(isUserVerified: boolean) => Promise<unknown>> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: false,
      automaticPresenceSimulation: true,
    },
  })
  return isUserVerified => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
}

it('adds a passkey, signs in and confirms with it, and removes it', async () => {
  const { page, userId } = await person('Elena Stan', { ...desktop, provokes: [/40[0-9]/] })
  const dialog = page.getByRole('dialog')
  const name = 'Laptop <img src=x onerror=alert(1)>'
  const setVerified = await authenticator(page)
  await says(page, 'No passkey yet.')
  await press(page, 'Add a passkey')
  await press(page, 'Add')
  await says(page, 'Type a name.')
  await expectAccessible(page)
  await field(page, 'Name').last().fill(name)
  await press(page, 'Add')
  await confirmBy(page, password)
  await says(page, 'No passkey was made.')
  expect(await field(page, 'Name').last().inputValue()).toBe(name)
  await setVerified(true)
  await press(page, 'Add')
  const row = page.getByRole('listitem').filter({ hasText: name })
  await row.getByText('never used').waitFor()
  await expectAccessible(page)
  await press(page, 'Add a passkey')
  await field(page, 'Name').last().fill('Again')
  await press(page, 'Add')
  await says(page, 'This device already has a passkey of yours.')
  await press(page, 'Cancel')

  await signOut(page)
  await press(page, 'Sign in with a passkey')
  await atAccount(page)
  await house.database.knex('sessions').where({ userId }).update({ confirmedAt: null })
  await page.goto(`/spaces/${house.space.spaceId}/settings/keys`)
  await press(page, 'Create key')
  await dialog.getByLabel('Name').fill('Reception tablet')
  await dialog.getByLabel('Open gates').check()
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await press(page, 'Use a passkey')
  await dialog.getByText('Reception tablet is ready').waitFor()
  await dialog.getByLabel('I have stored it').check()
  await press(page, 'Done')

  await page.goto('/account')
  await row.getByText(/last used \d+\smin ago/).waitFor()
  await house.database.knex('sessions').where({ userId }).update({ confirmedAt: null })
  await press(page, `Remove ${name}`)
  await named(page)
  await expectAccessible(page)
  await press(page, 'Remove')
  await press(page, 'Use a passkey')
  await says(page, 'No passkey yet.')
  await signOut(page)
  await press(page, 'Sign in with a passkey')
  await says(page, 'This passkey does not work here.')
})

it('reports that passkeys are for another address', async () => {
  const elsewhere = house.base.replace('localhost', '127.0.0.1')
  const { context, page } = await browser.open(elsewhere, desktop)
  const { token } = await house.addUser('Dan Ilie')
  await context.addCookies([{ name: 'sid', value: token, url: elsewhere }])
  await page.goto('/account')
  await press(page, 'Add a passkey')
  await field(page, 'Name').last().fill('Phone')
  await press(page, 'Add')
  await says(page, `and ${new URL(elsewhere).host} is another one.`)
})

it('exports the data of the account after a confirmation', async () => {
  const { email, page, sessionId } = await person('Dana Ionescu', { viewport: { width: 390, height: 844 } })
  const data = page.getByRole('region', { name: 'Your data' })
  await data.getByRole('button', { name: 'Export' }).click()
  await field(page, 'Your password').fill(password)
  const [file] = await Promise.all([page.waitForEvent('download'), press(page, 'Confirm')])
  expect(file.suggestedFilename()).toMatch(/^user_\w+\.json$/)
  const kept = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(kept.user).toMatchObject({ name: 'Dana Ionescu', email })
  expect(kept.sessions).toMatchObject([{ id: sessionId }])
  await expectAccessible(page)
})
