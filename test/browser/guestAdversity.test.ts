// The guest's page under difficulties: no network, no script, programs that press, and hostile names.

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
const noNetwork = { provokes: [/ERR_INTERNET_DISCONNECTED|ERR_FAILED|ERR_CONNECTION|fetching the script/] }

describe('without a network', () => {
  it('before the press: sends nothing, then or later', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Far gate', 'opens') })
    const { context, page } = await browser.open(house.base, noNetwork)
    await page.goto(guest.link)
    await context.setOffline(true)
    await headline(page, 'Nothing was sent')
    await page.getByText(/^since \d\d:\d\d$/).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try the connection' }).click()
    await headline(page, 'Nothing was sent')
    await context.setOffline(false)
    await disc(page, 'Far gate').waitFor()
    expect(await guest.openings()).toEqual([])
    await disc(page, 'Far gate').click()
    await headline(page, 'The gate took the call')
  })

  it('after the press: the page asks by GET for the result, and never presses twice', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Deep gate') })
    const { page } = await browser.open(house.base, noNetwork)
    const asked: string[] = []
    page.on('request', request => asked.push(`${request.method()} ${new URL(request.url()).pathname}`))
    // The press arrives; its answer does not.
    await page.route('**/gates/*', async route => {
      await route.fetch({ maxRedirects: 0 })
      await route.abort('connectionfailed')
    })
    await page.goto(guest.link)
    await disc(page, 'Deep gate').click()
    await headline(page, 'The connection was lost')
    await expectAccessible(page)
    // By a key: the page counts the seconds, and a moving button cannot be clicked.
    await page.getByRole('button', { name: 'Check again' }).press('Enter')
    await page.waitForURL(/\/openings\//)
    await house.ring()
    await page.getByText('Ringing', { exact: true }).waitFor()
    await house.end()
    await headline(page, 'The gate took the call')
    expect(asked.filter(one => one.startsWith('POST'))).toHaveLength(1)
    expect(asked.some(one => one.includes('/presses/'))).toBe(true)
    expect(await guest.openings()).toHaveLength(1)
  })

  it('a press that did not arrive: reports this once the cloud would refuse it', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Lost gate') })
    const { page } = await browser.open(house.base, { provokes: [...noNetwork.provokes, /404/] })
    // The page waits until the cloud would refuse the press, so its clock is moved here.
    await page.clock.install()
    await page.route('**/gates/*', route => route.abort('connectionfailed'))
    await page.goto(guest.link)
    await disc(page, 'Lost gate').click()
    await headline(page, 'The connection was lost')
    await page.clock.runFor(10_000)
    await headline(page, 'The connection was lost')
    await page.clock.runFor(10_000)
    await page.getByText('Nothing was opened: your press did not arrive.').first().waitFor()
    await disc(page, 'Lost gate').waitFor()
    expect(await guest.openings()).toEqual([])
  })

  it('during the call: the page says that it checks, and continues when it can', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Hill gate') })
    const { context, page } = await browser.open(house.base, noNetwork)
    await page.goto(guest.link)
    await disc(page, 'Hill gate').click()
    await page.waitForURL(/\/openings\//)
    await context.setOffline(true)
    await headline(page, 'The connection was lost')
    await page.getByText(/^asked \d+\ss ago$/).waitFor()
    await house.end()
    await context.setOffline(false)
    await headline(page, 'The gate took the call')
    expect(await guest.openings()).toHaveLength(1)
  })

  it('an answer that comes late: the page does not go back to the call', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Slow gate') })
    const { page } = await browser.open(house.base)
    await page.goto(guest.link)
    await disc(page, 'Slow gate').click()
    await page.waitForURL(/\/openings\//)
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    let arrived = () => {}
    const asked = new Promise<void>(resolve => {
      arrived = resolve
    })
    let isFirst = true
    await page.route(/\/openings\/[^/]+$/, async route => {
      const response = await route.fetch()
      const waits = isFirst
      isFirst = false
      if (waits) {
        arrived()
        await held
      }
      await route.fulfill({ response })
    })
    // This answer is made while the gate is called, and comes after the end.
    await asked
    await house.end()
    await headline(page, 'The gate took the call')
    const late = page.waitForResponse(/\/openings\/[^/]+$/)
    release()
    await (await late).finished()
    await page.evaluate('new Promise(done => setTimeout(done, 100))')
    expect(await page.locator('main.live').count()).toBe(0)
    await headline(page, 'The gate took the call')
  })

  it('for the events: the page polls by itself', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Silent stream') })
    const { page } = await browser.open(house.base, noNetwork)
    await page.route('**/events', route => route.abort('connectionfailed'))
    await page.goto(guest.link)
    await disc(page, 'Silent stream').click()
    await page.waitForURL(/\/openings\//)
    await house.ring()
    await page.getByText('Ringing', { exact: true }).waitFor()
    await house.end()
    await headline(page, 'The gate took the call')
  })

  it('the home screen shows a page without a link, and nothing of a link is stored', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Home gate') })
    const { context, page } = await browser.open(house.base, noNetwork)
    await page.goto(guest.link)
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
    const kept = `caches.keys().then(names => Promise.all(names.map(async name =>
      (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).then(all => all.flat())`
    await expect.poll(() => page.evaluate(kept)).toEqual(['/g/offline'])
    await context.setOffline(true)
    await page.reload()
    await headline(page, 'No connection')
    await expectAccessible(page)
    expect(await page.content()).not.toContain('Home gate')
    await context.setOffline(false)
    await page.getByRole('link', { name: 'Try the connection' }).click()
    await disc(page, 'Home gate').waitFor()
  })
})

