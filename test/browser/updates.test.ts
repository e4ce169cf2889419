// Updates of a gateway's program in the dashboard, in a real browser: offered, allowed, taken back, asked, and ended.

import { writeStage } from '@callgate/cloud/update/stageRows'
import { saveUpdate, writeHours } from '@callgate/cloud/update/updateRows'
import { realWorld } from '@callgate/world/real'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const world = realWorld({ logLevel: 'silent' })
const desktop = { viewport: { width: 1280, height: 900 } }
const phone = { viewport: { width: 390, height: 844 } }
const version = '0.2.0'
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
  await house.beat()
  const modem = { state: 'ready', model: 'SIM800C', operator: 'Orange RO', registration: 'home' }
  const lastBeat = JSON.stringify({ modem, toReport: [], version: '0.1.0', can: ['update'] })
  await house.database.knex('gateways').where({ id: house.space.gatewayId }).update({ lastBeat })
  const notes = 'Calls are heard to their end on networks without ringing.'
  const archives = [{ architecture: 'arm64' as const, sha256: 'a'.repeat(64) }]
  await house.database.write(tx =>
    writeStage(tx, world, { version, notes, archives, percent: 100, spaces: [] }),
  )
})
beforeEach(() => house.database.knex('gatewayUpdates').delete())
afterAll(() => house.stop())

const path = (gateway = '') => `/spaces/${house.space.spaceId}/gateways${gateway}`
const ofGateway = () => path(`/${house.space.gatewayId}`)
const card = (page: Page) => page.locator('section.card').filter({ hasText: /^Program/ })
const become = (changed: Parameters<typeof saveUpdate>[2]) =>
  house.database.write(tx => saveUpdate(tx, house.space, changed))
const shoot = async (page: Page, name: string) => {
  const folder = process.env['SHOTS']
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

it('waits for the leave of an owner, who gives it on a phone and takes it back', async () => {
  const page = await house.open(browser, { name: 'Olga Pop', role: 'owner' }, path(), phone)
  await page.getByText(`Update to ${version} waits for your leave`).waitFor()
  await shoot(page, 'update-list-390')
  await page.getByRole('link', { name: /^Attic/ }).click()
  const program = card(page)
  await program.getByText(`Version ${version} is offered`).waitFor()
  await shoot(page, 'update-offered-390')
  await expectAccessible(page)
  await program.getByRole('button', { name: `Update to ${version}` }).click()
  await program.getByText(`Version ${version} is allowed`).waitFor()
  await shoot(page, 'update-allowed-390')
  await expectAccessible(page)
  await program.getByRole('button', { name: 'Take back' }).click()
  await program.getByRole('button', { name: `Update to ${version}` }).waitFor()
})

it('shows in Romanian that it was asked, and what came of it', async () => {
  await become({ allowedVersion: version, allowedAt: minutesAgo(5), askedVersion: version })
  await become({ askedAt: minutesAgo(3), askedTask: 'task_a' })
  const owner = { name: 'Ion Pop', role: 'owner', language: 'ro' } as const
  const page = await house.open(browser, owner, ofGateway(), desktop)
  const program = card(page)
  await program.getByText('Descarcă versiunea').waitFor()
  await page.getByText('Se actualizează acum').waitFor()
  await shoot(page, 'update-asked-ro-1280')
  await expectAccessible(page)
  const why = 'version 0.2.0 was taken back: it did not reach broker and modem'
  await become({ lastTask: 'task_a', lastVersion: version, lastState: 'taken_back', lastWhy: why })
  await become({ lastCause: 'not_connected' })
  await become({ lastAt: minutesAgo(0), allowedVersion: null, allowedAt: null })
  await page.reload()
  await program.getByText(`${version} nu a mers și a fost retrasă`).waitFor()
  await program.getByText('Nu a ajuns la server și la modem în 5 minute.').waitFor()
  expect(await program.textContent()).not.toContain('was taken back')
  await program.getByText('Nu se oferă nicio versiune mai nouă.').waitFor()
  await shoot(page, 'update-taken-back-ro-1280')
  await expectAccessible(page)
})

it('waits for an owner where an admin looks, and comes by itself where the Space has hours', async () => {
  const admin = { name: 'Ada Pop', role: 'admin', language: 'ro' } as const
  const page = await house.open(browser, admin, ofGateway(), phone)
  const program = card(page)
  await program.getByText('Un proprietar al spațiului o poate permite.').waitFor()
  expect(await program.getByRole('button').count()).toBe(0)
  await shoot(page, 'update-admin-ro-390')
  const { spaceId } = house.space
  await house.database.write(tx => writeHours(tx, spaceId, { from: '02:00', to: '05:00' }))
  await page.goto(`${house.base}${path()}`)
  await page.getByText(`Se actualizează singur la ${version}`).waitFor()
  await page.getByRole('link', { name: /^Attic/ }).click()
  await program.getByText('Gateway-urile se actualizează singure între 02:00 și 05:00.').waitFor()
  await shoot(page, 'update-hours-ro-390')
  await expectAccessible(page)
})
