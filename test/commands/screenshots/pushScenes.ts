// The scenes of the card by which a user chooses what this browser is notified of.

import type { Page } from 'playwright-core'
import type { Records } from '../../browser/records.ts'
import type { Scene } from './scenes.ts'

const deviceId = 'd'.repeat(43)

/** Shows the card of a browser for which `prepare` has run before the page. */
const cardAfter = (prepare: string) => async (page: Page) => {
  await page.addInitScript(prepare)
  await page.reload()
}

/** The person has not been asked yet. A browser without a window answers no by itself. */
const mayAsk = `Object.defineProperty(Notification, 'permission', { value: 'default' })`

/** The browser is subscribed, and no push service is asked. */
const subscribed = `${mayAsk}
localStorage.setItem('callgate.push', '${deviceId}')
navigator.serviceWorker.getRegistration = async () => ({ pushManager: { getSubscription: async () => ({}) } })`

export function pushScenes({ cloud: { database } }: Records): readonly Scene[] {
  const row = (id: string, browser: string, openings: boolean) => ({
    id,
    browser,
    alerts: true,
    openings,
    subscriptionSealed: '',
    createdAt: '2026-03-14T09:00:00.000Z',
  })
  return [
    { name: 'push-unsupported', path: '/account', act: cardAfter('delete globalThis.PushManager') },
    { name: 'push-off', path: '/account', act: cardAfter(mayAsk) },
    {
      name: 'push-on',
      path: '/account',
      async put() {
        const { id: userId } = await database.knex('users').where({ email: 'mihai@example.com' }).first('id')
        const rows = [row(deviceId, 'Chrome on Linux', false), row('p', 'Chrome on Android', true)]
        await database.knex('pushDevices').insert(rows.map(one => ({ ...one, userId })))
      },
      act: cardAfter(subscribed),
      undo: () => database.knex('pushDevices').delete(),
    },
  ]
}
