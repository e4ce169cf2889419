// The records in a browser: gateways over time, the history and the activity, as an owner uses them.

import { readFile } from 'node:fs/promises'
import { newUser } from '@callgate/cloud/user/user.kit'
import { idPrefix } from '@callgate/contract/idPrefix'
import { newId } from '@callgate/world/ids'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { beat, openDashboard, type Records, serveRecords } from './records.ts'

const browser = useBrowser()
let records: Records

beforeAll(async () => {
  records = await serveRecords()
})
afterAll(() => records.cloud.stop())

/** The path of a page in the Space. */
const pathOf = (path: string) => `/spaces/${records.tenant.spaceId}/${path}`

/** The page is no wider than its window. */
async function expectNoSideways(page: Page) {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

it('shows the history of a gateway, in pictures and in words', async () => {
  await beat(records)
  const { page } = await openDashboard(browser, records)
  await page.goto(pathOf('gateways'))
  await page.getByText('Attic is online, with one thing to see to. Yard cabinet is offline.').waitFor()
  // The dot in the rail has a text as well.
  await page.getByRole('link', { name: 'Gateways A gateway is offline' }).waitFor()
  const chart = (name: RegExp) => page.getByRole('img', { name }).waitFor()
  await chart(
    /^Online: Online 98.2 % of the time; one gap, 26 min\. Not heard from 19 March, 18:20 to 19 March, 18:46\.$/,
  )
  await chart(/^Network: Registration: Home network 97.2 %, Searching 2.8 %\.$/)
  await chart(/^Signal: Signal between −92 dBm and −6\d dBm; the last one /)
  await chart(/^Supply: Supply between 3.43 V and 4.0\d V\. Below 3.5 V: 3.43 V, 13:05\.$/)
  await chart(/^Calls: 2 ended well, 2 did not open, 1 is unknown$/)
  await page.getByText('It fell to 3.43 V at 13:05. Use a supply of 2 A').waitFor()
  await page.getByRole('button', { name: '13:05 Delivery gate Unknown' }).click()
  await page.getByText('Did it open?').waitFor()
  await expectAccessible(page)
  await page.getByText('7 days', { exact: true }).click()
  await page.waitForURL(/range=7d/)
  await page.reload()
  await page.getByText('Online, 7 days').waitFor()
  await page.setViewportSize({ width: 280, height: 700 })
  await expectNoSideways(page)
  await page.getByRole('link', { name: 'Yard cabinet' }).click()
  await page.getByText('Last heard 13:58.').last().waitFor()
  await expectNoSideways(page)
  await expectAccessible(page)
})

/** Additional presses on one day, so that the list has another page. */
async function addPresses(presses: number) {
  const { knex } = records.cloud.database
  const { class: _, ...row } = await knex('openings').where({ class: 'opened' }).first()
  const copies = Array.from({ length: presses }, () => ({
    ...row,
    id: newId(records.world, idPrefix.opening),
    calledAt: '2026-03-15T10:00:00.000Z',
  }))
  await knex('openings').insert(copies)
}

it('shows every press, its result and the advice', async () => {
  const { page } = await openDashboard(browser, records)
  await page.goto(pathOf('history'))
  const chart =
    /^Presses by day: 16 in 30 days, 11 opened, 3 did not open, 1 unknown, 1 denied\. Most on 20 March: 6\.$/
  await page.getByRole('img', { name: chart }).waitFor()
  await page.getByRole('rowheader', { name: 'Today, Friday 20 March' }).waitFor()
  const row = (name: RegExp) => page.getByRole('row', { name })
  await row(
    /^14:30 Courtyard gate Not called No gateway was online Reception desk API key Look at the gateway$/,
  ).waitFor()
  await row(/^14:29 Yard barrier Denied The gate is switched off .* Switch the gate on$/).waitFor()
  await row(/^11:52 Delivery gate .* · 35 s Mihai Radu dashboard The same cause$/).waitFor()
  await page.getByRole('button', { name: /^Unknown The modem stopped/ }).click()
  await page.getByText('Did it open?').waitFor()
  await page.setViewportSize({ width: 280, height: 700 })
  await expectNoSideways(page)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 900 })
  const address = row(/^13:05/).getByRole('link', { name: 'Check the power' })
  expect(await address.getAttribute('href')).toBe(pathOf(`gateways/${records.tenant.gatewayId}`))
  // The newest press, as if the line had been busy: the advice is that of the API.
  await page.route(/\/history\?(?!range)/, async route => {
    const response = await route.fetch()
    const { openings, ...rest } = await response.json()
    const busy = { class: 'did_not_open', reason: 'busy', safeToRetry: true }
    await route.fulfill({ response, json: { ...rest, openings: [{ ...openings[0], ...busy }] } })
  })
  await page.reload()
  await row(/^14:30 .* The line was busy .* Press again in about 10 s$/).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

it('saves the proof of a press, and stores what was seen of the gate', async () => {
  const { page } = await openDashboard(browser, records, {
    provokes: [/failed: net::ERR_FAILED/, /console: Failed to load/],
  })
  await page.goto(pathOf(`gates/${records.gateIds.delivery}`))
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Proof' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^callgate-open_\w+\.json$/)
  // The tests of the command check a proof of a real gateway.
  const proof = JSON.parse(await readFile(await file.path(), 'utf8'))
  expect(proof.kind).toBe('callgate-proof-1')
  expect(JSON.parse(proof.body).opening.gateName).toBe('Delivery gate')
  await page.getByText('callgate proof verify FILE says whether it holds').waitFor()

  const moving = page.getByRole('button', { name: 'It is open, or moving' })
  await page.route('**/observation', route => route.abort())
  await moving.click()
  await page.getByText('Not noted. Press again.').waitFor()
  await page.unroute('**/observation')
  await moving.click()
  await page.getByText('Noted with the opening.').waitFor()
  await page.getByRole('button', { name: /^13:05 Unknown.* seen open, or moving/ }).waitFor()
  expect(await moving.getAttribute('aria-pressed')).toBe('true')
  await expectAccessible(page)
  await page.goto(pathOf('history'))
  await page.getByRole('button', { name: /^Unknown The modem stopped.* seen open, or moving · 8 s$/ }).click()
  await page.getByRole('button', { name: 'Nothing moved' }).click()
  await page
    .getByRole('button', { name: /^Unknown The modem stopped.* seen standing still · 8 s$/ })
    .waitFor()
  await expectAccessible(page)
})

it('keeps its filters in the address, and exports the matching presses', async () => {
  await addPresses(60)
  const { page } = await openDashboard(browser, records)
  await page.goto(pathOf('history'))
  await page.getByText('50 of 76 shown').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await page.getByText('76 shown').waitFor()
  await page.getByRole('button', { name: 'Results: All results' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Unknown' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Denied' }).click()
  await page.keyboard.press('Escape')
  await page.getByText('2 shown').waitFor()
  await page.getByRole('combobox', { name: 'Person or key' }).fill('recep')
  await page.getByRole('option', { name: 'Reception desk' }).click()
  await page.getByLabel('Gate', { exact: true }).selectOption({ label: 'Yard barrier' })
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'Today' })
  await page.getByText('1 shown').waitFor()
  const search = new URL(page.url()).searchParams
  expect(Object.fromEntries(search)).toEqual({
    class: 'denied,unknown',
    gate: records.gateIds.yard,
    key: records.keyId,
    time: '1d',
  })
  await page.reload()
  await page.getByText('1 shown').waitFor()
  expect(await page.getByRole('combobox', { name: 'Person or key' }).inputValue()).toBe('Reception desk')
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
  expect(lines.slice(1)).toEqual([expect.stringContaining('Yard barrier,denied')])
  await page.getByLabel('Time', { exact: true }).selectOption({ label: 'From … to …' })
  await page.getByLabel('From', { exact: true }).fill('11 Mar 2026')
  const to = page.getByLabel('To', { exact: true })
  await to.fill('11 Mar 2026')
  await to.press('Enter')
  await page.getByText('No press fits these filters.').waitFor()
  await page.getByRole('button', { name: 'Show all results again' }).click()
  await page.getByRole('button', { name: 'Clear', exact: true }).last().click()
  await page.getByText('50 of 76 shown').waitFor()
  expect(new URL(page.url()).search).toBe('')
})

