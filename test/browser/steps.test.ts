// The first steps of a Space in a browser, and typed text in the dashboard: leaving does not lose it, and two people who change
// one thing learn of each other.

import { generateKeyPairSync } from 'node:crypto'
import { recordEvents } from '@callgate/cloud/event/events'
import { newUser } from '@callgate/cloud/user/user.kit'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { beatBody, numberOf } from '../api/scriptedGateway.ts'
import { expectAccessible } from './accessibility.ts'
import { type Opening, useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const desktop = { viewport: { width: 1280, height: 800 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

const pathOf = (part: string) => `/spaces/${house.space.spaceId}/${part}`

/** A page of a signed-in owner. */
const signedIn = (path: string, options: Opening = desktop) =>
  house.open(browser, { name: 'Mihai Radu' }, path, options)

/** An empty Space, and a page of its owner. */
async function emptySpace() {
  const { knex } = house.database
  const tenant = await house.addSpace()
  const { gatewayId, key, spaceId } = tenant
  await knex('gateways').where({ id: gatewayId }).delete()
  const world = realWorld({ logLevel: 'silent' })
  const owner = await newUser(
    { database: house.database, world },
    { email: 'first@example.com', name: 'Mihai Radu', spaceId },
  )
  const { context, page } = await browser.open(house.base, desktop)
  await house.signIn(context, owner)
  return {
    page,
    /** The gateway of the Space is heard for the first time; the scripted gateway represents it. */
    async hear() {
      const at = isoTime(world.nowMs())
      const beat = { lastBeat: JSON.stringify(beatBody), lastBeatAt: at, onlineSince: at }
      await knex('gateways')
        .where({ spaceId })
        .update({ id: gatewayId, ...beat })
      await house.database.write(tx =>
        recordEvents(tx, spaceId, [{ kind: 'gateway.online', targetId: gatewayId, atMs: world.nowMs() }]),
      )
    },
    /** Another person adds it. */
    async post(path: string, body: object) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const answer = await fetch(`${house.base}/api/v1${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(201)
    },
  }
}

it('leads from nothing to the first opening, ticked by what happens', async () => {
  const { hear, page, post } = await emptySpace()
  const step = (title: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const dialog = page.getByRole('dialog')
  await page.goto('/')
  await page.getByRole('heading', { name: 'A gate opens because it is called' }).waitFor()
  await page.getByRole('link', { name: 'Connect a gateway' }).click()
  await page.getByText('1 of 6 done.').waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Connect a gateway' }).click()
  await dialog.getByRole('button', { name: 'Add it by its public key instead' }).click()
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  await dialog.getByLabel('Public key').fill(x)
  await dialog.getByLabel('Name').fill('Workshop')
  await dialog.getByRole('button', { name: 'Add gateway' }).click()
  await dialog.getByLabel('I have stored the configuration').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  // Added but not heard: the step is not done.
  await page.getByText('Workshop was added, and was not heard yet.').waitFor()
  await page.getByText('1 of 6 done.').waitFor()

  // The actions of another person or of the gateway tick a step by themselves.
  await post('/gates', { name: 'Main barrier', phoneNumber: numberOf('opens', 900) })
  await hear()
  await step('Gate').getByText('Main barrier').waitFor()
  await step('Gateway').getByText('Workshop is online and registered').waitFor()
  await page.getByText('3 of 6 done.').waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 280, height: 700 })
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  await page.setViewportSize(desktop.viewport)

  await page.getByRole('button', { name: 'Type the number' }).click()
  await dialog.getByLabel('Caller number').fill('0740 000 333')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await step('The number to allow').getByText('+40740000333').waitFor()
  await step('The number to allow').getByRole('link', { name: 'How to let a number in' }).click()
  await page.getByLabel('Brand of the module').waitFor()
  await page.goBack()
  await step('Make the first call').getByRole('button', { name: 'Open Main barrier' }).click()
  await page.getByText('5 of 6 done.').waitFor()
  expect(await page.getByText('Before the first call').count()).toBe(0)
  expect(await step('The number to allow').getByRole('link').count()).toBe(0)
  // It opened, with unknown certainty.
  await step('Make the first call')
    .getByText('It is not measured yet how Main barrier takes a call')
    .waitFor()
  await step('Make the first call').getByRole('link', { name: 'Calibrate' }).waitFor()

  await page.getByRole('link', { name: 'Gates' }).click()
  await page.getByText('5 of 6 first steps are done.').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go on', exact: true }).click()
  await post('/members', { name: 'Ana Pop', phone: '+40722000111', accesses: [] })
  await step('Give somebody a link').getByText('Ana Pop has a link').waitFor()
  await page.getByText('All is done.').waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'To the gates' }).click()
  await page.getByRole('heading', { name: 'Main barrier' }).waitFor()
  await expect.poll(() => page.getByText('first steps are done').count()).toBe(0)
})

it('asks before typed text is lost, by the back button, a link or closing', async () => {
  const gate = await house.addGate('Courtyard gate')
  const page = await signedIn(pathOf('gates'))
  await page.getByRole('link', { name: 'Courtyard gate' }).click()
  const question = page.getByRole('dialog', { name: 'There are changes that are not saved.' })
  async function press(name: string) {
    await question.getByRole('button', { name, exact: true }).click()
    // A key that is pressed earlier would go to the question.
    await question.waitFor({ state: 'hidden' })
  }

  // The form of a gate, in a dialog.
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Courtyard gate' })
  await form.getByLabel('Note').fill('Behind the garages')
  await page.goBack()
  await expectAccessible(page)
  await press('Cancel')
  await page.keyboard.press('Escape')
  await press('Cancel')
  expect(await form.getByLabel('Note').inputValue()).toBe('Behind the garages')
  expect(new URL(page.url()).pathname).toBe(pathOf(`gates/${gate.id}`))
  await page.goBack()
  await press('Discard')
  await page.getByRole('heading', { level: 1, name: 'Gates' }).waitFor()

  // The settings of the Space, with a bar to save them. Saved text causes no question.
  await page.getByRole('link', { name: 'Settings' }).click()
  const name = page.getByLabel('Name', { exact: true }).first()
  await name.fill('Casa Verde')
  await page.getByRole('link', { name: 'Members' }).click()
  await press('Cancel')
  expect(await name.inputValue()).toBe('Casa Verde')
  await page.getByRole('button', { name: 'Save' }).click()
  // While it saves, its button has another name.
  await page
    .getByRole('region', { name: 'There are changes that are not saved.' })
    .waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Gates' }).waitFor()

  // A new member: an untouched form causes no question.
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('link', { name: 'Add member' }).first().click()
  await page.getByRole('link', { name: 'History' }).click()
  await page.goBack()
  await page.getByLabel('Name').fill('Ana Pop')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const closing = await asked
  expect(closing.type()).toBe('beforeunload')
  await closing.dismiss()
  await page.goBack()
  await press('Discard')
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
})
