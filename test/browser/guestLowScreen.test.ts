// The guest's page on a screen that is low, or lies on its side: what is to be read and pressed is seen without scrolling.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useBrowser } from './browser.ts'
import { type GuestHouse, guestHouse } from './guestHouse.ts'

const browser = useBrowser()
/** An iPhone SE with the bars of its browser, and a phone on its side. */
const sizes = [
  ['low', { width: 375, height: 553 }],
  ['on its side', { width: 667, height: 331 }],
] as const
let house: GuestHouse
beforeAll(async () => {
  house = await guestHouse()
})
afterAll(() => house.stop())

/** Fails where a part is not wholly on the screen. */
async function expectSeen(page: Page, ...names: readonly (string | RegExp)[]): Promise<void> {
  const { height, width } = page.viewportSize() ?? { width: 0, height: 0 }
  for (const name of names) {
    const isSeen = async () => {
      // Null while the page is replaced.
      const box = await page.getByText(name).first().boundingBox()
      return box && box.y >= 0 && box.y + box.height <= height && box.x + box.width <= width
    }
    await expect.poll(isSeen, { message: String(name), timeout: 10_000 }).toBe(true)
  }
}

describe.each(sizes)('on a screen that is %s', (_name, viewport) => {
  it('shows the present step, and at the end the advice with its button', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('North gate') })
    const { page } = await browser.open(house.base, { viewport })
    await page.goto(guest.link)
    await page.getByRole('button', { name: 'Open North gate' }).click()
    await page.waitForURL(/\/openings\//)
    await house.ring()
    await expectSeen(page, 'North gate', 'Ringing', 'The gate is ringing')
    expect(await page.getByText('Calling the gate').isVisible()).toBe(false)
    await house.end()
    await expectSeen(page, 'The gate took the call', /If it stands still after 10\ss, press again/, 'Back')
  })

  it('begins with the name of the gate where the last gate of a list fails', async () => {
    const gates = ['One', 'Two', 'Three', 'Four', 'Five', 'Last gate']
    const ids: string[] = []
    for (const name of gates) ids.push(await house.addGate(name))
    const guest = await house.addGuest(...ids.map(gateId => ({ gateId })))
    const { page } = await browser.open(house.base, { viewport })
    await page.goto(guest.link)
    await page.getByRole('button', { name: 'Open Last gate' }).click()
    await page.waitForURL(/\/openings\//)
    await expectSeen(page, 'Last gate')
    await house.end('noReaction')
    await expectSeen(page, 'Last gate', 'The gate did not react')
  })
})

