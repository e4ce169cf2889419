// The guest's page in a real browser: a press and its progress, its ends, and presses that are not allowed now.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type GuestHouse, guestHouse } from './guestHouse.ts'

let house: GuestHouse
const browser = useBrowser()
beforeAll(async () => {
  house = await guestHouse()
})
afterAll(() => house.stop())

const headline = (page: Page, name: string | RegExp) =>
  page.getByRole('heading', { name, exact: true }).waitFor()
const disc = (page: Page, gate: string) => page.getByRole('button', { name: `Open ${gate}`, exact: true })
const said = (page: Page) => page.getByRole('status').textContent()
/** The requests of the page that may press. */
function posts(page: Page): string[] {
  const found: string[] = []
  page.on('request', request => request.method() === 'POST' && found.push(request.url()))
  return found
}
const hasNoScroll = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

describe('a press', () => {
  it('is followed in place from asked to taken, and announced to a screen reader step by step', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Courtyard gate'), maxUsage: 10 })
    const { page } = await browser.open(house.base)
    const sent = posts(page)
    const streams: string[] = []
    page.on('request', request => request.resourceType() === 'eventsource' && streams.push(request.url()))
    await page.goto(guest.link)
    expect(await page.getByText('10 of 10 uses left').isVisible()).toBe(true)
    await expectAccessible(page)
    const place = await page.locator('.ring').boundingBox()
    await disc(page, 'Courtyard gate').dblclick()
    await page.waitForURL(/\/openings\//)
    await expect.poll(() => said(page)).toBe('Calling the gate')
    await house.ring()
    await expect.poll(() => said(page)).toBe('The gate is ringing')
    await page.getByText('Ringing', { exact: true }).waitFor()
    await expectAccessible(page)
    expect(await page.locator('.ring').boundingBox()).toEqual(place)
    await house.end()
    await headline(page, 'The gate took the call')
    expect(await said(page)).toBe('The gate took the call')
    expect(await page.locator('.ring').boundingBox()).toEqual(place)
    await expectAccessible(page)
    expect(sent).toHaveLength(1)
    expect(streams).toHaveLength(1)
    expect(await guest.openings()).toHaveLength(1)
  })

  it('by the keyboard counts like any other, and the disc shows where the focus is', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Garden door', 'opens') })
    const { page } = await browser.open(house.base)
    await page.goto(guest.link)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const outline = 'getComputedStyle(document.activeElement).outline'
    expect(await page.evaluate(outline)).toMatch(/3px/)
    await page.keyboard.press('Enter')
    await headline(page, 'The gate took the call')
    expect(await guest.openings()).toHaveLength(1)
  })

  it('continues after a reload; going back shows a fresh page that has pressed nothing', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('North gate') })
    const { page } = await browser.open(house.base)
    const sent = posts(page)
    await page.goto(guest.link)
    await disc(page, 'North gate').click()
    await page.waitForURL(/\/openings\//)
    await house.ring()
    await page.reload()
    await page.getByText('Ringing', { exact: true }).waitFor()
    await house.end()
    await headline(page, 'The gate took the call')
    await page.reload()
    await headline(page, 'The gate took the call')
    await page.goBack()
    await disc(page, 'North gate').waitFor()
    expect(page.url()).toBe(house.base + guest.link)
    expect(sent).toHaveLength(1)
    expect(await guest.openings()).toHaveLength(1)
  })

  it('on two phones at once places one call, which both follow', async () => {
    const gateId = await house.addGate('Barrier')
    const guest = await house.addGuest({ gateId })
    const phones = await Promise.all([browser.open(house.base), browser.open(house.base)])
    for (const { page } of phones) await page.goto(guest.link)
    const calls = house.gateway.calls.length
    await Promise.all(phones.map(({ page }) => disc(page, 'Barrier').click()))
    await Promise.all(phones.map(({ page }) => page.waitForURL(/\/openings\//)))
    const joined = phones.map(({ page }) => page.getByText('your press joins that call', { exact: false }))
    await expect
      .poll(async () => (await Promise.all(joined.map(one => one.nth(1).isVisible()))).filter(Boolean).length)
      .toBe(1)
    await house.end()
    await Promise.all(phones.map(({ page }) => headline(page, 'The gate took the call')))
    expect(house.gateway.calls.length - calls).toBe(1)
  })

  it('from a row shows that gate, and the gates are in the order of their use', async () => {
    const first = await house.addGate('Yard barrier', 'opens', 'Rear')
    const guest = await house.addGuest(
      { gateId: await house.addGate('Alley gate', 'opens') },
      { gateId: first },
    )
    const { page } = await browser.open(house.base)
    await page.goto(guest.link)
    await headline(page, 'Alley gate')
    await expectAccessible(page)
    await disc(page, 'Yard barrier').click()
    await headline(page, 'The gate took the call')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Yard barrier')
    await page.getByRole('link', { name: 'Back' }).click()
    await disc(page, 'Alley gate').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Yard barrier')
  })

  it('with a form that is too old opens nothing, and the page gets a new one', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Old gate', 'opens') })
    const { page } = await browser.open(house.base, { provokes: [/409/] })
    await page.goto(guest.link)
    await page.evaluate('for (const input of document.querySelectorAll("[name=ask]")) input.value = "1.x"')
    await disc(page, 'Old gate').click()
    await page.getByText('Nothing was opened: the page was too old.').first().waitFor()
    expect(await guest.openings()).toEqual([])
    await expectAccessible(page)
    await disc(page, 'Old gate').click()
    await headline(page, 'The gate took the call')
  })
})