/** Somebody changes the second gateway. */
async function changeYard(): Promise<void> {
  const { cloud, tenant, world, yardId } = records
  const given = { email: 'ana@example.com', name: 'Ana Pop', spaceId: tenant.spaceId }
  const { headers } = await newUser({ database: cloud.database, world }, given)
  const answer = await fetch(`${cloud.base}/app/v1/spaces/${tenant.spaceId}/gateways/${yardId}`, {
    method: 'PATCH',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Yard box', callerNumber: '0740 000 222' }),
  })
  expect(answer.status).toBe(200)
}

it('shows what was changed by whom, on a phone too', async () => {
  await changeYard()
  const { page } = await openDashboard(browser, records, { viewport: { width: 390, height: 844 } })
  await page.goto(pathOf('history'))
  await page
    .getByRole('navigation', { name: 'What is listed' })
    .getByRole('link', { name: 'Activity' })
    .click()
  await page.getByRole('row', { name: /Yard barrier Gate switched off/ }).waitFor()
  await page
    .getByRole('row', {
      name: /Yard box Gateway changed .*from none to \+40 740 000 222.*@example.com.*dashboard/,
    })
    .waitFor()
  await expectNoSideways(page)
  await expectAccessible(page)
  await page.getByLabel('Gate', { exact: true }).selectOption({ label: 'Yard barrier' })
  await page.getByText('1 shown').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toMatch(/^activity-.*\.csv$/)
})
