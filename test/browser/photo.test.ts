// The photo of a gate in a real browser: an admin sets it, guests see it, and neither waits for it.

import { photoFault } from '@callgate/contract/photo/jpeg'
import type { Gate } from '@callgate/contract/rest/gate'
import type { Member } from '@callgate/contract/rest/member'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
let house: DashboardHouse
let gates: readonly Gate[]
let link: string

beforeAll(async () => {
  house = await dashboardHouse()
  gates = [await house.addGate('Courtyard gate'), await house.addGate('Yard barrier')]
  const accesses = gates.map(({ id: gateId }) => ({ gateId }))
  const { member } = await house.call<{ member: Member }>('POST', '/members', { name: 'Ana', accesses })
  link = new URL(member.accesses[0]?.accessUrl ?? '').pathname
})
afterAll(() => house.stop())

/** A picture with much detail, which no JPEG makes small, as a file of a phone with a place in its EXIF. */
const pictureOf = (page: Page, width: number, height: number) =>
  page.evaluate(`(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: ${width}, height: ${height} })
    const pen = canvas.getContext('2d')
    for (let y = 0, n = 1; y < ${height}; y += 4) for (let x = 0; x < ${width}; x += 4) {
      n = (n * 48271) % 2147483647
      pen.fillStyle = 'rgb(' + [n & 255, (n >> 8) & 255, (n >> 16) & 255] + ')'
      pen.fillRect(x, y, 4, 4)
    }
    return canvas.toDataURL('image/jpeg', 0.95).split(',')[1]
  })()`) as Promise<string>

const place = Buffer.from('Exif\0\0 45.66 N, 25.61 E')
const exif = Buffer.concat([Buffer.from([0xff, 0xe1, 0, place.length + 2]), place])

/** The photos as they are stored. */
const stored = async (): Promise<readonly Buffer[]> =>
  (await house.database.knex('gatePhotos').pluck('jpeg')).map(text => Buffer.from(text, 'base64'))

/** An expression for the browser: whether a picture has come. */
const isThere = (selector: string) =>
  `(one => one !== null && one.complete && one.naturalWidth > 0)(document.querySelector('${selector}'))`

const setPhoto = async (page: Page, buffer: Buffer, name = 'gate.jpg') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/jpeg', buffer })

it('is scaled by the browser, without metadata, and shown on the pages of its gate', async () => {
  await house.beat()
  const [{ id } = { id: '' }] = gates
  const path = `/spaces/${house.space.spaceId}/gates/${id}`
  const options = { viewport: { width: 1280, height: 800 } }
  const page = await house.open(browser, { name: 'Olga Marin', role: 'admin' }, path, options)
  await page.getByRole('button', { name: 'Choose a photo' }).waitFor()
  await setPhoto(page, Buffer.from('no picture'))
  await page.getByText('cannot read this file as a picture').waitFor()
  const raw = Buffer.from(await pictureOf(page, 2000, 1200), 'base64')
  const photo = Buffer.concat([raw.subarray(0, 2), exif, raw.subarray(2)])
  expect(photoFault(photo)).toBe('too_many_bytes')
  await setPhoto(page, photo)
  await page.getByText('Guests see it beside the name').waitFor()
  await expect
    .poll(() => page.evaluate(`document.querySelector('.gate-picture')?.naturalWidth`))
    .toBeGreaterThan(300)
  await expectAccessible(page)
  const [kept = Buffer.alloc(0)] = await stored()
  expect(photoFault(kept)).toBeUndefined()
  expect(kept.length).toBeGreaterThan(10_000)
  expect([photo, kept].map(one => one.includes('25.61 E'))).toEqual([true, false])
  await page.getByRole('link', { name: 'Gates', exact: true }).first().click()
  await expect.poll(() => page.evaluate(isThere('.gate-photo'))).toBe(true)
  await expectAccessible(page)
})

it('comes to a guest on a slow line after the button, and leaves the line to a press', async () => {
  const { page } = await browser.open(house.base, { viewport: { width: 360, height: 740 } })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  const slow = { latency: 300, downloadThroughput: 6_000, uploadThroughput: 6_000, offline: false }
  await devtools.send('Network.emulateNetworkConditions', slow)
  await page.addInitScript(`globalThis.shift = 0; new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) shift += one.value }).observe({ type: 'layout-shift', buffered: true })`)
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().includes('/photo/')) asked.push(request.url())
  })
  await page.goto(link, { waitUntil: 'domcontentloaded' })
  await page.getByRole('button', { name: 'Open Courtyard gate' }).waitFor()
  await expect.poll(() => asked.length).toBe(1)
  expect(await page.evaluate(isThere('.photo img'))).toBe(false)
  const failed = page.waitForEvent('requestfailed', request => request.url().includes('/photo/'))
  await page.getByRole('button', { name: 'Open Yard barrier' }).click()
  await failed
  // The photo of the other gate is gone with its name.
  expect(await page.locator('.named .photo').count()).toBe(0)
  expect(await page.evaluate('shift')).toBeLessThan(0.05)
})

it('keeps its place on the page of a guest while it comes, and is kept by the browser', async () => {
  const { page } = await browser.open(house.base, { viewport: { width: 390, height: 844 } })
  await page.addInitScript(`globalThis.shift = 0; new PerformanceObserver(list => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) shift += one.value }).observe({ type: 'layout-shift', buffered: true })`)
  await page.goto(link)
  await expect.poll(() => page.evaluate(isThere('.photo img'))).toBe(true)
  expect(await page.evaluate('shift')).toBeLessThan(0.01)
  await expectAccessible(page)
  await page.reload()
  await expect.poll(() => page.evaluate(isThere('.photo img'))).toBe(true)
  const size = `performance.getEntriesByType('resource').find(one => one.name.includes('/photo/')).transferSize`
  expect(await page.evaluate(size)).toBe(0)
})