describe('an end', () => {
  it('asks the guest where the outcome is unknown, and emphasises no answer', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Slow gate') })
    const { page } = await browser.open(house.base)
    await page.goto(guest.link)
    await disc(page, 'Slow gate').click()
    await page.waitForURL(/\/openings\//)
    await house.end('tooEarly')
    await headline(page, 'Look at the gate')
    await expectAccessible(page)
    expect(await page.locator('.fill').count()).toBe(0)
    await page.getByRole('button', { name: 'It is open, or moving' }).click()
    await headline(page, 'Noted: it is open, or moving')
    const [opening] = await guest.openings()
    const kept = await house.database.knex('openingObservations').where({ openingId: opening?.id })
    expect(kept).toMatchObject([{ seen: 'moving' }])
    expect(await guest.openings()).toHaveLength(1)
  })

  it('without a reaction can be pressed again only after a while; a busy line at once', async () => {
    const silent = await house.addGuest({ gateId: await house.addGate('Silent gate') })
    const busy = await house.addGuest({ gateId: await house.addGate('Busy gate', 'busy') })
    const { page } = await browser.open(house.base)
    await page.goto(silent.link)
    await disc(page, 'Silent gate').click()
    await page.waitForURL(/\/openings\//)
    await house.end('noReaction')
    await headline(page, 'The gate did not react')
    await headline(page, 'Look at the gate first')
    const again = page.getByRole('button', { name: /^Press again in \d+ s$/ })
    expect(await again.isDisabled()).toBe(true)
    expect(await page.getByRole('link', { name: 'Call Mihai Radu' }).getAttribute('href')).toBe(
      'tel:+40215550100',
    )
    await expectAccessible(page)
    await page.goto(busy.link)
    await disc(page, 'Busy gate').click()
    await headline(page, /line is busy/)
    await headline(page, 'It is safe to press again')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Press again' }).click()
    await expect.poll(() => busy.openings()).toHaveLength(2)
  })
})

describe('a press that is not allowed now', () => {
  const never = {
    schedules: [{ type: 'one-shot', startsAt: '2090-01-02T08:00:00Z', timezone: 'UTC' }],
  } as const
  const over = {
    schedules: [{ type: 'one-shot', expiresAt: '2020-03-05T08:00:00Z', timezone: 'UTC' }],
  } as const

  it('is explained with the next time, the hours, and whom to ask', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Delivery gate'), ...never })
    const { page } = await browser.open(house.base)
    await page.goto(guest.link)
    await page.getByText('08:00', { exact: true }).waitFor()
    await page.getByText('2 January 2090', { exact: true }).waitFor()
    await headline(page, 'Your hours')
    await page.getByRole('link', { name: 'Other hours: Mihai Radu' }).waitFor()
    expect(await page.getByRole('button').count()).toBe(0)
    await expectAccessible(page)
  })

  it('is explained for an access that has ended, and for one that is used up', async () => {
    const used = await house.addGate('Used gate')
    const guest = await house.addGuest({ gateId: await house.addGate('Late gate'), ...over })
    const other = await house.addGuest({ gateId: used, maxUsage: 1 })
    await house.database.knex('accesses').where({ gateId: used }).update({ usageCount: 1 })
    const { page } = await browser.open(house.base)
    await page.goto(guest.link)
    await headline(page, 'Your access has ended')
    await page.getByText('Ended on 5 March 2020.').waitFor()
    await expectAccessible(page)
    await page.goto(other.link)
    await headline(page, 'You have no uses left')
  })

  it.each([
    ['Outside your hours', { schedules: JSON.stringify(never.schedules) }],
    ['Your access has ended', { schedules: JSON.stringify(over.schedules) }],
    ['You have no uses left', { maxUsage: 1, usageCount: 1 }],
    ['You have no access', { isActive: false }],
  ])('is explained after a press that the page still allowed: %s', async (what, change) => {
    const gateId = await house.addGate(`Changed gate: ${what}`)
    const guest = await house.addGuest({ gateId })
    const { page } = await browser.open(house.base)
    await page.goto(guest.link)
    await house.database.knex('accesses').where({ gateId }).update(change)
    await page.getByRole('button', { name: /^Open Changed gate/ }).click()
    await headline(page, what)
    expect(await guest.openings()).toHaveLength(1)
    await expectAccessible(page)
    await house.database.knex('accesses').where({ gateId }).update({ usageCount: 0 })
  })

  it('is explained for a gate that was switched off after the page was shown', async () => {
    const gateId = await house.addGate('Off gate')
    const guest = await house.addGuest({ gateId })
    const { page } = await browser.open(house.base)
    await page.goto(guest.link)
    await house.call('PATCH', `/gates/${gateId}`, { isActive: false })
    await disc(page, 'Off gate').click()
    await headline(page, 'This gate is switched off')
  })
})