it('keeps the size of the ring at a press, and shows both answers to an unknown end, on the smallest phone', async () => {
  const guest = await house.addGuest({ gateId: await house.addGate('Small gate') })
  const { page } = await browser.open(house.base, { viewport: { width: 320, height: 568 } })
  const ringWidth = async () => (await page.locator('.ring').first().boundingBox())?.width
  await page.goto(guest.link)
  const ready = await ringWidth()
  await page.getByRole('button', { name: 'Open Small gate' }).click()
  await page.waitForURL(/\/openings\//)
  await house.ring()
  await expectSeen(page, 'The gate is ringing')
  expect(await ringWidth()).toBe(ready)
  await house.end('tooEarly')
  await expectSeen(page, 'Small gate', 'It is open, or moving', 'It stands still: press again')
})

it('keeps the ring in its place when the gate takes the call, in a window of a phone', async () => {
  const guest = await house.addGuest({ gateId: await house.addGate('Window gate') })
  const { page } = await browser.open(house.base, { viewport: { width: 390, height: 664 } })
  const place = async () => {
    const box = await page.locator('.ring').first().boundingBox()
    return box && { middle: box.x + box.width / 2, top: box.y, isLarge: box.width >= 200 }
  }
  await page.goto(guest.link)
  const ready = await place()
  expect(ready).toMatchObject({ middle: 195, isLarge: true })
  await page.getByRole('button', { name: 'Open Window gate' }).click()
  await page.waitForURL(/\/openings\//)
  await house.end()
  await expectSeen(page, 'The gate took the call', 'Back')
  expect(await place()).toEqual(ready)
})

it('shows all steps, and at the end a ring above the headline, where 640 pixels leave the room', async () => {
  const guest = await house.addGuest({ gateId: await house.addGate('Roomy gate') })
  const { page } = await browser.open(house.base, { viewport: { width: 360, height: 640 }, locale: 'uk-UA' })
  await page.goto(guest.link)
  await page.getByRole('button', { name: 'Відчинити Roomy gate' }).click()
  await page.waitForURL(/\/openings\//)
  await house.ring()
  await expectSeen(page, 'Запит надіслано', 'Телефонуємо воротам', 'Ворота приймають виклик')
  await house.end('noReaction')
  await expectSeen(page, 'Ворота не відреагували', /Ще\sраз через/, 'Подзвонити: Mihai Radu')
  expect((await page.locator('.ring').boundingBox())?.width).toBe(96)
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(640)
})

it('shows both answers in Ukrainian, and the button of a page without a connection, on the smallest phone', async () => {
  const guest = await house.addGuest({ gateId: await house.addGate('Підземний паркінг') })
  const { page } = await browser.open(house.base, {
    viewport: { width: 320, height: 568 },
    locale: 'uk-UA',
    // Also the worker, whose script may still be on its way.
    provokes: [/ERR_INTERNET_DISCONNECTED/, /fetching the script/],
  })
  await page.goto(guest.link)
  await page.context().setOffline(true)
  await expectSeen(page, 'Нічого не надіслано', 'Перевірити зв’язок', 'Подзвонити: Mihai Radu')
  await page.context().setOffline(false)
  await page.getByRole('button', { name: 'Відчинити Підземний паркінг' }).click()
  await page.waitForURL(/\/openings\//)
  await page.context().setOffline(true)
  await expectSeen(page, 'Перевіряємо', /Подивіться\sна ворота/, 'Перевірити ще раз')
  await page.context().setOffline(false)
  await house.end('tooEarly')
  await expectSeen(page, 'Вони відчинені або рухаються', /натиснути ще\sраз/)
})

it('fits three gates at one address, in the language with the longest words', async () => {
  const evening = {
    type: 'weekdays',
    timeWindows: [{ from: '18:00', to: '22:00' }],
    startsAt: '2090-01-02T08:00:00Z',
  }
  const day = {
    type: 'custom',
    daysOfWeek: [0, 1, 2, 3, 4, 5, 6],
    timeWindows: [{ from: '00:00', to: '23:58' }],
  }
  const guest = await house.addGuest(
    { gateId: await house.addGate('Courtyard gate'), schedules: [day], maxUsage: 10 },
    { gateId: await house.addGate('Yard barrier'), schedules: [day], maxUsage: 10 },
    { gateId: await house.addGate('Delivery gate'), schedules: [evening] },
  )
  const { page } = await browser.open(house.base, { viewport: { width: 360, height: 640 }, locale: 'uk-UA' })
  await page.goto(guest.link)
  await expectSeen(page, 'Courtyard gate', /Лишилося/, 'Yard barrier', 'Delivery gate')
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(640)
})

it('tells a joined press that it joined, and not how long it took', async () => {
  const gateId = await house.addGate('Yard')
  const [first, second] = [await house.addGuest({ gateId }), await house.addGuest({ gateId })]
  const pages = [await browser.open(house.base), await browser.open(house.base)].map(({ page }) => page)
  for (const [place, { link }] of [first, second].entries()) {
    await pages[place]?.goto(link)
    await pages[place]?.getByRole('button', { name: 'Open Yard' }).click()
    await pages[place]?.waitForURL(/\/openings\//)
  }
  await house.end()
  await pages[0]?.getByText(/^\d\d:\d\d, after \d+\ss · reference/).waitFor()
  await pages[1]?.getByText(/^\d\d:\d\d, by a call that ran already · reference/).waitFor()
})
