// Pushes in a real browser: the service worker of the dashboard says who opened while a user is signed in, and else names nobody.

import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
let house: DashboardHouse
beforeAll(async () => {
  house = await dashboardHouse({ host: 'localhost' })
})
afterAll(() => house.stop())

/** An opening by Ion that has ended. */
async function endedOpening(): Promise<string> {
  const world = realWorld({ logLevel: 'silent' })
  const gate = await house.addGate('North gate')
  const at = isoTime(world.nowMs())
  const id = newId(world, 'open')
  const of = { gateId: gate.id, gateName: gate.name, phoneNumber: gate.phoneNumber, actorType: 'guest' }
  const times = { calledAt: at, grantBefore: at, completedAt: at }
  const end = {
    status: 'completed',
    opened: 'yes',
    confidence: 'certain',
    isSettled: true,
    actorName: 'Ion Marin',
  }
  await house.database.knex('openings').insert({ id, spaceId: house.space.spaceId, ...of, ...times, ...end })
  return id
}

/** This browser has no notifications: the page is told that it may ask, and the worker notes what it would show. */
const mayAsk = `Object.defineProperty(Notification, 'permission', { get: () => 'default' })`
const noteShown = `self.shown = []
  self.registration.showNotification = async (title, { body, data }) => void self.shown.push({ title, body, data })`

interface Worker {
  /** Delivers a push as the push service of a browser does. */
  deliver(message: object): Promise<unknown>
  shown(): Promise<unknown>
}

/** The worker, registered by the page's own switch. This browser has no push service, so the subscription itself fails. */
async function registered(context: BrowserContext, page: Page): Promise<Worker> {
  const cdp = await context.newCDPSession(page)
  const found = new Promise<string>(resolve =>
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.endsWith('/push/'))
      if (own) resolve(own.registrationId)
    }),
  )
  await cdp.send('ServiceWorker.enable')
  await page.getByLabel('Who opened, on this device').click({ force: true })
  await page.getByText('The browser did not allow it.').waitFor()
  const registrationId = await found
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  await worker.evaluate(noteShown)
  return {
    deliver: message =>
      cdp.send('ServiceWorker.deliverPushMessage', {
        origin: house.base,
        registrationId,
        data: JSON.stringify(message),
      }),
    shown: () => worker.evaluate('self.shown.splice(0)'),
  }
}

it('shows who opened to a user who is signed in, and a general sentence where nobody is', async () => {
  const { context, page } = await browser.open(house.base, { provokes: [/Push API|401/] })
  await context.grantPermissions(['notifications'], { origin: house.base })
  const user = await house.addUser('Ana')
  await house.signIn(context, user)
  await page.addInitScript(mayAsk)
  await page.goto('/account')
  const { deliver, shown } = await registered(context, page)
  const { spaceId } = house.space
  const history = `/spaces/${spaceId}/history`
  const id = await endedOpening()
  await deliver({ kind: 'opening', spaceId, id })
  await expect
    .poll(shown)
    .toEqual([{ title: 'Casa Lalelelor', body: 'Ion Marin opened North gate.', data: history }])
  await context.clearCookies()
  await deliver({ kind: 'other' })
  await deliver({ kind: 'opening', spaceId, id })
  await expect
    .poll(shown)
    .toEqual([{ title: 'Callgate', body: 'Someone opened a gate. Open Callgate to see who.', data: history }])
  await deliver({ kind: 'alert', spaceId, id: null })
  const body = 'Something is wrong, or well again. Open Callgate to see what.'
  await expect.poll(shown).toEqual([{ title: 'Callgate', body, data: `/spaces/${spaceId}/alerts` }])
})