describe('the page', () => {
  it('uses the chosen language, on every phone of the guest', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Main gate') })
    const [first, second] = await Promise.all([browser.open(house.base), browser.open(house.base)])
    await first.page.goto(guest.link)
    await first.page.locator('summary').click()
    await expectAccessible(first.page)
    await first.page.getByRole('button', { name: 'Українська' }).click()
    await first.page.getByRole('button', { name: 'Відчинити Main gate' }).waitFor()
    await second.page.goto(guest.link)
    await second.page.getByRole('button', { name: 'Відчинити Main gate' }).waitFor()
    await expectAccessible(second.page)
  })

  it('of a dead link names nothing, and can be read in another language', async () => {
    const { page } = await browser.open(house.base, { provokes: [/404/] })
    await page.goto('/g/dead')
    await headline(page, 'This link does not work')
    await expectAccessible(page)
    await page.locator('summary').click()
    await page.getByRole('button', { name: 'Română' }).click()
    await headline(page, 'Acest link nu funcționează')
    expect(await page.content()).not.toContain('Lalelelor')
  })

  it('keeps the edge of its button where the user sets the colours', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('High contrast gate') })
    const { page } = await browser.open(house.base, { forcedColors: 'active' })
    await page.goto(guest.link)
    await disc(page, 'High contrast gate').waitFor()
    const edge = 'getComputedStyle(document.querySelector(".disc")).borderTopWidth'
    expect(await page.evaluate(edge)).toBe('2px')
  })

  it('fits 280 px and a zoom of 200 %, and does not move where reduced motion is requested', async () => {
    const gateId = await house.addGate('Шлагбаум підземної стоянки')
    const guest = await house.addGuest({ gateId }, { gateId: await house.addGate('Second gate') })
    const narrow = { viewport: { width: 280, height: 600 } }
    const { page } = await browser.open(house.base, narrow)
    await page.goto(guest.link)
    expect(await hasNoScroll(page)).toBe(true)
    await page.evaluate('document.documentElement.style.fontSize = "200%"')
    expect(await hasNoScroll(page)).toBe(true)
    await page.getByRole('button', { name: /^Open Шлагбаум/ }).click()
    await page.waitForURL(/\/openings\//)
    expect(await hasNoScroll(page)).toBe(true)
    const moving = 'document.getAnimations().length'
    expect(await page.evaluate(moving)).toBe(0)
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    expect(await page.evaluate(moving)).toBeGreaterThan(0)
    await house.end()
    await headline(page, 'The gate took the call')
  })
})
