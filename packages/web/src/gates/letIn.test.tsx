import type { SetUpSmsView } from '@callgate/contract/app/setUpSms'
import { expect, it } from 'vitest'
import { callerOf, figuresOf, gatewayOf, ids, pathOf, sessionOf } from '../client/spaceData.kit.ts'
import { dashboardPages, expectAccessible, on } from '../pages.kit.tsx'

const pages = dashboardPages()
const page = on()
const dialog = page.part('dialog')

it('lets the gateway send the message after a mistake, and shows the module’s answer', async () => {
  const at = new Date().toISOString()
  const callerNumber = '+40740000111'
  let last: SetUpSmsView['gateways'][number]['last'] = null
  const view = (): SetUpSmsView => ({
    gateways: [{ gatewayId: ids.gatewayId, name: 'Attic', callerNumber, canSend: true, last }],
    leftToday: 5,
  })
  const base = { at, brand: 'rtu5024', reason: null, says: null, sent: null, answer: null } as const
  const cloud = await pages.open(pathOf(`gates/${ids.gateId}`), sessionOf({ role: 'admin' }), {
    listGateways: () => ({ status: 200, body: { gateways: [gatewayOf({ callerNumber })] } }),
    getGateCallers: () => ({ status: 200, body: { callers: [callerOf({ callerNumber })] } }),
    getGateFigures: () => ({
      status: 200,
      body: {
        figures: figuresOf(),
        ringMs: [],
        callers: [{ gatewayId: ids.gatewayId, name: 'Attic', callerNumber, openedAt: null }],
      },
    }),
    getSetUpSms: () => ({ status: 200, body: view() }),
    sendSetUpSms() {
      last = { ...base, state: 'sending' }
      return { status: 202, body: view() }
    },
  })
  await page.press('How to let a number in')
  await page.select('Brand of the module', 'RTU5024 (#TEL)')
  await page.press('Send it from the gateway')
  await dialog.fill('Password of the module', '864')
  await dialog.press('Send the message')
  await dialog.says('four digits for most')
  await dialog.fill(/^Place in the list/, '007')
  await dialog.fill('Password of the module', '8642')
  await expectAccessible()
  await dialog.press('Send the message')
  await page.says('The message is on its way.')
  expect(cloud.bodies('sendSetUpSms')).toMatchObject([
    { gatewayId: ids.gatewayId, place: '007', password: '8642' },
  ])
  last = { ...base, state: 'done', sent: 'yes', answer: { text: '007:*****111', isWhole: true } }
  cloud.tell('gateway.changed', ids.gatewayId)
  await page.says('The module probably answered: 007:*****111')
  await expectAccessible()
  // The gateway is asked once more, and restarts.
  await page.press('Send it from the gateway')
  await dialog.fill(/^Place in the list/, '008')
  await dialog.fill('Password of the module', '8642')
  await dialog.press('Send the message')
  await page.says('The message is on its way.')
  last = { ...base, state: 'done', reason: 'restarted', says: 'It was restarted.', sent: 'unknown' }
  cloud.tell('gateway.changed', ids.gatewayId)
  await page.says('Nobody knows whether the message')
  await page.says('The gateway was restarted.')
})
