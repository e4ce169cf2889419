// The members in the dashboard, in a real browser: files, hostile names, and the filters on a phone.

import { readFile } from 'node:fs/promises'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Member } from '@callgate/contract/rest/member'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { type Opening, useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const desktop = { viewport: { width: 1280, height: 900 } }
let house: DashboardHouse
let barrier: Gate

beforeAll(async () => {
  house = await dashboardHouse()
  await house.addGate('Courtyard gate')
  barrier = await house.addGate('Yard barrier')
})
afterAll(() => house.stop())

const membersPath = () => `/spaces/${house.space.spaceId}/members`

/** A page of a signed-in user. */
const signedIn = (name: string, path: string, options: Opening = desktop) =>
  house.open(browser, { name }, path, options)

async function addMember(body: object): Promise<Member> {
  return (await house.call<{ member: Member }>('POST', '/members', body)).member
}

/** The page is no wider than its window. */
async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()
/** What the head of the page has behind its last button. */
async function pressMore(page: Page, name: string): Promise<void> {
  await press(page, 'More actions')
  await page.getByRole('menuitem', { name }).click()
}
const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

it('imports the file that it exports, after it has shown the changes', async () => {
  await addMember({ name: 'Elena Stan', accesses: [{ gateId: barrier.id }] })
  const page = await signedIn('Mihai Radu', membersPath())
  const waiting = page.waitForEvent('download')
  await pressMore(page, 'Export')
  const download = await waiting
  expect(download.suggestedFilename()).toMatch(/^members-[\d-]+\.csv$/)
  const exported = await readFile(await download.path(), 'utf8')
  const choose = (text: string) =>
    page
      .getByRole('dialog')
      .locator('input[type="file"]')
      .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  const send = page.getByRole('dialog').getByRole('button', { name: 'Import' })

  await pressMore(page, 'Import')
  await choose(exported)
  await says(page, /Members that stay as they are: \d/)
  await choose(`${exported},oana,oana@example.com,,,,Yard barrier,weekdays 07:00-19:00,,\r\n`)
  await says(page, 'New members: 1. Each counts as an invitation of this month.')
  await send.click()
  await says(page, 'The file is imported')
  await page.locator('.dialog-foot').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('link', { name: 'oana' }).waitFor()
  const mails = await house.database.knex('outbox').whereNotNull('memberId')
  expect(mails, 'no mail was asked for').toEqual([])
})

it('saves a template that the import accepts', async () => {
  const page = await signedIn('Mihai Radu', membersPath())
  await pressMore(page, 'Import')
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save a template' }).click()
  const template = await readFile(await (await waiting).path(), 'utf8')
  expect(template).toMatch(/^\uFEFF"Name","E-mail","Phone","Note","Gate","Hours","Uses at most","Active"\r\n/)
  await page
    .getByRole('dialog')
    .locator('input[type="file"]')
    .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(template) })
  await says(page, 'New members: 1. Each counts as an invitation of this month.')
  await expectAccessible(page)
})

it('shows hostile names unchanged everywhere, and finds them by the address', async () => {
  const corpus = [
    '<script>window.hit=1</script>',
    '"><img src=x onerror=window.hit=1>',
    "'><svg/onload=window.hit=1>",
    'javascript:window.hit=1//',
    '{{window.hit=1}}#{window.hit=1}',
    '=HYPERLINK("//x.invalid","Ștefan")',
  ]
  const made = []
  for (const name of corpus)
    made.push(
      await addMember({ name, note: name, phone: name.slice(0, 32), accesses: [{ gateId: barrier.id }] }),
    )
  const page = await signedIn('Mihai Radu', membersPath())
  for (const name of corpus) await page.getByRole('link', { name, exact: true }).waitFor()
  await expectAccessible(page)
  for (const { id, name } of made.slice(0, 3)) {
    await page.goto(`${membersPath()}/${id}`)
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    expect(await page.getByLabel('Note').inputValue()).toBe(name)
    await press(page, 'Deactivate')
    await page.getByRole('dialog').waitFor()
  }
  expect(await page.evaluate('window.hit')).toBeUndefined()

  await page.goto(`${membersPath()}?search=hyperlink`)
  expect(await page.getByLabel('Name, phone or note').inputValue()).toBe('hyperlink')
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await page.setViewportSize({ width: 280, height: 700 })
  await expectNoSideways(page)
})

it.each(['en', 'ro'] as const)('leaves no filter alone in a row on a phone, in %s', async language => {
  await addMember({ name: 'Ion Marin' })
  const options = { viewport: { width: 390, height: 844 } }
  const page = await house.open(browser, { name: 'Ada Pop', language }, membersPath(), options)
  await page.getByRole('button', { name: language === 'en' ? 'Filter' : 'Filtre', exact: true }).click()
  const filters = page.getByRole('radiogroup').locator('label')
  await filters.first().waitFor()
  const boxes = await filters.evaluateAll(labels => labels.map(label => label.getBoundingClientRect().top))
  for (const top of boxes) expect(boxes.filter(other => other === top).length).toBeGreaterThan(1)
})
