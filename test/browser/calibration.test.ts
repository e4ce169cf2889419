// The calibration of a gate in a real browser of the size of a phone, as by an installer at the gate.

import { putCalibration, rejectedReport } from '@callgate/cloud/calibration/calibration.kit'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Report } from '@callgate/contract/wire/messages'
import { realWorld } from '@callgate/world/real'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'
import { newestCall } from './newestCall.ts'

const browser = useBrowser()
const phone = { viewport: { width: 390, height: 844 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

async function newGate(name: string): Promise<Gate> {
  const gate = await house.addGate(name)
  // Without a cool-down, so that the next call may come at once.
  await house.call('PATCH', `/gates/${gate.id}/profile`, { mode: 'unverified', coolDownMs: 0 })
  return gate
}

async function openAt(gate: Gate, name = 'Mihai Radu', given: object = {}, more: object = {}): Promise<Page> {
  await house.beat()
  const path = `/spaces/${house.space.spaceId}/gates/${gate.id}`
  return house.open(browser, { name, ...given }, path, { ...phone, ...more })
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

/** The gateway reports the end of the newest call, and the 30 s after it pass. */
async function end(report: Report) {
  const { knex } = house.database
  const id = await newestCall(house.database)
  await house.gateway.report(id, report)
  const completedAt = new Date(Date.now() - 40_000).toISOString()
  await knex('openings').where({ id }).update({ completedAt })
}

async function makeCall(page: Page, report: Report) {
  await button(page, 'Call the gate').click()
  await button(page, 'It moves now').waitFor()
  await end(report)
  await page.getByRole('heading', { name: 'Did the gate move?' }).waitFor()
}

/** Changes how long the gate may take, with three mistakes first. */
async function changeWindow(page: Page) {
  await button(page, 'Change it').click()
  const within = page.getByLabel('Takes the call within (seconds)')
  for (const [typed, text] of [
    ['50', 'Seconds from 0 to 45, such as 2.5.'],
    ['2.5', 'At least one of the test calls took another time.'],
    ['0.5', 'The second time must not be before the first.'],
  ] as const) {
    await within.fill(typed)
    await within.blur()
    await says(page, text)
  }
  await expectAccessible(page)
  // The cloud refuses a profile that would read a test call wrongly.
  await within.fill('2.5')
  await button(page, 'Save').click()
  await says(page, 'With this profile one of the test calls would be read wrongly.')
  await within.fill('9')
}

it('shows first what may spoil the calls at the gateway, and lets them be made', async () => {
  const gate = await newGate('Cellar gate')
  const page = await openAt(gate)
  const { knex } = house.database
  const place = { id: house.space.gatewayId }
  const { lastBeat } = await knex('gateways').where(place).first('lastBeat')
  const { modem, ...beat } = JSON.parse(lastBeat)
  const weak = JSON.stringify({ ...beat, modem: { ...modem, signalDbm: -105 } })
  await knex('gateways').where(place).update({ lastBeat: weak })
  await page.getByRole('link', { name: 'Calibrate' }).click()
  await says(page, 'Look first at Attic.')
  await says(page, 'Its signal is weak. Put the antenna outside, or higher.')
  await expectAccessible(page)
  await button(page, 'Start').click()
  await says(page, 'Test call 1 of 3')
  await says(page, 'Look first at Attic.')
  await button(page, 'Call the gate').waitFor()
  await knex('gateways').where(place).update({ lastBeat })
  await expect.poll(() => page.getByText('Look first at Attic.').count()).toBe(0)
})

it('calibrates a gate on a phone: three calls, three answers, and the saved profile', async () => {
  const gate = await newGate('Courtyard gate')
  const page = await openAt(gate, 'Mihai Radu', {}, { provokes: [/409/] })
  await says(page, 'Nobody has said how it takes a call.')
  await page.getByRole('link', { name: 'Calibrate' }).click()
  await says(page, 'A real gate will move.')
  await expectAccessible(page)
  await button(page, 'Start').click()
  await says(page, 'Test call 1 of 3')
  await expectAccessible(page)
  await button(page, 'Call the gate').click()
  await button(page, 'It moves now').waitFor()
  await expectAccessible(page)
  await button(page, 'It moves now').click()
  await button(page, /^Moved after \d+ s$/).waitFor()
  // After a reload during the call, it continues.
  await page.reload()
  await says(page, 'Let it end by itself.')
  await end(rejectedReport(2_000))
  await button(page, 'It moved').click()
  await page.getByLabel('After how many seconds?').fill('soon')
  await button(page, 'Next').click()
  await says(page, 'A whole number from 0 to 120, or empty.')
  await expectAccessible(page)
  await page.getByLabel('After how many seconds?').fill('8')
  await button(page, 'Next').click()
  await says(page, 'Rejected after 2.0 s of ringing')
  await says(page, 'Test call 2 of 3')
  await makeCall(page, rejectedReport(3_000))
  await button(page, 'It stood still').click()
  await says(page, 'stood still')
  await makeCall(page, rejectedReport(2_500))
  await button(page, 'It moved').click()
  await button(page, 'Next').click()
  await says(page, 'The gate moved after some calls only.')
  await expectAccessible(page)
  // A mistake in the second answer is corrected.
  await button(page, 'Change what you saw after call 2').click()
  await button(page, 'It moved').click()
  await button(page, 'Next').click()
  await says(page, 'Rejects the call, and opens.')
  await says(page, 'It does so after it has rung for 1.0 s to 7.5 s.')
  await expectAccessible(page)
  await changeWindow(page)
  await page.getByLabel('Another press joins for (seconds)').fill('20')
  await button(page, 'Save').click()
  await says(page, 'Saved. The gate is calibrated.')
  await page.getByRole('link', { name: 'To the gate' }).click()
  await says(page, /^Measured on .*, by SIM800C · Orange RO\./)
  const { calibration, profile } = await house.call<{ calibration: string; profile: object }>(
    'GET',
    `/gates/${gate.id}/profile`,
  )
  expect(calibration).toBe('measured')
  expect(profile).toMatchObject({
    mode: 'reject',
    reactMinMs: 1_000,
    reactMaxMs: 9_000,
    coolDownMs: 20_000,
    discriminating: true,
  })
  await expectAccessible(page)
})

it('leads from a gate that never moved to the message that adds the number to its module', async () => {
  const gate = await newGate('Field gate')
  const { gatewayId, spaceId } = house.space
  await house.database.knex('gateways').where({ id: gatewayId }).update({ callerNumber: '+40740000111' })
  const parts = { database: house.database, world: realWorld({ logLevel: 'silent' }) }
  const stood = { hasMoved: false, afterS: null }
  await putCalibration(parts, { spaceId, gateId: gate.id, gatewayId }, [2_000, 3_000, 2_500], stood)
  const page = await openAt(gate)
  await page.getByRole('link', { name: 'Calibrate' }).click()
  await says(page, 'The gate never moved.')
  await expectAccessible(page)
  await page.getByRole('link', { name: 'How to let a number in' }).click()
  await page.getByLabel('Brand of the module').waitFor()
  const top = () => page.locator('.callers').evaluate(card => card.getBoundingClientRect().top)
  // At the top of the window, below the bar.
  await expect.poll(top).toBeLessThan(300)
  expect(await top()).toBeGreaterThan(40)
})
