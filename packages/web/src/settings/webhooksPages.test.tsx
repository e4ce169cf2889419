import { refuse } from '@callgate/contract/app/refusals'
import type { Delivery, Webhook } from '@callgate/contract/rest/webhook'
import { expect, it } from 'vitest'
import { type Answers, password } from '../client/fakeCloud.kit.ts'
import { ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()

const webhookId = 'hook_01kdhz4n6q8s0v2x4z6b8d1f3g'
const secret = `whsec_${'A'.repeat(43)}=`

const webhookOf = (given: Partial<Webhook> = {}): Webhook => ({
  id: webhookId,
  url: 'https://desk.example.com/callgate',
  description: 'Booking system',
  types: null,
  isActive: true,
  stopped: null,
  failingSince: null,
  previousSecretEndsAt: null,
  createdAt: '2026-01-05T08:00:00.000Z',
  ...given,
})

const deliveryOf = (given: Partial<Delivery> = {}): Delivery => ({
  id: `msg_${ids.spaceId.slice(6)}_7`,
  type: 'opening.ended',
  sequence: 7,
  state: 'given_up',
  createdAt: '2026-01-05T08:00:00.000Z',
  nextAttemptAt: null,
  attempts: [{ at: '2026-01-05T08:00:00.000Z', status: null, durationMs: 15_000, error: 'timed_out' }],
  ...given,
})

/** Webhooks that are added and changed. */
function webhooksOf(first: readonly Webhook[] = []) {
  let webhooks = first
  const change = (given: Partial<Webhook>) => {
    webhooks = webhooks.map(one => ({ ...one, ...given }))
    return { status: 200, body: { webhook: webhooks[0] ?? webhookOf() } } as const
  }
  return {
    listWebhooks: () => ({ status: 200, body: { webhooks: [...webhooks] } }),
    createWebhook({ body: { description = null, types = null, url } }) {
      if (url.includes('localhost')) return refuse('webhook_no_name')
      webhooks = [webhookOf({ url, description, types })]
      return { status: 201, body: { webhook: webhooks[0] ?? webhookOf(), secret } }
    },
    updateWebhook: ({ body: { isActive = true } }) =>
      change({
        isActive,
        stopped: isActive ? null : { at: '2026-01-05T09:00:00.000Z', why: 'switched_off' },
      }),
    rotateWebhookSecret() {
      const { body } = change({ previousSecretEndsAt: '2099-01-05T09:00:00.000Z' })
      return { status: 200, body: { ...body, secret } }
    },
    deleteWebhook() {
      webhooks = []
      return { status: 204 }
    },
    testWebhook: () => ({
      status: 202,
      body: { delivery: deliveryOf({ type: 'webhook.test', state: 'waiting' }) },
    }),
    listDeliveries: () => ({ status: 200, body: { deliveries: [deliveryOf()], hasMore: false } }),
    resendDelivery: () => ({ status: 202, body: { delivery: deliveryOf({ state: 'waiting' }) } }),
  } satisfies Answers
}

it('adds a webhook after a confirmation, and shows its secret once', async () => {
  const cloud = await pages.open(pathOf('settings/webhooks'), sessionOf(), webhooksOf())
  cloud.forget()
  await page.says('No webhook yet')
  await expectAccessible()
  await page.press('Add webhook')
  const dialog = page.part('dialog')
  await dialog.press('Add')
  await dialog.says('Type the address.')
  await dialog.fill('Address', 'https://localhost/')
  await dialog.press('Add')
  await dialog.fill('Your password', password)
  await dialog.press('Confirm')
  await dialog.says(/^Must name its host by a public name/)
  await expectAccessible()
  await dialog.fill('Address', 'https://desk.example.com/callgate')
  await dialog.press('Add')
  await dialog.says('This is the only time that the secret is shown.')
  expect(await dialog.typed('The secret')).toBe(secret)
  await expectAccessible()
  await dialog.choose('checkbox', /I have stored it/)
  await dialog.press('Done')
  await page.says('https://desk.example.com/callgate')
  await page.says('Every event')
  await page.says('Active')
})

it('sends a test, shows how deliveries went, and sends one again', async () => {
  const cloud = await pages.open(pathOf('settings/webhooks'), sessionOf(), webhooksOf([webhookOf()]))
  await page.press('What to do with desk.example.com')
  await page.choose('menuitem', 'Send a test')
  const dialog = page.part('dialog')
  await dialog.says('Deliveries to desk.example.com')
  await dialog.says(/No answer within 15 s, after 15.0/)
  await expectAccessible()
  await dialog.press('Send opening.ended 7 again')
  expect([cloud.count('testWebhook'), cloud.count('resendDelivery')]).toEqual([1, 1])
})

it('switches a webhook off and on, makes a new secret, and removes it', async () => {
  await pages.open(pathOf('settings/webhooks'), sessionOf(), webhooksOf([webhookOf()]))
  const act = async (item: string, does: string) => {
    await page.press('What to do with desk.example.com')
    await page.choose('menuitem', item)
    await expectAccessible()
    await page.part('dialog').press(does)
  }
  await act('Switch off', 'Switch off')
  await page.says('Somebody has switched it off.')
  await act('Switch on', 'Switch on')
  await page.says('Active')
  await act('New secret', 'Make a secret')
  const dialog = page.part('dialog')
  await dialog.choose('checkbox', /I have stored it/)
  await dialog.press('Done')
  await page.says(/The previous secret works until/)
  await act('Remove', 'Remove')
  await page.says('No webhook yet')
})

it('names why a webhook is off, in Romanian too', async () => {
  const stopped = { at: '2026-01-05T09:00:00.000Z', why: 'failing' } as const
  const off = webhookOf({ isActive: false, stopped, types: ['opening.ended'] })
  await pages.open(pathOf('settings/webhooks'), sessionOf({ language: 'ro' }), webhooksOf([off]))
  await page.says('Oprit')
  await page.says(/^Nimic nu a ajuns la el timp de cinci zile/)
  await page.says(/Deschideri/)
  await expectAccessible()
})
