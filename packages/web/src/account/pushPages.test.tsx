import type { AppAnswerOf } from '@callgate/contract/app/appOperations'
import { afterEach, expect, it, vi } from 'vitest'
import type { Answers } from '../client/fakeCloud.kit.ts'
import { sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

type Device = AppAnswerOf<'getPush'>['body']['devices'][number]

const endpoint = 'https://push.example.com/abc'
const ownId = 'o'.repeat(43)

/** A browser with the interfaces for pushes, whose person answers the question with `permission`. */
function pushingBrowser(permission: NotificationPermission, answer = permission) {
  let subscription: object | null = null
  const pushManager = {
    getSubscription: async () => subscription,
    async subscribe(options: object) {
      asked.push(options)
      subscription = {
        endpoint,
        toJSON: () => ({ endpoint, keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } }),
        // The service of its maker may be out of reach: nothing waits for it.
        async unsubscribe() {
          subscription = null
          await new Promise(() => {})
        },
      }
      return subscription
    },
  }
  const asked: object[] = []
  const registration = { active: {}, installing: null, waiting: null, pushManager }
  let isRegistered = false
  const serviceWorker = {
    getRegistration: async () => (isRegistered ? registration : undefined),
    async register() {
      isRegistered = true
      return registration
    },
  }
  Object.defineProperty(navigator, 'serviceWorker', { configurable: true, value: serviceWorker })
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('Notification', { permission, requestPermission: async () => answer })
  return { asked, subscription: () => subscription }
}
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

/** A cloud that keeps devices. */
function deviceKeeper(first: readonly Device[] = []) {
  let devices = [...first]
  const createdAt = '2026-01-05T08:00:00.000Z'
  const answers: Answers = {
    getPush: () => ({ status: 200, body: { publicKey: 'BKey', devices } }),
    addPushDevice({ body: { alerts, openings } }) {
      const device = { id: ownId, browser: 'Firefox on Linux', alerts, openings, createdAt }
      devices = [...devices, device]
      return { status: 201, body: { device } }
    },
    updatePushDevice({ body, params }) {
      devices = devices.map(one => (one.id === params.deviceId ? { ...one, ...body } : one))
      const device = devices.find(({ id }) => id === params.deviceId)
      return device ? { status: 200, body: { device } } : { problem: 'not_found', message: 'none' }
    },
    removePushDevice({ params }) {
      devices = devices.filter(({ id }) => id !== params.deviceId)
      return { status: 204 }
    },
  }
  return { answers, devices: () => devices }
}

it('subscribes this browser with the first switch, and changes it with the second', async () => {
  const browser = pushingBrowser('default', 'granted')
  const keeper = deviceKeeper()
  const cloud = await pages.open('/account', sessionOf(), keeper.answers)
  await page.check(/^Alerts on this device/)
  await expect.poll(keeper.devices).toMatchObject([{ alerts: true, openings: false }])
  expect(browser.asked).toEqual([{ userVisibleOnly: true, applicationServerKey: 'BKey' }])
  expect(cloud.bodies('addPushDevice')).toMatchObject([{ endpoint, alerts: true, openings: false }])
  await page.check(/^Who opened, on this device/)
  await expect.poll(keeper.devices).toMatchObject([{ alerts: true, openings: true }])
  await page.check(/^Alerts on this device/)
  await expect.poll(keeper.devices).toMatchObject([{ alerts: false, openings: true }])
  expect(cloud.count('addPushDevice')).toBe(1)
  await expectAccessible()
})

it('says so where the person does not allow it, and keeps nothing', async () => {
  const browser = pushingBrowser('default', 'denied')
  const keeper = deviceKeeper()
  await pages.open('/account', sessionOf(), keeper.answers)
  await page.check(/^Who opened, on this device/)
  await page.says('The browser did not allow it.')
  expect([browser.subscription(), keeper.devices()]).toEqual([null, []])
})

it('ends the subscription again where the cloud does not take it', async () => {
  const browser = pushingBrowser('granted')
  const refuse = () => ({ problem: 'rate_limited', message: 'too often' }) as const
  await pages.open('/account', sessionOf(), { ...deviceKeeper().answers, addPushDevice: refuse })
  await page.check(/^Alerts on this device/)
  await page.says(/too (often|many)/i)
  expect(browser.subscription()).toBeNull()
})

it('shows the other devices, and removes one', async () => {
  const phone = { id: 'p'.repeat(43), browser: 'Chrome on Android', alerts: true, openings: false }
  const keeper = deviceKeeper([{ ...phone, createdAt: '2026-01-05T08:00:00.000Z' }])
  await pages.open('/account', sessionOf(), keeper.answers)
  await page.says('This browser cannot show notifications of pages.')
  await page.says('Chrome on Android')
  await expectAccessible()
  await page.press('Remove Chrome on Android')
  await page.saysNot('Chrome on Android')
  expect(keeper.devices()).toEqual([])
})

it('ends the pushes to this browser when its user signs out, and no others', async () => {
  const browser = pushingBrowser('default', 'granted')
  const phone = { id: 'p'.repeat(43), browser: 'Chrome on Android', alerts: true, openings: false }
  const keeper = deviceKeeper([{ ...phone, createdAt: '2026-01-05T08:00:00.000Z' }])
  const cloud = await pages.open('/account', sessionOf(), {
    ...keeper.answers,
    signOut: () => ({ status: 204 }),
  })
  await page.check(/^Alerts on this device/)
  await expect.poll(() => keeper.devices().length).toBe(2)
  await page.press(/You and your settings/)
  await page.choose('menuitem', 'Sign out')
  await expect.poll(() => cloud.count('signOut')).toBe(1)
  expect(keeper.devices()).toMatchObject([{ id: phone.id }])
  expect([browser.subscription(), localStorage.getItem('callgate.push')]).toEqual([null, null])
})

it('says what to do where notifications are blocked', async () => {
  pushingBrowser('denied')
  await pages.open('/account', sessionOf({ language: 'ro' }), deviceKeeper().answers)
  await page.says('Acest browser nu lasă Callgate să te anunțe.')
})

it('offers the home screen on an iPhone', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)',
  )
  await pages.open('/account', sessionOf(), deviceKeeper().answers)
  await page.says('add Callgate to the Home Screen first')
  expect(document.querySelector('link[rel=manifest]')?.getAttribute('href')).toBe('/push/app.webmanifest')
})