describe('without a script', () => {
  it('a press is confirmed once more, and followed by pages that reload', async () => {
    const guest = await house.addGuest({ gateId: await house.addGate('Plain gate') })
    const { page } = await browser.open(house.base, { javaScriptEnabled: false })
    await page.goto(guest.link)
    await disc(page, 'Plain gate').click()
    await page.getByText('A real gate will move. Stand where you see it.').last().waitFor()
    expect(await guest.openings()).toEqual([])
    await disc(page, 'Plain gate').click()
    await page.waitForURL(/\/openings\//)
    await house.ring()
    await page.getByText('Ringing', { exact: true }).waitFor()
    await house.end()
    await headline(page, 'The gate took the call')
    // Back is the page that asks for the confirmation, with a form of its own.
    await page.goBack()
    await disc(page, 'Plain gate').waitFor()
    await page.reload()
    await disc(page, 'Plain gate').waitFor()
    expect(await guest.openings()).toHaveLength(1)
  })
})

describe('a program that runs scripts and follows everything', () => {
  const attempts = [
    `document.querySelectorAll('button').forEach(button => button.click())`,
    `document.querySelectorAll('form').forEach(form => form.submit())`,
    `document.querySelectorAll('form').forEach(form => form.requestSubmit())`,
    `document.querySelectorAll('form').forEach(form => form.requestSubmit(form.querySelector('button')))`,
    `document.querySelectorAll('button').forEach(button => { button.focus(); for (const type of ['keydown', 'keypress', 'keyup'])
      button.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true })) })`,
    `document.querySelectorAll('button').forEach(button => { for (const type of ['pointerdown', 'mousedown', 'mouseup', 'click'])
      button.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true })) })`,
  ]

  it('opens nothing, however deep it goes', async () => {
    const [first, second] = [
      await house.addGate('Guarded gate', 'opens'),
      await house.addGate('Side gate', 'opens'),
    ]
    const guest = await house.addGuest({ gateId: first }, { gateId: second })
    const { context, page } = await browser.open(house.base, { provokes: [/./] })
    await Promise.all(
      attempts.map(async attempt => {
        // Left open to the end, because closing it during a navigation can hang.
        const tab = await context.newPage()
        await tab.goto(guest.link)
        // The page, the page of the confirmation, and those after it. Some attempts lead nowhere.
        for (const _ of [1, 2, 3]) {
          const led = tab.waitForEvent('framenavigated', { timeout: 1_000 }).catch(() => {})
          // Not awaited, because its effect may remove the page during the wait.
          void tab.evaluate(attempt).catch(() => {})
          await led
        }
      }),
    )
    for (const path of ['', `/gates/${first}`]) {
      const text = await (await context.request.get(guest.link + path)).text()
      for (const [, link = ''] of text.matchAll(/href="(\/[^"]*)"/g)) await context.request.get(link)
    }
    expect(await guest.openings()).toEqual([])
    // A person's press counts, in whatever language the program has chosen.
    await page.goto(guest.link)
    await page.locator('.disc').click()
    await expect.poll(() => guest.openings()).toHaveLength(1)
  })
})

it('a link that is reset during the call shows nothing of it any more', async () => {
  const guest = await house.addGuest({ gateId: await house.addGate('Reset gate') })
  const { page } = await browser.open(house.base, { provokes: [/40[34]/] })
  await page.goto(guest.link)
  await disc(page, 'Reset gate').click()
  await page.waitForURL(/\/openings\//)
  await house.call('POST', `/members/${guest.memberId}/link/reset`)
  await headline(page, 'This link does not work')
  expect(await page.content()).not.toMatch(/Reset gate|Lalelelor/)
})

describe('hostile names', () => {
  const corpus = [
    `<script>window.hit=1</script>`,
    `"><img src=x onerror=window.hit=1>`,
    `'><svg/onload=window.hit=1>`,
    `</title></template></style><script>window.hit=1</script>`,
    '{time}{seconds}{name}<b>{{window.hit=1}}</b>',
    `javascript:window.hit=1//`,
    `\u202e\u0000<iframe srcdoc="<script>parent.hit=1</script>">`,
  ]

  it('are shown unchanged in every place, and run nothing', async () => {
    const { knex } = house.database
    const { page } = await browser.open(house.base)
    for (const name of corpus) {
      const clean = name.replace('\u0000', '')
      const gates = [await house.addGate('Named'), await house.addGate('Named')]
      const guest = await house.addGuest(...gates.map(gateId => ({ gateId })))
      await knex('gates').whereIn('id', gates).update({ name: clean, location: clean })
      await knex('spaces').update({ name: clean, contactName: clean })
      await knex('members').where({ id: guest.memberId }).update({ name: clean })
      await page.goto(guest.link)
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(clean)
      await page
        .getByRole('button', { name: `Open ${clean}`, exact: true })
        .first()
        .click()
      await page.waitForURL(/\/openings\//)
      await house.end('tooEarly')
      await headline(page, 'Look at the gate')
      expect(await page.getByRole('banner').textContent()).toContain(clean)
      expect(await page.evaluate('window.hit')).toBeUndefined()
      const manifest = await page.evaluate(
        `fetch(document.querySelector('[rel=manifest]').href).then(answer => answer.json())`,
      )
      expect(manifest).toMatchObject({ name: clean })
    }
    await knex('spaces').update({ name: 'Casa Lalelelor', contactName: 'Mihai Radu' })
  })
})

it('the token is in no log, and no request has a referrer', async () => {
  const guest = await house.addGuest({ gateId: await house.addGate('Quiet gate', 'opens') })
  const { page } = await browser.open(house.base)
  const told: string[] = []
  page.on('request', request => told.push(JSON.stringify(request.headers()['referer'] ?? '')))
  await page.goto(guest.link)
  await disc(page, 'Quiet gate').click()
  await headline(page, 'The gate took the call')
  await page.getByRole('link', { name: 'Back' }).click()
  await disc(page, 'Quiet gate').waitFor()
  expect(new Set(told)).toEqual(new Set(['""']))
  expect(house.logged()).toContain('"route":"/g/:token"')
  expect(house.logged()).not.toContain(guest.link.split('/').at(-1))
})
